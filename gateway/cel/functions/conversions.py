"""Conversions between the types of CEL."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from gateway.cel.access import quoted
from gateway.cel.functions.addresses import write_cidr, write_ip
from gateway.cel.functions.instants import (
    parse_duration,
    parse_timestamp,
    write_duration,
    write_timestamp,
)
from gateway.cel.functions.signature import Fails, Function, Overload, Style, Work
from gateway.cel.operators import integer, unsigned
from gateway.cel.types import (
    BOOL,
    BYTES,
    CIDR,
    DECIMAL,
    DOUBLE,
    DURATION,
    INT,
    IP,
    STRING,
    TIMESTAMP,
    UINT,
    URL,
)
from gateway.cel.values import NANOS, CelError, ErrorKind, Timestamp, UInt
from gateway.later import later

_DIGITS = later(r"[+-]?[0-9]{1,20}")
_NUMBER = later(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|NaN|[+-]?Inf(?:inity)?")
_STEPS_OF_TIMESTAMP = 110
_TRUTHS = {
    **dict.fromkeys(("1", "t", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "false", "FALSE", "False"), False),
}


def _invalid(value: str, kind: str) -> CelError:
    return CelError(ErrorKind.INVALID, f"{quoted(value)} can't be read as {kind}")


def _truncated(value: float, kind: str) -> int:
    if math.isfinite(value):
        return int(value)
    raise CelError(ErrorKind.OUT_OF_RANGE, f"{kind} out of range")


def _double_to_int(value: float) -> int:
    number = _truncated(value, "int")
    if -(2**63) < number < 2**63:
        return number
    raise CelError(ErrorKind.OUT_OF_RANGE, "int out of range")


def _string_to_int(value: str) -> int:
    if _DIGITS.fullmatch(value):
        return integer(int(value))
    raise _invalid(value, "int")


def _string_to_uint(value: str) -> UInt:
    if _DIGITS.fullmatch(value) and value[0] not in "+-":
        return unsigned(int(value))
    raise _invalid(value, "uint")


def _string_to_double(value: str) -> float:
    if _NUMBER.fullmatch(value):
        return float(value)
    raise _invalid(value, "double")


def _int_to_double(value: int) -> float:
    try:
        return float(value)
    except OverflowError:  # a host's integer may have more than 64 bits
        raise CelError(ErrorKind.OUT_OF_RANGE, "int out of range") from None


def _string_to_bool(value: str) -> bool:
    if value in _TRUTHS:
        return _TRUTHS[value]
    raise _invalid(value, "bool")


def _bytes_to_string(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise CelError(ErrorKind.INVALID, "the bytes are not UTF-8") from None


def _string_to_bytes(value: str) -> bytes:
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise CelError(ErrorKind.INVALID, "a string with half a character") from None


def write_double(value: float) -> str:
    """A double as text: the shortest that reads back as the same number, whole numbers without a point."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    return repr(value).removesuffix(".0")


def _same(value: Any) -> Any:
    return value


def _conversion(name: str, summary: str, example: str, *overloads: Overload) -> Function:
    return Function(name, Style.GLOBAL, overloads, summary, example, cost=_read)


def _read(value: Any) -> int:
    return len(value) >> 7 if isinstance(value, str | bytes) else 0


def read_once(parse: Callable[[str], Any]) -> Callable[[Sequence[Any]], Work | None]:
    """Constants are read when the expression is planned, not each time it is evaluated."""

    def specialise(constants: Sequence[Any]) -> Work | None:
        if len(constants) != 1 or not isinstance(constants[0], str):
            return None
        value = parse(constants[0])
        return Work(lambda _: value)

    return specialise


FUNCTIONS = (
    _conversion(
        "bool",
        "A bool from its name, as in `true`, `True`, `1` or `t`.",
        "bool('true')",
        Overload((BOOL,), BOOL, _same, Fails.NEVER),
        Overload((STRING,), BOOL, _string_to_bool),
    ),
    _conversion(
        "int",
        "An int from another number (towards zero), from digits, or the seconds since 1970 of a timestamp.",
        "int('42') == 42",
        Overload((INT,), INT, _same, Fails.NEVER),
        Overload((UINT,), INT, lambda value: integer(int(value))),
        Overload((DOUBLE,), INT, _double_to_int),
        Overload((STRING,), INT, _string_to_int),
        Overload((TIMESTAMP,), INT, lambda value: value.nanos // NANOS, Fails.NEVER),
    ),
    _conversion(
        "uint",
        "A uint from another number (towards zero) or from digits.",
        "uint(42) == 42u",
        Overload((UINT,), UINT, _same, Fails.NEVER),
        Overload((INT,), UINT, unsigned),
        Overload((DOUBLE,), UINT, lambda value: unsigned(_truncated(value, "uint"))),
        Overload((STRING,), UINT, _string_to_uint),
    ),
    _conversion(
        "double",
        "A double from another number or from its text.",
        "double('1.5') == 1.5",
        Overload((DOUBLE,), DOUBLE, _same, Fails.NEVER),
        Overload((INT,), DOUBLE, _int_to_double, Fails.NEVER),
        Overload((UINT,), DOUBLE, float, Fails.NEVER),
        Overload((STRING,), DOUBLE, _string_to_double),
    ),
    _conversion(
        "string",
        "A value as text.",
        "string(42) == '42'",
        Overload((STRING,), STRING, _same, Fails.NEVER),
        Overload((BOOL,), STRING, lambda value: "true" if value else "false", Fails.NEVER),
        Overload((INT,), STRING, str, Fails.NEVER),
        Overload((UINT,), STRING, lambda value: str(int(value)), Fails.NEVER),
        Overload((DOUBLE,), STRING, write_double, Fails.NEVER),
        Overload((BYTES,), STRING, _bytes_to_string),
        Overload((TIMESTAMP,), STRING, write_timestamp, Fails.NEVER),
        Overload((DURATION,), STRING, write_duration, Fails.NEVER),
        Overload((DECIMAL,), STRING, str, Fails.NEVER),
        Overload((IP,), STRING, write_ip, Fails.NEVER),
        Overload((CIDR,), STRING, write_cidr, Fails.NEVER),
        Overload((URL,), STRING, lambda value: value.text, Fails.NEVER),
    ),
    _conversion(
        "bytes",
        "The UTF-8 bytes of a string.",
        "bytes('abc') == b'abc'",
        Overload((BYTES,), BYTES, _same, Fails.NEVER),
        Overload((STRING,), BYTES, _string_to_bytes),
    ),
    Function(
        "timestamp",
        Style.GLOBAL,
        (
            Overload((TIMESTAMP,), TIMESTAMP, _same, Fails.NEVER),
            Overload((STRING,), TIMESTAMP, parse_timestamp),
            Overload((INT,), TIMESTAMP, lambda value: Timestamp.of(value * NANOS)),
        ),
        "A timestamp from RFC 3339 text, or from the seconds since 1970.",
        "timestamp('2026-11-30T00:00:00Z') > timestamp(0)",
        read_once(parse_timestamp),
        lambda value: _STEPS_OF_TIMESTAMP if isinstance(value, str) else 0,
    ),
    Function(
        "duration",
        Style.GLOBAL,
        (
            Overload((DURATION,), DURATION, _same, Fails.NEVER),
            Overload((STRING,), DURATION, parse_duration),
        ),
        "A duration from text such as `1h30m`, `10s` or `250ms`.",
        "duration('1h30m') == duration('90m')",
        read_once(parse_duration),
        lambda value: 30 + 4 * min(len(value), 100) if isinstance(value, str) else 0,
    ),
)
