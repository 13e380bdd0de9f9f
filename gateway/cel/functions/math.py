"""`math`: the least and the greatest, rounding, signs, bits and roots, as the extension of CEL has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.operators import NUMBERS as KINDS
from gateway.cel.operators import greater, integer, less
from gateway.cel.types import BOOL, DOUBLE, INT, NUMBERS, UINT, ListType, Type, Variable
from gateway.cel.values import INT_MAX, UINT_MAX, CelError, ErrorKind, UInt, adopt, kind_of, no_overload

_NUMBER = Variable("number", NUMBERS)
_BITS = 64
_STEPS_OF_NUMBER = 10


def _best(name: str, better: Callable[[Any, Any], bool]) -> Callable[[Sequence[Any]], Any]:
    """The first number that none is better than."""

    def found(numbers: Sequence[Any]) -> Any:
        if not numbers:
            raise CelError(ErrorKind.INVALID, f"`{name}` of an empty list")
        for number in numbers:
            if kind_of(number) not in KINDS:
                raise no_overload(name, number)
            if number != number and len(numbers) > 1:  # noqa: PLR0124
                raise CelError(ErrorKind.INVALID, f"`{name}` of NaN, which has no order")
        best = numbers[0]
        for number in numbers:
            if better(number, best):
                best = number
        return adopt(best)

    return found


def _counted(*numbers: Any) -> int:
    """A list by its length; other numbers are as many as the condition says."""
    only = numbers[0] if len(numbers) == 1 else None
    return len(only) * _STEPS_OF_NUMBER if isinstance(only, list | tuple | set | frozenset) else 0


def _extreme(name: str, better: Callable[[Any, Any], bool], summary: str, example: str) -> Function:
    best = _best(name, better)
    return Function(
        name,
        Style.GLOBAL,
        (
            Overload((_NUMBER,), _NUMBER, lambda *numbers: best(numbers), more=_NUMBER),
            Overload((ListType(_NUMBER),), _NUMBER, best),
        ),
        summary,
        example,
        cost=_counted,
    )


def _floor(value: float) -> float:
    fraction, whole = math.modf(value)
    return whole - 1 if fraction < 0 else whole


def _ceil(value: float) -> float:
    fraction, whole = math.modf(value)
    return whole + 1 if fraction > 0 else whole


def _round(value: float) -> float:
    fraction, whole = math.modf(value)
    return whole + math.copysign(1, value) if abs(fraction) >= 0.5 else whole


def _on_double(name: str, run: Callable[[float], Any], summary: str, example: str, result: Type) -> Function:
    return Function(name, Style.GLOBAL, (Overload((DOUBLE,), result, run, Fails.NEVER),), summary, example)


def _sign(value: float) -> float:
    if math.isnan(value):
        return value
    return float((value > 0) - (value < 0))


def _root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _signed(bits: int) -> int:
    """The int that the lowest 64 bits mean."""
    low = bits & UINT_MAX
    return low if low <= INT_MAX else low - UINT_MAX - 1


def _bitwise(name: str, run: Callable[[int, int], int], summary: str, example: str) -> Function:
    return Function(
        name,
        Style.GLOBAL,
        (
            Overload((INT, INT), INT, lambda one, other: integer(run(int(one), int(other))), Fails.NEVER),
            Overload((UINT, UINT), UINT, lambda one, other: UInt(run(one, other)), Fails.NEVER),
        ),
        summary,
        example,
    )


def _shift(name: str, run: Callable[[int, int], int], summary: str, example: str) -> Function:
    def shifted(value: int, count: int) -> int:
        if count < 0:
            raise CelError(ErrorKind.INVALID, f"`{name}` by a negative number")
        return run(int(value) & UINT_MAX, count) & UINT_MAX if count < _BITS else 0

    return Function(
        name,
        Style.GLOBAL,
        (
            Overload((INT, INT), INT, lambda value, count: _signed(shifted(value, count))),
            Overload((UINT, INT), UINT, lambda value, count: UInt(shifted(value, count))),
        ),
        summary,
        example,
    )


FUNCTIONS = (
    _extreme(
        "math.greatest",
        greater,
        "The greatest of several numbers, or of a list of numbers.",
        "math.greatest(1, 2.5, 2u) == 2.5 && math.greatest([3, 5]) == 5",
    ),
    _extreme(
        "math.least",
        less,
        "The least of several numbers, or of a list of numbers.",
        "math.least(1, 2.5, 2u) == 1 && math.least([3, 5]) == 3",
    ),
    _on_double(
        "math.ceil", _ceil, "The next whole number that is not less.", "math.ceil(1.2) == 2.0", DOUBLE
    ),
    _on_double(
        "math.floor", _floor, "The next whole number that is not greater.", "math.floor(-1.2) == -2.0", DOUBLE
    ),
    _on_double(
        "math.round",
        _round,
        "The nearest whole number; a half goes away from zero.",
        "math.round(-1.5) == -2.0",
        DOUBLE,
    ),
    _on_double(
        "math.trunc",
        lambda value: math.modf(value)[1],
        "The whole number without the fraction.",
        "math.trunc(-1.7) == -1.0",
        DOUBLE,
    ),
    Function(
        "math.abs",
        Style.GLOBAL,
        (
            Overload((INT,), INT, lambda value: integer(abs(value))),
            Overload((UINT,), UINT, lambda value: value, Fails.NEVER),
            Overload((DOUBLE,), DOUBLE, abs, Fails.NEVER),
        ),
        "A number without its sign; the least int has none without.",
        "math.abs(-11) == 11",
    ),
    Function(
        "math.sign",
        Style.GLOBAL,
        (
            Overload((INT,), INT, lambda value: (value > 0) - (value < 0), Fails.NEVER),
            Overload((UINT,), UINT, lambda value: UInt(value > 0), Fails.NEVER),
            Overload((DOUBLE,), DOUBLE, _sign, Fails.NEVER),
        ),
        "-1, 0 or 1 for a number below, at or above zero.",
        "math.sign(-11) == -1",
    ),
    _on_double("math.isNaN", math.isnan, "Whether a double is no number.", "math.isNaN(0.0 / 0.0)", BOOL),
    _on_double("math.isInf", math.isinf, "Whether a double is infinite.", "math.isInf(-1.0 / 0.0)", BOOL),
    _on_double(
        "math.isFinite",
        math.isfinite,
        "Whether a double is a number and not infinite.",
        "!math.isFinite(1.0 / 0.0)",
        BOOL,
    ),
    _bitwise(
        "math.bitAnd",
        lambda one, other: one & other,
        "The bits that are set in both of two ints or uints.",
        "math.bitAnd(6u, 3u) == 2u",
    ),
    _bitwise(
        "math.bitOr",
        lambda one, other: one | other,
        "The bits that are set in one of two ints or uints, or in both.",
        "math.bitOr(6u, 3u) == 7u",
    ),
    _bitwise(
        "math.bitXor",
        lambda one, other: one ^ other,
        "The bits that are set in only one of two ints or uints.",
        "math.bitXor(6u, 3u) == 5u",
    ),
    Function(
        "math.bitNot",
        Style.GLOBAL,
        (
            Overload((INT,), INT, lambda value: integer(~int(value)), Fails.NEVER),
            Overload((UINT,), UINT, lambda value: UInt(UINT_MAX ^ value), Fails.NEVER),
        ),
        "All 64 bits of an int or a uint turned round.",
        "math.bitNot(0) == -1",
    ),
    _shift(
        "math.bitShiftLeft",
        lambda bits, count: bits << count,
        "The bits moved up by a number of places; those beyond 64 are lost.",
        "math.bitShiftLeft(1, 10) == 1024",
    ),
    _shift(
        "math.bitShiftRight",
        lambda bits, count: bits >> count,
        "The bits moved down by a number of places; zeros follow, also where an int was negative.",
        "math.bitShiftRight(1024, 2) == 256",
    ),
    Function(
        "math.sqrt",
        Style.GLOBAL,
        (
            Overload((DOUBLE,), DOUBLE, _root, Fails.NEVER),
            Overload((INT,), DOUBLE, lambda value: _root(integer(value)), Fails.NEVER),
            Overload((UINT,), DOUBLE, _root, Fails.NEVER),
        ),
        "The square root as a double; NaN below zero.",
        "math.sqrt(81) == 9.0",
    ),
)
