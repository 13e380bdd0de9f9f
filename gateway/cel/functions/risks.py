"""Risk levels as numbers that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gateway.cel.access import quoted
from gateway.cel.functions.signature import Fails, Function, Overload, Style, Work
from gateway.cel.types import INT, STRING
from gateway.cel.values import CelError, ErrorKind
from gateway.risk import RiskLevel, parse_or_high

_NAMES = tuple(level.value for level in RiskLevel)


def _risk(name: str) -> int:
    return parse_or_high(name).severity


def _specialise(constants: Sequence[Any]) -> Work | None:
    """A name that is written in a policy has to be right; only data may be wrong, and is HIGH then."""
    name = constants[0]
    if not isinstance(name, str):
        return None
    if name not in _NAMES:
        raise CelError(ErrorKind.INVALID, f"{quoted(name)} is no risk level; they are {', '.join(_NAMES)}")
    severity = _risk(name)
    return Work(lambda _: severity)


FUNCTIONS = (
    Function(
        "risk",
        Style.GLOBAL,
        (Overload((STRING,), INT, _risk, Fails.NEVER),),
        "How bad a risk level is, from 0 for READ_ONLY to 4 for IRREVERSIBLE; a name that is no level is as HIGH.",
        "risk('MEDIUM') < risk('HIGH')",
        _specialise,
        lambda name: 1,
    ),
)
