"""Values that code in a programming language works with, as far as its text tells them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from gateway.frozen import frozen
from gateway.inspect.deed import Extent
from gateway.inspect.word import UNKNOWN

MAX_VALUES = 8
MAX_LENGTH = 8192


@frozen
class Value:
    """What an expression may be; nothing at all is known of one without any part.

    `texts` are the strings that it may be, with marks where unknown; `name` is the dotted name of a module, class
    or function, and `kind` the class that it is an object of. `sources` tell where what it holds comes from:
    `network`, `decoded`, `environ`, `env:NAME`, `file:PATH`.
    """

    texts: tuple[str, ...] = ()
    name: str = ""
    kind: str = ""
    items: tuple[Value, ...] | None = None
    keys: tuple[str, ...] = ()
    number: int | None = None
    body: object = None
    sources: frozenset[str] = frozenset()
    extent: Extent = Extent.ONE

    def text(self) -> tuple[str, ...]:
        """The strings that it may be; unknown where it is known to be none."""
        if self.texts:
            return self.texts
        return (str(self.number),) if self.number is not None else (UNKNOWN,)


NOTHING = Value()
_EXTENTS = tuple(Extent)


def text(*texts: str, kind: str = "") -> Value:
    """A string that may be any of some."""
    return Value(texts=limited(texts), kind=kind)


def limited(texts: Iterable[str]) -> tuple[str, ...]:
    """The strings without doubles; unknown where they are too many or too long."""
    unique = tuple(dict.fromkeys(texts))
    if len(unique) > MAX_VALUES or any(len(one) > MAX_LENGTH for one in unique):
        return (UNKNOWN,)
    return unique


def wider(*extents: Extent) -> Extent:
    """The widest of some extents."""
    return max(extents, key=_EXTENTS.index, default=Extent.ONE)


def sources(values: Iterable[Value]) -> frozenset[str]:
    """Where what some values hold comes from."""
    found: frozenset[str] = frozenset()
    for value in values:
        found |= value.sources
        if value.items is not None:
            found |= sources(value.items)
    return found


def joined(parts: list[Value], between: str = "") -> Value:
    """The string that others make one behind the other."""
    made: list[str] = []
    choices = [part.text() for part in parts]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MAX_VALUES:
        choices = [choice if len(choice) == 1 else (UNKNOWN,) for choice in choices]
    made = [between.join(chosen) for chosen in product(*choices)]
    extent = wider(*(part.extent for part in parts))
    return Value(texts=limited(made), sources=sources(parts), extent=extent)


def either(values: Iterable[Value]) -> Value:
    """A value that may be any of some."""
    unique = list(dict.fromkeys(values))
    if len(unique) == 1:
        return unique[0]
    if not unique:
        return NOTHING
    texts = limited(one for value in unique for one in (value.texts or ()))
    lists = [value for value in unique if value.items is not None]
    named = next((value for value in unique if value.name), NOTHING)
    bodies = next((value.body for value in unique if value.body is not None), None)
    kind = next((value.kind for value in unique if value.kind), "")
    if not texts and lists:
        longest = max(lists, key=lambda value: len(value.items or ()))
        return Value(items=longest.items, keys=longest.keys, kind=kind, sources=sources(unique))
    if texts and any(not value.texts and value.number is None for value in unique if value != NOTHING):
        texts = limited((*texts, UNKNOWN))
    extent = wider(*(value.extent for value in unique))
    return Value(texts, named.name, kind, None, (), None, bodies, sources(unique), extent)
