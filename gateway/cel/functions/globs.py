"""Names with `*`, the only wildcard of a policy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from gateway.cel.access import quoted
from gateway.cel.budget import length
from gateway.cel.functions.signature import Function, Overload, Style, Work
from gateway.cel.types import BOOL, STRING
from gateway.cel.values import CelError, ErrorKind, no_overload
from gateway.glob import Glob
from gateway.later import later

_LONGEST = 200
_OTHER_WILDCARDS = later(r"\*\*|[?\[\]{}]|^!")


@lru_cache(maxsize=256)
def _pattern(text: str) -> Glob:
    """A pattern; what other languages have and this one does not is refused, lest it be taken literally."""
    if not 0 < len(text) <= _LONGEST:
        raise CelError(ErrorKind.INVALID, f"a pattern has 1 to {_LONGEST} characters")
    if other := _OTHER_WILDCARDS.search(text):
        raise CelError(
            ErrorKind.INVALID,
            f"`{other[0]}` means nothing in {quoted(text)}: only `*` is a wildcard, for anything but `/`",
        )
    return Glob(text)


def _specialise(constants: Sequence[Any]) -> Work | None:
    if not isinstance(constants[1], str):
        return None
    matches = _pattern(constants[1]).matches

    def fits(text: Any, pattern: Any) -> bool:
        if not isinstance(text, str):
            raise no_overload("glob", text, pattern)
        return matches(text)

    return Work(fits, _cost)


def _cost(text: Any, pattern: Any) -> int:
    return 4 + (length(text) * (2 + min(length(pattern), _LONGEST)) >> 8)


FUNCTIONS = (
    Function(
        "glob",
        Style.MEMBER,
        (Overload((STRING, STRING), BOOL, lambda text, pattern: _pattern(pattern).matches(text)),),
        "Whether a whole string fits a pattern in which each `*` stands for any characters but `/`.",
        "'pay_invoice'.glob('pay_*')",
        _specialise,
        _cost,
    ),
)
