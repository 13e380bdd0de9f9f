"""What speaks for a condition: parts of a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gateway.frozen import frozen
from gateway.inspect.globs import globs
from gateway.inspect.match.view import View
from gateway.inspect.word import Word, shown


@frozen
class Evidence:
    """A part of a command that a condition holds for: its text, and where it stands."""

    text: str
    start: int
    end: int
    why: str = ""


Held = tuple[Evidence, ...] | None
"""What speaks for a condition; None where it does not hold."""
Test = Callable[[View], Held]
"""A condition as a function."""


def told(words: Iterable[Word]) -> Held:
    """Words as evidence; without any, nothing holds."""
    return tuple(Evidence(shown(w.value), w.start, w.end) for w in words) or None


def fits_one(patterns: tuple[str, ...], value: str) -> bool:
    """Whether a value fits one of the patterns, and none of those that begin with `!`."""
    return globs(patterns).fit(value)
