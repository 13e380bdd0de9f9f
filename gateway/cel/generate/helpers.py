"""What generated code calls where a value is not of the class that it was written for.

Each helper gives what the exact way gives, or raises: then the exact way evaluates the whole expression again.
None runs code of a class that is not in `PLAIN`, and none does more than `CHEAP` steps of work.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo

from gateway.cel import access, maps, operators
from gateway.cel.budget import SMALL, Cost, addition, comparison, membership, text_membership
from gateway.cel.functions.signature import Work
from gateway.cel.syntax import BinaryOperator
from gateway.cel.values import KINDS, NONE, OptionalValue, UInt, some


class Doubt(Exception):
    """Something that generated code was not written for: the exact way has to decide."""


CAUGHT = Exception
"""After any of these the exact way decides.

A missing field is a KeyError, a list's end an IndexError, `str.startswith(5, 'a')` a TypeError, an unpaired
surrogate a ValueError, a far too large int an OverflowError. Objects of hosts may raise anything: the exact way lets
that through, but may fail for another reason before it gets to them.
"""

CHEAP = 256
"""The most steps that one operation of generated code may take."""

PLAIN = frozenset(KINDS)
"""Exactly these classes: `type()` can't be lied to, and none of their subclasses is meant."""

SIZED = frozenset({str, list, dict, bytes, tuple})
"""What Python counts as CEL does."""

_SETS = frozenset({set, frozenset})
_LISTS = frozenset({list, tuple})
_HASHED = frozenset({dict, set, frozenset})
_NUMBERS = frozenset({int, float})
_SCALARS = frozenset({str, int, bool, float, bytes, UInt, type(None)})
_KEYS = frozenset({str, int, bool, UInt})
_ZONES = frozenset({type(None), timezone, ZoneInfo})
_FEW = 64
_SHORT = 256
_MANY = 1_000
_TEXT = 4_096


def _plain(*values: Any) -> None:
    """All of these classes, at every depth, and not many: else comparing them would run a host's code."""
    for value in values:
        if type(value) not in _SCALARS:
            break
    else:
        return
    left = _MANY
    pending = list(values)
    while pending:
        value = pending.pop()
        kind = type(value)
        left -= 1
        if kind in _SCALARS:
            continue
        if kind not in PLAIN or left < len(pending):
            raise Doubt
        if kind in _LISTS or kind in _SETS:
            if len(value) > left:
                raise Doubt
            pending.extend(value)
        elif kind is dict:
            if len(value) > left:
                raise Doubt
            pending.extend(value)
            pending.extend(value.values())
        elif kind is OptionalValue:
            pending.append(value.value)
        elif kind is datetime and type(value.tzinfo) not in _ZONES:
            raise Doubt


def _affordable(cost: Cost, *values: Any) -> None:
    if cost(*values) > CHEAP:
        raise Doubt


def truth(value: Any) -> bool:
    """A bool as it is."""
    if type(value) is bool:
        return value
    raise Doubt


def _alike(one: Any, other: Any) -> bool:
    """Whether both are ints or short texts, which Python compares as CEL does."""
    kind = type(one)
    return kind is type(other) and (kind is int or (kind is str and len(one) <= _FEW))


def equal(one: Any, other: Any) -> bool:
    """`one == other`."""
    kind, with_ = type(one), type(other)
    if kind is with_ is str and len(one) <= _TEXT:
        return bool(one == other)
    if kind is with_ is list and len(one) == len(other) <= _FEW and all(map(_alike, one, other)):
        return bool(one == other)
    if not (kind in SMALL and with_ in SMALL):
        _plain(one, other)
        _affordable(comparison, one, other)
    return operators.equal(one, other)


def unequal(one: Any, other: Any) -> bool:
    """`one != other`."""
    return not equal(one, other)


def _order(compare: Callable[[Any, Any], bool], exact: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    def ordered(one: Any, other: Any) -> bool:
        kind = type(one)
        if kind is type(other) and kind in _NUMBERS:
            return compare(one, other)
        _plain(one, other)
        _affordable(comparison, one, other)
        return exact(one, other)

    return ordered


less = _order(operator.lt, operators.less)
less_equal = _order(operator.le, operators.less_equal)
greater = _order(operator.gt, operators.greater)
greater_equal = _order(operator.ge, operators.greater_equal)


def within(element: Any, range_: Any) -> bool:
    """`element in range`."""
    if type(element) is str and type(range_) in _LISTS and len(element) + len(range_) <= _SHORT:
        return element in range_
    _plain(element, range_)
    _affordable(membership, element, range_)
    return operators.contained(element, range_)


def text_within(text: str, range_: Any) -> bool:
    """`'text' in range`."""
    kind = type(range_)
    if kind in _HASHED:
        return text in range_
    if kind in _LISTS:
        _affordable(text_membership, text, range_)
        return text in range_
    raise Doubt


def no_text(value: Any) -> bool:
    """`value in ['text', …]` for a value that is no str."""
    if type(value) not in PLAIN:
        raise Doubt
    return False


def add(one: Any, other: Any) -> Any:
    """`one + other`."""
    if type(one) is str and type(other) is str and len(one) + len(other) <= _TEXT:
        return one + other
    _plain(one, other)
    _affordable(addition, one, other)
    return operators.add(one, other)


def _arithmetic(exact: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compute(one: Any, other: Any) -> Any:
        _plain(one, other)
        return exact(one, other)

    return compute


subtract = _arithmetic(operators.subtract)
multiply = _arithmetic(operators.multiply)
divide = _arithmetic(operators.divide)
modulo = _arithmetic(operators.modulo)


def negate(value: Any) -> Any:
    """`-value`."""
    _plain(value)
    return operators.negate(value)


def element(value: Any, key: Any) -> Any:
    """`value[key]`."""
    _plain(value, key)
    return access.element(value, key)


def optional_element(value: Any, key: Any) -> OptionalValue:
    """`value[?key]`."""
    _plain(value, key)
    return access.optional_element(value, key)


def optional_field(value: Any, name: str) -> OptionalValue:
    """`value.?name`."""
    if type(value) is dict:
        return some(value[name]) if name in value else NONE
    _plain(value)
    return access.optional_field(value, name)


def field(value: Any, name: str) -> Any:
    """`value.name`."""
    _plain(value)
    return access.field(value, name)


def has_field(value: Any, name: str) -> bool:
    """`has(value.name)`."""
    _plain(value)
    return truth(access.has_field(value, name))


def walked(range_: Any) -> Iterable[Any]:
    """What a macro goes through, for a set or a map: always in the same order."""
    kind = type(range_)
    if kind is dict:
        _plain(*range_)
    elif kind in _SETS:
        _plain(range_)
    else:
        raise Doubt
    return maps.elements(range_)


def held(value: Any) -> OptionalValue:
    """An optional as it is."""
    if type(value) is OptionalValue:
        return value
    raise Doubt


def put(values: dict[Any, Any], key: Any, value: Any) -> None:
    """One more entry of a map literal."""
    if type(key) not in _KEYS or key in values:
        raise Doubt
    values[key] = value


def affordable(work: Work, count: int) -> Callable[..., Any]:
    """A function on values of plain classes, unless that is dear."""
    run, cost = work.run, work.cost

    def one(value: Any) -> Any:
        kind = type(value)
        if kind not in _SCALARS:
            _plain(value)
        if cost is not None and cost(value) > CHEAP:
            raise Doubt
        return run(value)

    def more(*values: Any) -> Any:
        _plain(*values)
        if cost is not None and cost(*values) > CHEAP:
            raise Doubt
        return run(*values)

    return one if count == 1 else more


OPERATORS = {
    BinaryOperator.ADD: add,
    BinaryOperator.SUBTRACT: subtract,
    BinaryOperator.MULTIPLY: multiply,
    BinaryOperator.DIVIDE: divide,
    BinaryOperator.MODULO: modulo,
    BinaryOperator.EQUAL: equal,
    BinaryOperator.UNEQUAL: unequal,
    BinaryOperator.LESS: less,
    BinaryOperator.LESS_EQUAL: less_equal,
    BinaryOperator.GREATER: greater,
    BinaryOperator.GREATER_EQUAL: greater_equal,
    BinaryOperator.IN: within,
}
