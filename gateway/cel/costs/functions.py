"""What functions take at most, at the prices of their own `cost`, and how large their results are.

Each entry here follows the function's `cost` in `gateway.cel.functions`: where that changes, this has to. Functions
that are not here and have a `cost` are taken to be without a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, TypeAlias

from gateway.cel.budget import MAX_STEPS
from gateway.cel.costs.extents import (
    ANYTHING,
    Extent,
    any_of,
    collection,
    declared,
    either,
    held,
    inside,
    optional,
    small,
    text,
)
from gateway.cel.costs.forms import UNLIMITED, ZERO, Form, capped
from gateway.cel.functions import regex
from gateway.cel.functions.signature import Function
from gateway.cel.types import BOOL, DYN, INT, STRING, ListType, MapType, SimpleType
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


def call(function: Function, given: Given, *, costs: bool) -> Cost:
    """The steps of a call and its result; without `costs` a call of this function is free."""
    rule = _RULES.get(function.name)
    if rule is not None:
        cost, result = rule(given)
        return (cost if costs else ZERO), result
    return (UNLIMITED if costs else ZERO), _by_signature(function)


def _by_signature(function: Function) -> Extent:
    results = {overload.result for overload in function.overloads}
    result = results.pop() if len(results) == 1 else None
    return declared(result) if isinstance(result, SimpleType) else ANYTHING


_Rule: TypeAlias = Callable[[Given], Cost]
_BITS = 17
_STEPS_OF_SET = 10


def _length(extent: Extent) -> Form:
    return extent.text + (ZERO if extent.textual else extent.items)


def _listed(extent: Extent) -> Form:
    """What it takes to put a host's set in order."""
    return ZERO if extent.plain else extent.count.scaled(_STEPS_OF_SET)


def _searched(given: Given) -> Form:
    where, part = given[0].text, given[1].text
    steps = (where + part).scaled(1 / 32)
    longest = min(part.most, 100.0)
    return steps if longest < 6 else steps + capped(where, 30_000.0).scaled(longest / 128)


def _truth(cost: Callable[[Given], Form]) -> _Rule:
    return lambda given: (cost(given), small(BOOL))


def _size(given: Given) -> Cost:
    sized = given[0]
    return ZERO, small(
        INT, max(sized.text.most if not sized.count.most or sized.textual else inf, sized.count.most)
    )


def _place(cost: Callable[[Given], Form]) -> _Rule:
    return lambda given: (cost(given), small(INT, given[0].text.most))


def _conversion(given: Given) -> Cost:
    taken = given[0]
    characters = taken.text.scaled(4) if taken.textual else taken.text.scaled(4).plus(_WRITTEN)
    return taken.text.scaled(1 / 128), text(characters)


def _converted(result: Extent) -> _Rule:
    return lambda given: (given[0].text.scaled(1 / 128), result)


_WRITTEN = 4_096.0


def _matches(given: Given) -> Cost:
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


def _extracted(given: Given) -> Cost:
    return _taken_apart(given, all_of_them=False)[0], optional(text(given[0].text))


def _all_extracted(given: Given) -> Cost:
    cost, _ = _taken_apart(given, all_of_them=True)
    count = given[0].text.plus(1)
    return cost, collection(ListType(STRING), count, text(given[0].text), ZERO, given[0].text)


def _exchanged(given: Given) -> Cost:
    cost, matches = _taken_apart(given, all_of_them=True)
    new = given[2].text + given[2].text.multiplied(given[0].text)
    return cost, text(given[0].text + new.scaled(matches))


def _replaced(given: Given) -> Cost:
    where, old, new = given[0].text, given.literals[1], given[2].text
    often = where.scaled(1 / max(len(old), 1) if isinstance(old, str) else 1).plus(1)
    result = where + often.multiplied(new)
    return _searched(given).scaled(2) + result.scaled(1 / 64), text(result)


def _parted(given: Given) -> Cost:
    where, separator = given[0].text, given.literals[1]
    often = where.scaled(1 / max(len(separator), 1) if isinstance(separator, str) else 1).plus(1)
    cost = _searched(given).scaled(2) + where.scaled(1 / 64) + often
    return cost, collection(ListType(STRING), often.plus(1), text(where), ZERO, where)


def _joined(given: Given) -> Cost:
    texts = given[0]
    between = given[1].text if len(given) > 1 else ZERO
    characters = texts.text + texts.count.multiplied(between)
    return texts.count.scaled(1 / 2) + characters.scaled(1 / 64), text(characters)


def _rewritten(given: Given) -> Cost:
    return given[0].text.scaled(1 / 8), text(given[0].text.scaled(2).plus(2))


def _same_text(divisor: int) -> _Rule:
    return lambda given: (given[0].text.scaled(1 / divisor), text(given[0].text))


def _coded(given: Given) -> Cost:
    return given[0].text.scaled(3 / 64), text(given[0].text.scaled(2).plus(4))


def _formatted(given: Given) -> Cost:
    pattern, values = given[0].text, given[1]
    constant = isinstance(given.literals[0], str)
    cost = pattern.scaled(1 / 64 if constant else 2 + 1 / 64) + values.count.scaled(30)
    cost += values.items.scaled(16).plus(16) + values.text.scaled(4 / 64)
    written = pattern + values.text.scaled(8) + values.items.plus(1).scaled(1_500)
    return cost, text(written)


def _one_of(given: Given) -> Cost:
    return _listed(given[0]), optional(inside(given[0]))


def _sliced(given: Given) -> Cost:
    return _listed(given[0]) + given[0].count.scaled(1 / 8), replace(
        given[0], domain=None, inside=inside(given[0])
    )


def _flat(given: Given) -> Cost:
    values = given[0]
    cost = _listed(values) + values.items.scaled(2)
    within = inside(values)
    return cost, Extent(
        values.type, values.text, values.items, values.items, inside=either(within, inside(within))
    )


def _distinct(given: Given) -> Cost:
    return _listed(given[0]) + given[0].size.scaled(5), replace(
        given[0], domain=None, inside=inside(given[0])
    )


def _reversed(given: Given) -> Cost:
    taken = given[0]
    if taken.textual:
        return taken.text.scaled(2 / 64), taken
    cost = taken.text.scaled(2 / 64) + _listed(taken) + taken.count.scaled(1 / 8)
    return cost, replace(taken, domain=None, inside=inside(taken))


def _sorted(given: Given) -> Cost:
    by = given[len(given) - 1]
    rounds = float(int(min(by.count.most, 2.0**62)).bit_length())
    cost = _listed(given[0]) + by.count.scaled((8 + rounds) / 2) + by.text.scaled(rounds / 512)
    return cost, replace(given[0], domain=None, inside=inside(given[0]))


def _range(given: Given) -> Cost:
    count = min(max(given[0].number, 0.0), MAX_STEPS + 1.0)
    return Form(count), collection(ListType(INT), Form(count), small(INT, count), ZERO, ZERO)


def _both_sizes(given: Given) -> Form:
    return (given[0].size + given[1].size).scaled(5)


def _extreme(given: Given) -> Cost:
    numbers = given[0]
    if len(given) == 1 and not numbers.small:
        return numbers.count.scaled(10), small(INT, max(numbers.number, inside(numbers).number))
    return ZERO, small(INT, max(one.number for one in given.extents))


def _covers(given: Given) -> Form:
    held, needed = given[0], given[1]
    return held.count + needed.count + (held.text + needed.text).scaled(1 / 256)


def _permission(given: Given) -> Cost:
    parts = given[0]
    characters = parts.text + parts.count.scaled(30)
    return parts.count.scaled(12) + parts.text.scaled(1 + 1 / 64), text(characters)


def _address(given: Given) -> Form:
    return Form(80.0)


def _url(given: Given) -> Form:
    return given[0].text.plus(120)


def _query(given: Given) -> Cost:
    characters = given[0].text
    count = characters.plus(1)
    values = collection(ListType(STRING), count, text(characters), ZERO, characters)
    return characters.scaled(1 / 2 + 25).plus(50), collection(
        MapType(STRING, ListType(STRING)), count, values, count, characters.scaled(2)
    )


def _glob(given: Given) -> Form:
    return given[0].text.scaled((2 + min(given[1].text.most, 200.0)) / 256).plus(4)


def _same(given: Given) -> Cost:
    return ZERO, replace(given[0], type=DYN)


def _optional(given: Given) -> Cost:
    return ZERO, optional(given[0])


def _value(given: Given) -> Cost:
    return ZERO, held(given[0])


def _or_value(given: Given) -> Cost:
    return ZERO, any_of(map(held, given.extents))


def _or(given: Given) -> Cost:
    return ZERO, any_of(given.extents)


def _read(function: Callable[[Given], Form]) -> _Rule:
    """Something that is read from a text, and is no longer than that."""
    return lambda given: (
        function(given),
        Extent(_OTHER, given[0].text.plus(_WRITTEN), ZERO, ZERO, plain=True),
    )


_OTHER = SimpleType("other")


def _constant(steps: float) -> Callable[[Given], Form]:
    return lambda given: Form(steps)


def _number(given: Given) -> Cost:
    return ZERO, small(INT)


def _in_zone(given: Given) -> Cost:
    return Form(500.0), small(INT)


_RULES: Mapping[str, _Rule] = {
    "size": _size,
    "contains": _truth(_searched),
    "startsWith": _truth(lambda given: given[1].text.scaled(1 / 1024)),
    "endsWith": _truth(lambda given: given[1].text.scaled(1 / 1024)),
    "dyn": _same,
    "bool": _converted(small(BOOL)),
    "int": _converted(small(INT)),
    "uint": _converted(small(INT)),
    "double": _converted(small(INT)),
    "string": _conversion,
    "bytes": _conversion,
    "timestamp": _read(_constant(110.0)),
    "duration": _read(_constant(430.0)),
    "matches": _matches,
    "regex.extract": _extracted,
    "regex.extractAll": _all_extracted,
    "regex.replace": _exchanged,
    "charAt": lambda given: (ZERO, text(Form(1.0))),
    "indexOf": _place(_searched),
    "lastIndexOf": _place(lambda given: _searched(given) + (given[0].text + given[1].text).scaled(1 / 64)),
    "substring": _same_text(64),
    "replace": _replaced,
    "split": _parted,
    "join": _joined,
    "trim": _same_text(8),
    "lowerAscii": _same_text(32),
    "upperAscii": _same_text(32),
    "strings.quote": _rewritten,
    "format": _formatted,
    "base64.encode": _coded,
    "base64.decode": _coded,
    "first": _one_of,
    "last": _one_of,
    "slice": _sliced,
    "flatten": _flat,
    "distinct": _distinct,
    "reverse": _reversed,
    "sort": _sorted,
    "sortBy": _sorted,
    "lists.range": _range,
    "sets.contains": _truth(_both_sizes),
    "sets.equivalent": _truth(_both_sizes),
    "sets.intersects": _truth(_both_sizes),
    "math.greatest": _extreme,
    "math.least": _extreme,
    "decimal": _read(lambda given: given[0].text.scaled(1 / 32)),
    "quotient": _read(_constant(4.0)),
    "ip": _read(_address),
    "isIP": _truth(_address),
    "ip.isCanonical": _truth(_address),
    "cidr": _read(_address),
    "isCIDR": _truth(_address),
    "containsIP": _truth(_address),
    "containsCIDR": _truth(_address),
    "url": _read(_url),
    "isURL": _truth(_url),
    "getQuery": _query,
    **dict.fromkeys(
        ("getScheme", "getHost", "getHostname", "getPort", "getEscapedPath"),
        lambda given: (ZERO, text(given[0].text.scaled(12).plus(_WRITTEN))),
    ),
    "glob": _truth(_glob),
    "permissions.covers": _truth(_covers),
    "permissions.of": _permission,
    "optional.of": _optional,
    "optional.ofNonZeroValue": _optional,
    "value": _value,
    "orValue": _or_value,
    "or": _or,
    "optional.none": lambda given: (ZERO, optional(any_of(()))),
    **dict.fromkeys(
        (
            "getDate",
            "getDayOfMonth",
            "getDayOfWeek",
            "getDayOfYear",
            "getFullYear",
            "getHours",
            "getMilliseconds",
            "getMinutes",
            "getMonth",
            "getSeconds",
        ),
        _in_zone,
    ),
}
