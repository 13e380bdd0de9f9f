"""Texts made from values by a pattern with clauses such as `%s` and `%.2f`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from gateway.cel.access import quoted
from gateway.cel.budget import MAX_STEPS, count, length, made
from gateway.cel.functions.addresses import write_cidr, write_ip
from gateway.cel.functions.decimals import rounded
from gateway.cel.functions.instants import write_duration, write_timestamp
from gateway.cel.functions.signature import Elements, Function, Overload, Style, Work
from gateway.cel.types import (
    BOOL,
    BYTES,
    DECIMAL,
    DOUBLE,
    DYN,
    INT,
    NEVER,
    STRING,
    UINT,
    ListType,
    Type,
)
from gateway.cel.values import CelError, Decimal, ErrorKind, Kind, Url, adopt, kind_of
from gateway.frozen import frozen
from gateway.later import later

_PIECE = later(r"%(?:\.([0-9]*))?(.?)", re.DOTALL)
_MOST_PRECISION = 1_000
_DEFAULT_PRECISION = 6
_DEEPEST = 50
_STEPS_OF_VALUE = 8
_STEPS_OF_CLAUSE = 30
"""A number may be written with three hundred digits before its point and a thousand behind it."""

Write: TypeAlias = Callable[[Any], str]


@frozen
class _Clause:
    """How one value is written, and the types that can be written so; none means any."""

    name: str
    write: Write
    takes: frozenset[Type]


@frozen
class _Pattern:
    """The texts before, between and after the clauses, and the clauses."""

    texts: tuple[str, ...]
    clauses: tuple[_Clause, ...]

    def fill(self, values: Sequence[Any]) -> str:
        """The text for so many values as there are clauses."""
        _same_number(len(self.clauses), len(values))
        pieces = [self.texts[0]]
        for clause, value, text in zip(self.clauses, values, self.texts[1:], strict=True):
            pieces.append(clause.write(value))
            pieces.append(text)
        return "".join(pieces)


def _same_number(clauses: int, values: int) -> None:
    if clauses != values:
        raise CelError(ErrorKind.INVALID, f"a format with {clauses} clauses can't take {values} values")


def _unwritable(clause: str, value: object) -> CelError:
    return CelError(ErrorKind.NO_SUCH_OVERLOAD, f"`{clause}` can't write {value}")


def _special(value: float) -> str | None:
    if math.isfinite(value):
        return None
    return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"


def _shortest(value: float) -> str:
    """The fewest digits that read back as the same double, without an exponent."""
    text = repr(value).removesuffix(".0")
    if "e" not in text:
        return _special(value) or text
    digits, exponent = text.split("e")
    sign = "-" if digits.startswith("-") else ""
    whole, _, fraction = digits.lstrip("-").partition(".")
    place = len(whole) + int(exponent)
    bare = whole + fraction
    if place <= 0:
        return f"{sign}0.{'0' * -place}{bare}"
    return sign + bare.ljust(place, "0")


def _text(value: Any, depth: int = 0) -> str:
    value = adopt(value)
    kind = kind_of(value)
    if kind in (Kind.LIST, Kind.MAP) and depth >= _DEEPEST:
        raise CelError(ErrorKind.LIMIT, f"a value is nested more than {_DEEPEST} levels deep")
    match kind:
        case Kind.LIST:
            return f"[{', '.join(_text(element, depth + 1) for element in value)}]"
        case Kind.MAP:
            entries = sorted((_text(key), _text(value[key], depth + 1)) for key in value)
            return f"{{{', '.join(f'{key}: {own}' for key, own in entries)}}}"
        case Kind.BYTES:
            return _decoded(value)
    write = _SIMPLE.get(kind)
    if write is None:
        raise _unwritable("%s", kind.value)
    return write(value)


def _decoded(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise CelError(ErrorKind.INVALID, "the bytes are not UTF-8") from None


_SIMPLE: Mapping[Kind, Write] = {
    Kind.BOOL: lambda value: "true" if value else "false",
    Kind.INT: lambda value: str(int(value)),
    Kind.UINT: lambda value: str(int(value)),
    Kind.DOUBLE: _shortest,
    Kind.STRING: str.__str__,
    Kind.NULL: lambda value: "null",
    Kind.TIMESTAMP: write_timestamp,
    Kind.DURATION: write_duration,
    Kind.DECIMAL: str,
    Kind.IP: write_ip,
    Kind.CIDR: write_cidr,
    Kind.URL: lambda value: str(value.text),
    Kind.TYPE: lambda value: str(value.name),
}


def _whole(value: Any, digits: str) -> str:
    return format(int(value), digits)


def _number(value: Any) -> str:
    kind = kind_of(value)
    if kind is Kind.DECIMAL:
        return str(value)
    return _shortest(value) if kind is Kind.DOUBLE else str(int(value))


def _binary(value: Any) -> str:
    return _whole(value, "b")


def _octal(value: Any) -> str:
    return _whole(value, "o")


def _hexadecimal(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, str):
        return value.encode(errors="surrogatepass").hex()
    return _whole(value, "x")


def _upper(value: Any) -> str:
    return _hexadecimal(value).upper()


def _exact(value: Decimal, precision: int) -> str:
    if precision < value.scale:
        return str(rounded(value.units, 10 ** (value.scale - precision), precision))
    text = str(value) if value.scale or not precision else f"{value}."
    return text + "0" * (precision - value.scale)


def _fixed(precision: int) -> Write:
    def write(value: Any) -> str:
        if kind_of(value) is Kind.DOUBLE:
            return _special(value) or f"{value:.{precision}f}"
        if kind_of(value) is Kind.DECIMAL:
            return _exact(value, precision)
        return f"{int(value)}.{'0' * precision}" if precision else str(int(value))

    return write


def _scientific(precision: int) -> Write:
    def write(value: Any) -> str:
        try:
            number = float(value)
        except OverflowError:
            raise CelError(ErrorKind.OUT_OF_RANGE, "int out of range") from None
        return _special(number) or f"{number:.{precision}e}"

    return write


_PLAIN: Mapping[str, tuple[Write, frozenset[Type]]] = {
    "s": (_text, frozenset()),
    "d": (_number, frozenset({INT, UINT, DOUBLE, DECIMAL})),
    "b": (_binary, frozenset({BOOL, INT, UINT})),
    "o": (_octal, frozenset({INT, UINT})),
    "x": (_hexadecimal, frozenset({INT, UINT, STRING, BYTES})),
    "X": (_upper, frozenset({INT, UINT, STRING, BYTES})),
}
_FIXED = frozenset({INT, UINT, DOUBLE, DECIMAL})
_SCIENTIFIC = _FIXED - {DECIMAL}
_PRECISE: Mapping[str, tuple[Callable[[int], Write], frozenset[Type]]] = {
    "f": (_fixed, _FIXED),
    "e": (_scientific, _SCIENTIFIC),
}
_KINDS: Mapping[Type, Kind] = {
    BOOL: Kind.BOOL,
    INT: Kind.INT,
    UINT: Kind.UINT,
    DOUBLE: Kind.DOUBLE,
    STRING: Kind.STRING,
    BYTES: Kind.BYTES,
    DECIMAL: Kind.DECIMAL,
}


def _clause(precision: str | None, verb: str) -> _Clause:
    name = f"%{verb}"
    if verb in _PLAIN:
        if precision is not None:
            raise CelError(ErrorKind.INVALID, f"`{name}` takes no precision")
        write, takes = _PLAIN[verb]
    elif verb in _PRECISE:
        digits = _DEFAULT_PRECISION if precision is None else int(precision[:5] or 0)
        if digits > _MOST_PRECISION:
            raise CelError(ErrorKind.LIMIT, f"a precision is greater than {_MOST_PRECISION}")
        with_digits, takes = _PRECISE[verb]
        write = with_digits(digits)
    else:
        raise CelError(ErrorKind.INVALID, f"{quoted(name)} is no clause of a format")
    return _Clause(name, _only(name, write, takes) if takes else write, takes)


def _only(name: str, write: Write, takes: frozenset[Type]) -> Write:
    kinds = {_KINDS[type_] for type_ in takes}

    def checked(value: Any) -> str:
        kind = kind_of(value)
        if kind not in kinds:
            raise _unwritable(name, kind.value)
        return write(value)

    return checked


@lru_cache(maxsize=256)
def _constant(text: str) -> _Pattern:
    return _parsed(text)


def _parsed(text: str) -> _Pattern:
    texts: list[str] = []
    clauses: list[_Clause] = []
    literal: list[str] = []
    at = 0
    for match in _PIECE.finditer(text):
        literal.append(text[at : match.start()])
        at = match.end()
        if match.group() == "%%":
            literal.append("%")
            continue
        clauses.append(_clause(match[1], match[2]))
        texts.append("".join(literal))
        literal = []
    literal.append(text[at:])
    return _Pattern((*texts, "".join(literal)), tuple(clauses))


def _format(text: str, values: Any) -> str:
    return _parsed(text).fill(adopt(values))


def _size(values: Any) -> int:
    """The steps of writing some values at every depth: one of them may stand in many places."""
    steps = 0
    pending = [values]
    while pending:
        current = pending.pop()
        if isinstance(current, Mapping):
            steps += 2 * _STEPS_OF_VALUE * len(current)
            pending.extend(current)
            pending.extend(current.values())
        elif count(current):
            steps += _STEPS_OF_VALUE * len(current)
            pending.extend(current)
        else:
            steps += made(4 * length(current.text if isinstance(current, Url) else current))
        if steps > MAX_STEPS:
            break
    return steps


def _cost(text: Any, values: Any) -> int:
    return (length(text) << 1) + _filled(text, values)


def _filled(text: Any, values: Any) -> int:
    return made(length(text)) + _STEPS_OF_CLAUSE * count(values) + _size(values)


def _specialise(constants: Sequence[Any]) -> Work | None:
    if len(constants) != 2 or not isinstance(constants[0], str):
        return None
    pattern = _constant(constants[0])

    def run(text: Any, values: Any) -> str:
        if kind_of(values) is not Kind.LIST:
            raise CelError(ErrorKind.NO_SUCH_OVERLOAD, f"`format` can't take {kind_of(values).value}")
        return pattern.fill(adopt(values))

    return Work(run, _filled)


def _verify(arguments: Sequence[Any]) -> None:
    text, values = arguments
    if not isinstance(text, str) or not isinstance(values, Elements):
        return
    pattern = _constant(text)
    _same_number(len(pattern.clauses), len(values.types))
    for clause, type_ in zip(pattern.clauses, values.types, strict=True):
        if clause.takes and type_ not in clause.takes and type_ not in (DYN, NEVER):
            raise _unwritable(clause.name, type_)


FUNCTIONS = (
    Function(
        "format",
        Style.MEMBER,
        (Overload((STRING, ListType(DYN)), STRING, _format),),
        "A string with values in place of its clauses: `%s` any, `%d %b %o %x %X` whole numbers, `%.2f %.2e` others.",
        "'%s owes %.2f (%d%%)'.format(['ann', 3.5, 7]) == 'ann owes 3.50 (7%)'",
        _specialise,
        _cost,
        _verify,
    ),
)
