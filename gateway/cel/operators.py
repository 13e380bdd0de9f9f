"""What the operators of CEL do to two values: exact, total over all kinds, never Python's own idea."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from gateway.cel.syntax import BinaryOperator
from gateway.cel.values import (
    INT_MAX,
    INT_MIN,
    UINT_MAX,
    CelError,
    Decimal,
    Duration,
    ErrorKind,
    Kind,
    Timestamp,
    UInt,
    adopt,
    kind_of,
    no_overload,
)

NUMBERS = frozenset({Kind.INT, Kind.UINT, Kind.DOUBLE})
_SAME_KIND_ORDERED = frozenset(
    {Kind.BOOL, Kind.STRING, Kind.BYTES, Kind.TIMESTAMP, Kind.DURATION, Kind.DECIMAL, *NUMBERS}
)
_PLAIN = frozenset({str, bytes})
_NUMERIC = frozenset({bool, int, float, UInt})


def equal(left: Any, right: Any) -> bool:
    """CEL equality: numbers by value across their types, everything else only within one type."""
    kind = left.__class__
    if kind is right.__class__ and (kind in _PLAIN or kind is int):
        return bool(left == right)
    one, other = kind_of(left), kind_of(right)
    if one in NUMBERS:
        return other in NUMBERS and bool(left == right)
    if one is not other:
        return False
    if one is Kind.LIST:
        return _equal_lists(adopt(left), adopt(right))
    if one is Kind.MAP:
        return _equal_maps(left, right)
    if one is Kind.OPTIONAL:
        return left.present is right.present and (not left.present or equal(left.value, right.value))
    if one in (Kind.TIMESTAMP, Kind.DURATION):
        return bool(adopt(left) == adopt(right))
    return bool(left == right)


def _equal_lists(left: Any, right: Any) -> bool:
    return len(left) == len(right) and all(equal(one, other) for one, other in zip(left, right, strict=True))


def _equal_maps(left: Mapping[Any, Any], right: Mapping[Any, Any]) -> bool:
    if len(left) != len(right):
        return False
    return all(has_key(right, key) and equal(value, right[key]) for key, value in left.items())


def has_key(mapping: Mapping[Any, Any], key: Any) -> bool:
    """Whether a map has a key; Python takes `true` for 1 there, CEL does not."""
    kind = key.__class__
    if kind is str:
        return key in mapping
    if kind_of(key) not in KEYS and kind is not float:
        return False
    if key not in mapping:
        return False
    if key in (0, 1):
        flag = kind is bool
        return any((found.__class__ is bool) is flag for found in mapping if found == key)
    return True


KEYS = frozenset({Kind.BOOL, Kind.INT, Kind.UINT, Kind.STRING})


def contained(element: Any, range_: Any) -> bool:
    """`element in range`: an element of a list, or a key of a map."""
    kind = range_.__class__
    if kind is dict or (kind not in (list, tuple, frozenset, set) and isinstance(range_, Mapping)):
        return has_key(range_, element)
    if kind_of(range_) is not Kind.LIST:
        raise no_overload("in", element, range_)
    kind = element.__class__
    if kind in _PLAIN:
        return element in range_
    if kind in _NUMERIC and element not in range_:
        return False  # Python finds at least what CEL does
    return any(equal(element, item) for item in range_)


def _order(symbol: str, compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def ordered(left: Any, right: Any) -> bool:
        one, other = kind_of(left), kind_of(right)
        if (one is other and one in _SAME_KIND_ORDERED) or (one in NUMBERS and other in NUMBERS):
            if one is Kind.TIMESTAMP or one is Kind.DURATION:
                return compare(adopt(left), adopt(right))
            if one is not other:
                return compare(_number(left), _number(right))
            return compare(left, right)
        raise no_overload(symbol, left, right)

    return ordered


def _number(value: Any) -> Any:
    """Integers and doubles are ordered as doubles, as the specification has it."""
    return float(value) if -_WIDEST <= value <= _WIDEST else value


_WIDEST = 2**64

less = _order("<", lambda left, right: left < right)
less_equal = _order("<=", lambda left, right: left <= right)
greater = _order(">", lambda left, right: left > right)
greater_equal = _order(">=", lambda left, right: left >= right)


def integer(value: int) -> int:
    """An int within 64 bits, or an error."""
    if INT_MIN <= value <= INT_MAX:
        return value
    raise CelError(ErrorKind.OUT_OF_RANGE, "int out of range")


def unsigned(value: int) -> UInt:
    """A uint within 64 bits, or an error."""
    if 0 <= value <= UINT_MAX:
        return UInt(value)
    raise CelError(ErrorKind.OUT_OF_RANGE, "uint out of range")


def add(left: Any, right: Any) -> Any:
    """`left + right`."""
    if left.__class__ is int and right.__class__ is int:
        return integer(left + right)
    one, other = kind_of(left), kind_of(right)
    if one is other:
        if one is Kind.INT:
            return integer(int(left) + int(right))
        if one is Kind.UINT:
            return unsigned(int(left) + int(right))
        if one in (Kind.DOUBLE, Kind.STRING, Kind.BYTES):
            return left + right
        if one is Kind.LIST:
            return [*adopt(left), *adopt(right)]
        if one is Kind.DURATION:
            return Duration.of(adopt(left).nanos + adopt(right).nanos)
        if one is Kind.DECIMAL:
            return _sum(left, right, 1)
    elif {one, other} == {Kind.TIMESTAMP, Kind.DURATION}:
        return Timestamp.of(adopt(left).nanos + adopt(right).nanos)
    raise no_overload("+", left, right)


def _sum(left: Decimal, right: Decimal, sign: int) -> Decimal:
    scale = max(left.scale, right.scale)
    return Decimal.of(left.scaled(scale) + sign * right.scaled(scale), scale)


def subtract(left: Any, right: Any) -> Any:
    """`left - right`."""
    one, other = kind_of(left), kind_of(right)
    if one is other:
        if one is Kind.INT:
            return integer(int(left) - int(right))
        if one is Kind.UINT:
            return unsigned(int(left) - int(right))
        if one is Kind.DOUBLE:
            return left - right
        if one in (Kind.TIMESTAMP, Kind.DURATION):
            return Duration.of(adopt(left).nanos - adopt(right).nanos)
        if one is Kind.DECIMAL:
            return _sum(left, right, -1)
    elif one is Kind.TIMESTAMP and other is Kind.DURATION:
        return Timestamp.of(adopt(left).nanos - adopt(right).nanos)
    raise no_overload("-", left, right)


def multiply(left: Any, right: Any) -> Any:
    """`left * right`."""
    kind = kind_of(left)
    if kind is kind_of(right):
        if kind is Kind.INT:
            return integer(int(left) * int(right))
        if kind is Kind.UINT:
            return unsigned(int(left) * int(right))
        if kind is Kind.DOUBLE:
            return left * right
        if kind is Kind.DECIMAL:
            return Decimal.of(left.units * right.units, left.scale + right.scale)
    raise no_overload("*", left, right)


def divide(left: Any, right: Any) -> Any:
    """`left / right`: integers towards zero, doubles as IEEE 754 says."""
    kind = kind_of(left)
    if kind is kind_of(right):
        if kind is Kind.INT or kind is Kind.UINT:
            if right == 0:
                raise CelError(ErrorKind.DIVIDE_BY_ZERO, "divide by zero")
            quotient = abs(int(left)) // abs(int(right))
            if (left < 0) is not (right < 0):
                quotient = -quotient
            return integer(quotient) if kind is Kind.INT else unsigned(quotient)
        if kind is Kind.DOUBLE:
            return _divide_doubles(left, right)
    raise no_overload("/", left, right)


def _divide_doubles(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def modulo(left: Any, right: Any) -> Any:
    """`left % right`, with the sign of the left."""
    kind = kind_of(left)
    if kind is kind_of(right) and kind in (Kind.INT, Kind.UINT):
        if right == 0:
            raise CelError(ErrorKind.DIVIDE_BY_ZERO, "modulus by zero")
        if kind is Kind.INT and right == -1 and left == INT_MIN:
            raise CelError(ErrorKind.OUT_OF_RANGE, "int out of range")
        rest = abs(int(left)) % abs(int(right))
        return UInt(rest) if kind is Kind.UINT else (-rest if left < 0 else rest)
    raise no_overload("%", left, right)


def negate(value: Any) -> Any:
    """`-value`."""
    kind = kind_of(value)
    if kind is Kind.INT:
        return integer(-value)
    if kind is Kind.DOUBLE:
        return -value
    if kind is Kind.DECIMAL:
        return Decimal(-value.units, value.scale)
    raise no_overload("-", value)


OPERATORS: Mapping[BinaryOperator, Callable[[Any, Any], Any]] = {
    BinaryOperator.ADD: add,
    BinaryOperator.SUBTRACT: subtract,
    BinaryOperator.MULTIPLY: multiply,
    BinaryOperator.DIVIDE: divide,
    BinaryOperator.MODULO: modulo,
    BinaryOperator.EQUAL: equal,
    BinaryOperator.UNEQUAL: lambda left, right: not equal(left, right),
    BinaryOperator.LESS: less,
    BinaryOperator.LESS_EQUAL: less_equal,
    BinaryOperator.GREATER: greater,
    BinaryOperator.GREATER_EQUAL: greater_equal,
    BinaryOperator.IN: contained,
}
