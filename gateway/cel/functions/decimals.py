"""Exact decimal numbers, for money: `+`, `-`, `*` and comparisons work on them and never round."""

from __future__ import annotations

import re
from typing import Any

from gateway.cel.access import quoted
from gateway.cel.functions.conversions import read_once
from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.types import DECIMAL, INT, STRING, UINT
from gateway.cel.values import MAX_DIGITS, CelError, Decimal, ErrorKind
from gateway.later import later

_NUMBER = later(rf"([+-]?)([0-9]{{1,{MAX_DIGITS}}})(?:\.([0-9]{{1,{MAX_DIGITS}}}))?", re.ASCII)


def parse_decimal(text: str) -> Decimal:
    """The number that digits stand for, with a point before the last of them or without; no exponent."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise CelError(ErrorKind.INVALID, f"{quoted(text)} can't be read as a decimal, such as `12.30`")
    sign, whole, fraction = match.group(1), match.group(2), match.group(3) or ""
    units = int(whole + fraction)
    return Decimal.of(-units if sign == "-" else units, len(fraction))


def rounded(units: int, divisor: int, scale: int) -> Decimal:
    """A quotient as so many units of a scale; what lies in the middle goes to the even neighbour."""
    quotient, rest = divmod(abs(units), divisor)
    quotient += 2 * rest > divisor or (2 * rest == divisor and quotient % 2 == 1)
    return Decimal.of(-quotient if units < 0 else quotient, scale)


def _quotient(value: Decimal, divisor: Decimal, scale: int) -> Decimal:
    if not 0 <= scale <= MAX_DIGITS:
        raise CelError(ErrorKind.OUT_OF_RANGE, f"a quotient has 0 to {MAX_DIGITS} digits behind its point")
    if not divisor:
        raise CelError(ErrorKind.DIVIDE_BY_ZERO, "divide by zero")
    units = value.units * 10 ** (scale + divisor.scale)
    by = divisor.units * 10**value.scale
    return rounded(units if by > 0 else -units, abs(by), scale)


def _whole(value: int) -> Decimal:
    return Decimal.of(int(value), 0)


def _read(value: Any) -> int:
    return len(value) >> 5 if isinstance(value, str) else 0


FUNCTIONS = (
    Function(
        "decimal",
        Style.GLOBAL,
        (
            Overload((DECIMAL,), DECIMAL, lambda value: value, Fails.NEVER),
            Overload((STRING,), DECIMAL, parse_decimal),
            Overload((INT,), DECIMAL, _whole, Fails.NEVER),
            Overload((UINT,), DECIMAL, _whole, Fails.NEVER),
        ),
        "An exact number of at most 38 digits, from its text or a whole number; a double has to be text first.",
        "decimal('0.10') + decimal('0.20') == decimal('0.3')",
        read_once(parse_decimal),
        _read,
    ),
    Function(
        "quotient",
        Style.MEMBER,
        (Overload((DECIMAL, DECIMAL, INT), DECIMAL, _quotient),),
        "A decimal divided by another one, with so many digits behind its point, the last one rounded half to even.",
        "decimal('10').quotient(decimal('3'), 2) == decimal('3.33')",
        cost=lambda value, divisor, scale: 4,
    ),
)
