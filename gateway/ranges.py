"""What a value of one kind can be: how large or long, or which of a few that are listed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from gateway.frozen import frozen

Number: TypeAlias = int | float


@frozen
class Range:
    """Bounds of a number, or of the size of anything else; `listed` are the only values, if they are known.

    An open bound is not reached itself. A bound that is None is none. `words` are texts that are listed among others.
    """

    low: Number | None = None
    high: Number | None = None
    low_open: bool = False
    high_open: bool = False
    listed: tuple[Any, ...] | None = None
    words: tuple[str, ...] = ()

    def both(self, other: Range) -> Range:
        """What is in each of two ranges."""
        low, low_open = _tighter((self.low, self.low_open), (other.low, other.low_open), 1)
        high, high_open = _tighter((self.high, self.high_open), (other.high, other.high_open), -1)
        listed = self.listed
        if other.listed is not None:
            listed = other.listed if listed is None else tuple(one for one in listed if one in other.listed)
        words = _together(self.words, other.words) if listed is None else ()
        return Range(low, high, low_open, high_open, listed, words)

    def either(self, other: Range) -> Range:
        """A range that holds whatever is in one of two; it may hold more."""
        low, low_open = _looser((self.low, self.low_open), (other.low, other.low_open), -1)
        high, high_open = _looser((self.high, self.high_open), (other.high, other.high_open), 1)
        listed = None
        if self.listed is not None and other.listed is not None:
            listed = tuple(dict.fromkeys((*self.listed, *other.listed)))
        words = _together(self._named, other._named) if listed is None else ()
        return Range(low, high, low_open, high_open, listed, words)

    @property
    def _named(self) -> tuple[str, ...]:
        return (*self.words, *(one for one in self.listed or () if isinstance(one, str)))

    def holds(self, measure: Number) -> bool:
        """Whether a number, or a size, is within the bounds."""
        if self.low is not None and (measure < self.low or (self.low_open and measure == self.low)):
            return False
        return self.high is None or measure < self.high or (measure == self.high and not self.high_open)


ANYWHERE = Range()
"""No limit at all."""


def exactly(values: Iterable[Any]) -> Range:
    """The range of some values that are known."""
    return Range(listed=tuple(dict.fromkeys(values)))


def _together(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _tighter(
    one: tuple[Number | None, bool], other: tuple[Number | None, bool], sign: int
) -> tuple[Number | None, bool]:
    if one[0] is None or other[0] is None:
        return other if one[0] is None else one
    if one[0] == other[0]:
        return one[0], one[1] or other[1]
    return one if (one[0] - other[0]) * sign > 0 else other


def _looser(
    one: tuple[Number | None, bool], other: tuple[Number | None, bool], sign: int
) -> tuple[Number | None, bool]:
    if one[0] is None or other[0] is None:
        return None, False
    if one[0] == other[0]:
        return one[0], one[1] and other[1]
    return one if (one[0] - other[0]) * sign > 0 else other
