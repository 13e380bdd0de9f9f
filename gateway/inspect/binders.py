"""Programs whose words follow a grammar of their own, and the deeds that they tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.draining import DRAINING, filled
from gateway.inspect.options import Bound
from gateway.inspect.owning import OWNING
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word


def _find(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`find`: what `-delete` removes and the files that `-fprint` and its kin write."""
    if "delete" in bound.flags:
        for word in bound.operands:
            yield _deed(Does.DELETE, word, invocation, Extent.TREE)
    for option, word in pairwise(invocation.words):
        if option.value.startswith(("-fprint", "-fls")):
            yield _deed(Does.OVERWRITE, word, invocation)


def _dd(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`dd`: `if=` is read and `of=` written."""
    for word in invocation.words:
        key, equals, value = word.value.partition("=")
        if equals and key in ("if", "of"):
            target = Word(value, word.start + len(key) + 1, word.end)
            yield _deed(Does.OVERWRITE if key == "of" else Does.READ, target, invocation)
    yield from filled(invocation)


def _deed(does: Does, word: Word, invocation: Invocation, extent: Extent = Extent.ONE) -> Deed:
    return Deed(does, word.value, word.start, word.end, invocation.cwd, extent)


BINDERS: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {
        **OWNING,
        **DRAINING,
        "find": _find,
        "dd": _dd,
    }
)
"""The grammar of each such program; what `gateway.inspect.programs` tells of it counts as well."""
