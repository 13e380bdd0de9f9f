"""Upper bounds that remember what they depend on: a number, and parts of a loop's element, each so many times.

The elements of a list share its characters. What the body of a loop costs for one element can so be added up over all
of them, without taking each for the longest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A loop that goes round at most so often."""

    turns: Form


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Something of the element of a loop that is not known, such as its characters.

    `most` is what it is at most for one element, `all` what it is for all elements together.
    """

    loop: Loop
    most: float
    all: Form


@dataclass(frozen=True, slots=True)
class Form:
    """A number, and measures that are each taken so many times; nothing of it is negative."""

    number: float = 0.0
    times: Mapping[Measure, float] = field(default_factory=dict)

    @property
    def most(self) -> float:
        """What it comes to at worst."""
        return self.number + sum(_product(factor, m.most) for m, factor in self.times.items())

    def __add__(self, other: Form) -> Form:
        if not other.times:
            return Form(self.number + other.number, self.times) if other.number else self
        times = dict(self.times)
        for measure, factor in other.times.items():
            times[measure] = times.get(measure, 0.0) + factor
        return Form(self.number + other.number, times)

    def plus(self, number: float) -> Form:
        """So much more."""
        return Form(self.number + number, self.times)

    def scaled(self, factor: float) -> Form:
        """So many times as much."""
        if not factor:
            return ZERO
        times = {m: f * factor for m, f in self.times.items()} if self.times else self.times
        return Form(_product(self.number, factor), times)

    def multiplied(self, other: Form) -> Form:
        """The product; of two measures the first is taken for the most that it can be."""
        if not other.times:
            return self.scaled(other.number)
        return other.scaled(self.most)

    def over(self, loop: Loop) -> Form:
        """What it comes to in all turns of a loop together."""
        found = loop.turns.scaled(self.number)
        for measure, factor in self.times.items():
            if measure.loop is loop:
                found += measure.all.scaled(factor)
            else:
                found += Form(0.0, {measure: factor}).multiplied(loop.turns)
        return found

    def without(self, loop: Loop) -> Form:
        """The same outside of a loop: what depends on its element is taken for the most that it can be."""
        if not any(measure.loop is loop for measure in self.times):
            return self
        inside = sum(_product(f, m.most) for m, f in self.times.items() if m.loop is loop)
        return Form(self.number + inside, {m: f for m, f in self.times.items() if m.loop is not loop})


ZERO = Form()
ONE = Form(1.0)
UNLIMITED = Form(inf)


def _product(one: float, other: float) -> float:
    """Nothing without a limit is still nothing."""
    return one * other if one and other else 0.0


def least_of(one: Form, other: Form) -> Form:
    """The one of two upper bounds that is better at worst."""
    return one if one.most <= other.most else other


def most_of(one: Form, other: Form) -> Form:
    """At least each of two."""
    if one is other:
        return one
    times = dict(one.times)
    for measure, factor in other.times.items():
        times[measure] = max(times.get(measure, 0.0), factor)
    return Form(max(one.number, other.number), times)


def capped(form: Form, most: float) -> Form:
    """The form where it is also known to be at most so much."""
    if form.most <= most:
        return form
    if form.number or len(form.times) != 1:
        return Form(most)
    ((measure, factor),) = form.times.items()
    alone = measure.loop.turns.scaled(most)
    narrower = Measure(measure.loop, most, least_of(alone, measure.all.scaled(factor)))
    return Form(0.0, {narrower: 1.0})
