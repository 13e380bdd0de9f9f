"""What functions of texts take at most, at the prices of their own `cost`, and how long what they give is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gateway.cel.costs.extents import Extent, collection, optional, small, text
from gateway.cel.costs.forms import ZERO, Form, capped
from gateway.cel.functions import regex
from gateway.cel.types import BOOL, INT, STRING, ListType
from gateway.cel.values import CelError

Cost: TypeAlias = tuple[Form, Extent]


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of a call, and the value of each that is a literal of the expression, else None."""

    extents: Sequence[Extent]
    literals: Sequence[Any]

    def __getitem__(self, place: int) -> Extent:
        return self.extents[place]

    def __len__(self) -> int:
        return len(self.extents)


Rule: TypeAlias = Callable[[Given], Cost]


def searched(given: Given) -> Form:
    """Looking for one text in another."""
    where, part = given[0].text, given[1].text
    steps = (where + part).scaled(1 / 32)
    longest = min(part.most, 100.0)
    return steps if longest < 6 else steps + capped(where, 30_000.0).scaled(longest / 128)


def place(cost: Callable[[Given], Form]) -> Rule:
    """Something that finds a place in a text."""
    return lambda given: (cost(given), small(INT, given[0].text.most))


def conversion(given: Given) -> Cost:
    """`string` and `bytes`."""
    taken = given[0]
    characters = taken.text.scaled(4) if taken.textual else taken.text.scaled(4).plus(WRITTEN)
    return taken.text.scaled(1 / 128), text(characters)


def converted(result: Extent) -> Rule:
    """A conversion into something that is no text."""
    return lambda given: (given[0].text.scaled(1 / 128), result)


WRITTEN = 4_096.0


def matches(given: Given) -> Cost:
    """`matches`, whose pattern may be computed."""
    pattern = given.literals[1]
    characters = given[0].text
    if isinstance(pattern, str):
        try:
            return characters.scaled(regex.compiled(pattern).steps / 64), small(BOOL)
        except CelError:
            return ZERO, small(BOOL)
    return characters.scaled(_SLOWEST / 64).plus(_compiling(given[1])), small(BOOL)


_SLOWEST = regex.slowest(regex.DYNAMIC_MEMORY // 16)


def _compiling(pattern: Extent) -> float:
    """Each character of a computed pattern may be dear to get ready."""
    return 500.0 + 6_000.0 * min(pattern.text.most, regex.MAX_DYNAMIC_PATTERN)


def _taken_apart(given: Given, *, all_of_them: bool) -> tuple[Form, float]:
    """The steps of a `regex` function, and how many matches there may be."""
    pattern, characters = given.literals[1], given[0].text
    steps, compiling = float(_SLOWEST), 2 * _compiling(given[1])
    if isinstance(pattern, str):
        try:
            import re2

            steps = float(regex.steps_of(pattern, regex.expression_of(pattern, re2.Options()).programsize))
            compiling = 0.0
        except CelError:
            return ZERO, 0.0
    scan = characters.scaled(steps / 32)
    new = given[2].text if len(given) > 2 else Form(2.0)
    parts = new.plus(1)
    reading = new.scaled(1 / 16 + 20)
    one = parts.scaled(8).plus(40) + parts.multiplied(characters).scaled(1 / 64) + new.scaled(1 / 64) + scan
    matches = characters.most + 1 if all_of_them else 1.0
    return reading + scan + one.scaled(matches).plus(compiling), matches


def extracted(given: Given) -> Cost:
    """`regex.extract`."""
    return _taken_apart(given, all_of_them=False)[0], optional(text(given[0].text))


def all_extracted(given: Given) -> Cost:
    """`regex.extractAll`."""
    cost, _ = _taken_apart(given, all_of_them=True)
    count = given[0].text.plus(1)
    return cost, collection(ListType(STRING), count, text(given[0].text), ZERO, given[0].text)


def exchanged(given: Given) -> Cost:
    """`regex.replace`."""
    cost, matches = _taken_apart(given, all_of_them=True)
    new = given[2].text + given[2].text.multiplied(given[0].text)
    return cost, text(given[0].text + new.scaled(matches))


def replaced(given: Given) -> Cost:
    """`replace`."""
    where, old, new = given[0].text, given.literals[1], given[2].text
    often = where.scaled(1 / max(len(old), 1) if isinstance(old, str) else 1).plus(1)
    result = where + often.multiplied(new)
    return searched(given).scaled(2) + result.scaled(1 / 64), text(result)


def parted(given: Given) -> Cost:
    """`split`."""
    where, separator = given[0].text, given.literals[1]
    often = where.scaled(1 / max(len(separator), 1) if isinstance(separator, str) else 1).plus(1)
    cost = searched(given).scaled(2) + where.scaled(1 / 64) + often
    return cost, collection(ListType(STRING), often.plus(1), text(where), ZERO, where)


def joined(given: Given) -> Cost:
    """`join`."""
    texts = given[0]
    between = given[1].text if len(given) > 1 else ZERO
    characters = texts.text + texts.count.multiplied(between)
    return texts.count.scaled(1 / 2) + characters.scaled(1 / 64), text(characters)


def rewritten(given: Given) -> Cost:
    """`strings.quote`, which may put a backslash before each character."""
    return given[0].text.scaled(1 / 8), text(given[0].text.scaled(2).plus(2))


def same_text(divisor: int) -> Rule:
    """Something that takes this part of a step a character, and gives no longer text."""
    return lambda given: (given[0].text.scaled(1 / divisor), text(given[0].text))


def coded(given: Given) -> Cost:
    """`base64.encode` and `base64.decode`."""
    return given[0].text.scaled(3 / 64), text(given[0].text.scaled(2).plus(4))


def formatted(given: Given) -> Cost:
    """`format`."""
    pattern, values = given[0].text, given[1]
    constant = isinstance(given.literals[0], str)
    cost = pattern.scaled(1 / 64 if constant else 2 + 1 / 64) + values.count.scaled(30)
    cost += values.items.scaled(16).plus(16) + values.text.scaled(4 / 64)
    written = pattern + values.text.scaled(8) + values.items.plus(1).scaled(1_500)
    return cost, text(written)
