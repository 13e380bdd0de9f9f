"""Maps as CEL has them: `true` and 1 are different keys, and no order in which keys were written counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from gateway.cel.operators import NUMBERS, has_key
from gateway.cel.values import Kind, adopt, kind_of, no_overload


class MixedMap(MutableMapping[Any, Any]):
    """A map that keeps bools and numbers apart, which are one key for a Python dict."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held: dict[tuple[bool, Any], Any] = {}

    def __getitem__(self, key: Any) -> Any:
        return self._held[key.__class__ is bool, key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._held[key.__class__ is bool, key] = value

    def __delitem__(self, key: Any) -> None:
        del self._held[key.__class__ is bool, key]

    def __iter__(self) -> Iterator[Any]:
        return (key for _, key in self._held)

    def __len__(self) -> int:
        return len(self._held)


def apart(values: MutableMapping[Any, Any], key: Any) -> MutableMapping[Any, Any]:
    """The map to put a key into that Python finds in this one: a mixed one, if CEL does not find it there."""
    if has_key(values, key):
        return values
    mixed = MixedMap()
    mixed.update(values)
    return mixed


def elements(range_: Any) -> Iterable[Any]:
    """What a macro goes through: the elements of a list, the entries of a map by their keys.

    Where a map came from says in which order its keys were written, which means nothing: none of it decides.
    """
    kind = kind_of(range_)
    if kind is Kind.LIST:
        return adopt(range_) if range_.__class__ in (frozenset, set) else range_  # type: ignore[no-any-return]
    if kind is Kind.MAP:
        return in_order(range_)
    raise no_overload("all", range_)


def in_order(entries: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """A map with its keys sorted; the very map where they are."""
    keys = list(entries)
    try:
        ordered = sorted(keys) if len({key.__class__ for key in keys}) == 1 else sorted(keys, key=_place)
    except TypeError:  # a host's keys, which have no order
        ordered = sorted(keys, key=str)
    if all(one is other for one, other in zip(keys, ordered, strict=True)):
        return entries
    sorted_: MutableMapping[Any, Any] = MixedMap() if isinstance(entries, MixedMap) else {}
    for key in ordered:
        sorted_[key] = entries[key]
    return sorted_


def _place(key: Any) -> tuple[str, Any]:
    """Keys of one kind are together, all numbers among them: 1 and 1u are one key."""
    kind = kind_of(key)
    if kind in NUMBERS:
        return Kind.INT.value, key
    return kind.value, key if kind is Kind.BOOL else str(key)
