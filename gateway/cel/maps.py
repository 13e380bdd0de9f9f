"""Maps in which `true` and 1, or `false` and 0, are different keys; for a Python dict they are one."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from gateway.cel.operators import has_key


class MixedMap(MutableMapping[Any, Any]):
    """A map that keeps bools and numbers apart, in the order in which they came."""

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
