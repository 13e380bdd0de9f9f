"""What kinds of path a value can be, under one set of names: where it lies, and what it is there for."""

from __future__ import annotations

from gateway.inspect.place import PathClass, Place, classify

NAMES: frozenset[str] = frozenset(member.value for member in PathClass)
"""The words that patterns and conditions can use."""


class Classes:
    """Finds the classes of paths as they are for one session; each path is looked at once."""

    __slots__ = ("_found", "_place")

    def __init__(self, place: Place) -> None:
        self._place = place
        self._found: dict[tuple[str, str | None], frozenset[str]] = {}

    @property
    def home(self) -> str | None:
        """The home directory of the session."""
        return self._place.home

    def of(self, value: str, cwd: str | None) -> frozenset[str]:
        """The classes that a path can have which starts from a directory."""
        found = self._found.get((value, cwd))
        if found is None:
            found = self._found[value, cwd] = frozenset((classify(value, cwd, self._place).value,))
        return found
