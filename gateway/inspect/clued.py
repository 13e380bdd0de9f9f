"""Patterns by what a text must show before they can match, so that only few of them are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from gateway.frozen import frozen
from gateway.inspect.kind import Kind
from gateway.inspect.pattern import Pattern, clues, kinds_of

_ANY = "any"


@frozen
class Places:
    """Where the patterns stand that a clue leads to, and where those that are written for paths."""

    by_clue: Mapping[str, tuple[int, ...]]
    of_paths: frozenset[int]


class Clued:
    """Patterns that are found by clues; each is asked for when a clue first leads to it."""

    __slots__ = ("_among", "_pattern", "_places")

    def __init__(
        self, places: Places, pattern: Callable[[int], Pattern], among: frozenset[int] | None = None
    ) -> None:
        self._places = places
        self._pattern = pattern
        self._among = among

    def of(self, shown: Iterable[str]) -> list[Pattern]:
        """The patterns that one of the clues leads to, and those that need none."""
        by_clue = self._places.by_clue
        found = {place for clue in (*shown, _ANY) for place in by_clue.get(clue, ())}
        if self._among is not None:
            found &= self._among
        return [self._pattern(place) for place in sorted(found)]

    @property
    def of_paths(self) -> Clued:
        """Those alone that are written for paths."""
        return Clued(self._places, self._pattern, self._places.of_paths)


def places(patterns: tuple[Pattern, ...]) -> Places:
    """The places of patterns among all."""
    found: dict[str, list[int]] = {}
    for place, pattern in enumerate(patterns):
        for clue in clues(pattern.match) or (_ANY,):
            found.setdefault(clue, []).append(place)
    return Places(
        {clue: tuple(known) for clue, known in found.items()},
        frozenset(place for place, each in enumerate(patterns) if Kind.PATH in kinds_of(each.match)),
    )


def clued(patterns: tuple[Pattern, ...]) -> Clued:
    """Patterns that are all there."""
    return Clued(places(patterns), patterns.__getitem__)


def clued_when_asked(known: Places, pattern: Callable[[int], Pattern]) -> Clued:
    """Patterns each of which is made once, when it is first asked for."""
    return Clued(known, cache(pattern))
