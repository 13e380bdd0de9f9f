"""Patterns by what a text must show before they can match, so that only few of them are looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from gateway.frozen import frozen
from gateway.inspect.clues import clues
from gateway.inspect.kind import Kind
from gateway.inspect.match.trial import Trial
from gateway.inspect.pattern import Pattern, branches, kinds_of

_ANY = "any"


@frozen
class Places:
    """Which branches of which patterns a clue leads to, and where the patterns stand that are written for paths."""

    by_clue: Mapping[str, tuple[tuple[int, int], ...]]
    of_paths: frozenset[int]


class Clued:
    """Patterns that are found by clues; each is asked for when a clue first leads to it."""

    __slots__ = ("_among", "_places", "_trial")

    def __init__(
        self, places: Places, trial: Callable[[int], Trial], among: frozenset[int] | None = None
    ) -> None:
        self._places = places
        self._trial = trial
        self._among = among

    def of(self, shown: Iterable[str]) -> list[tuple[Trial, list[int]]]:
        """The patterns that one of the clues leads to, or that need none, each with the branches that may hold."""
        by_clue, among = self._places.by_clue, self._among
        found = {branch for clue in shown if clue in by_clue for branch in by_clue[clue]}
        found.update(by_clue.get(_ANY, ()))
        led: dict[int, list[int]] = {}
        for place, at in sorted(found):
            if among is None or place in among:
                led.setdefault(place, []).append(at)
        return [(self._trial(place), among_them) for place, among_them in led.items()]

    @property
    def of_paths(self) -> Clued:
        """Those alone that are written for paths."""
        return Clued(self._places, self._trial, self._places.of_paths)


def places(patterns: tuple[Pattern, ...]) -> Places:
    """The places of patterns among all."""
    found: dict[str, list[tuple[int, int]]] = {}
    for place, pattern in enumerate(patterns):
        for at, branch in enumerate(branches(pattern.match)):
            for clue in clues(branch) or (_ANY,):
                found.setdefault(clue, []).append((place, at))
    return Places(
        {clue: tuple(known) for clue, known in found.items()},
        frozenset(place for place, each in enumerate(patterns) if Kind.PATH in kinds_of(each.match)),
    )


def clued(patterns: tuple[Pattern, ...]) -> Clued:
    """Patterns that are all there."""
    return clued_when_asked(places(patterns), patterns.__getitem__)


def clued_when_asked(known: Places, pattern: Callable[[int], Pattern]) -> Clued:
    """Patterns each of which is made once, when it is first asked for."""
    return Clued(known, cache(lambda place: Trial(pattern(place))))
