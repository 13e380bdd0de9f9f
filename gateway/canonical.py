"""One spelling for each JSON value, and a digest of it.

It is the form of RFC 8785, but for integers beyond 2^53 - 1: they keep all their digits, as platforms use ids of 64
bits, and rounding them would make two calls one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_quoted = json.encoder.encode_basestring


def digest(value: Any) -> str:
    """The SHA-256 of a value's one spelling, in hexadecimal; equal values have equal ones, and no others do."""
    return sha256(canonical(value).encode()).hexdigest()


def canonical(value: Any) -> str:
    """The one spelling of a value in normal form: keys by their UTF-16 units, numbers as ECMAScript writes them."""
    kind = type(value)
    if kind is str:
        return _quoted(value)
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return str(value)
    if kind is float:
        return _number(value)
    if isinstance(value, Mapping):
        items = sorted(value.items(), key=_units) if len(value) > 1 else value.items()
        return "{" + ",".join([f"{_quoted(key)}:{canonical(item)}" for key, item in items]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([canonical(item) for item in value]) + "]"
    raise TypeError(f"{kind.__name__} is no JSON value")


def _units(item: tuple[str, Any]) -> bytes:
    """What keys are sorted by: texts of basic characters in the order of these, others by their surrogates."""
    return item[0].encode("utf-16-be")


def _number(value: float) -> str:
    """A finite number with the fewest digits that tell it apart, laid out as ECMAScript does (`Number::toString`)."""
    if not math.isfinite(value):
        raise ValueError("a number that is not finite has no JSON form")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    # The value is `0.digits` times ten to the power of `point`.
    point = len(whole) + int(exponent or 0) if whole != "0" else int(exponent or 0) - _zeros(fraction)
    digits = digits.rstrip("0") or "0"
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _zeros(fraction: str) -> int:
    return len(fraction) - len(fraction.lstrip("0"))
