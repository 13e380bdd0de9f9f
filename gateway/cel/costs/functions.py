"""What functions take at most, at the prices of their own `cost`, and how large their results are.

Each entry here follows the function's `cost` in `gateway.cel.functions`: where that changes, this has to. Functions
that are not here and have a `cost` are taken to be without a limit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf

from gateway.cel.budget import MAX_STEPS
from gateway.cel.costs import texts
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
from gateway.cel.costs.forms import UNLIMITED, ZERO, Form
from gateway.cel.costs.texts import Cost, Given, Rule
from gateway.cel.functions.inspected import STEPS as INSPECTED
from gateway.cel.functions.signature import Function
from gateway.cel.types import BOOL, DYN, INT, STRING, ListType, MapType, SimpleType


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


_BITS = 17
_STEPS_OF_SET = 10


def _length(extent: Extent) -> Form:
    return extent.text + (ZERO if extent.textual else extent.items)


def _listed(extent: Extent) -> Form:
    """What it takes to put a host's set in order."""
    return ZERO if extent.plain else extent.count.scaled(_STEPS_OF_SET)


def _truth(cost: Callable[[Given], Form]) -> Rule:
    return lambda given: (cost(given), small(BOOL))


def _size(given: Given) -> Cost:
    sized = given[0]
    return ZERO, small(
        INT, max(sized.text.most if not sized.count.most or sized.textual else inf, sized.count.most)
    )


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


def _read(function: Callable[[Given], Form]) -> Rule:
    """Something that is read from a text, and is no longer than that."""
    return lambda given: (
        function(given),
        Extent(_OTHER, given[0].text.plus(texts.WRITTEN), ZERO, ZERO, plain=True),
    )


_OTHER = SimpleType("other")


def _constant(steps: float) -> Callable[[Given], Form]:
    return lambda given: Form(steps)


def _number(given: Given) -> Cost:
    return ZERO, small(INT)


def _in_zone(given: Given) -> Cost:
    return Form(500.0), small(INT)


_RULES: Mapping[str, Rule] = {
    "size": _size,
    "contains": _truth(texts.searched),
    "startsWith": _truth(lambda given: given[1].text.scaled(1 / 1024)),
    "endsWith": _truth(lambda given: given[1].text.scaled(1 / 1024)),
    "dyn": _same,
    "bool": texts.converted(small(BOOL)),
    "int": texts.converted(small(INT)),
    "uint": texts.converted(small(INT)),
    "double": texts.converted(small(INT)),
    "string": texts.conversion,
    "bytes": texts.conversion,
    "timestamp": _read(_constant(110.0)),
    "duration": _read(_constant(430.0)),
    "matches": texts.matches,
    "regex.extract": texts.extracted,
    "regex.extractAll": texts.all_extracted,
    "regex.replace": texts.exchanged,
    "charAt": lambda given: (ZERO, text(Form(1.0))),
    "indexOf": texts.place(texts.searched),
    "lastIndexOf": texts.place(
        lambda given: texts.searched(given) + (given[0].text + given[1].text).scaled(1 / 64)
    ),
    "substring": texts.same_text(64),
    "replace": texts.replaced,
    "split": texts.parted,
    "join": texts.joined,
    "trim": texts.same_text(8),
    "lowerAscii": texts.same_text(32),
    "upperAscii": texts.same_text(32),
    "strings.quote": texts.rewritten,
    "format": texts.formatted,
    "base64.encode": texts.coded,
    "base64.decode": texts.coded,
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
        lambda given: (ZERO, text(given[0].text.scaled(12).plus(texts.WRITTEN))),
    ),
    "glob": _truth(_glob),
    "permissions.covers": _truth(_covers),
    "only": _truth(_constant(float(INSPECTED))),
    "within": _truth(_constant(float(INSPECTED))),
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
