"""What to write instead, where operators and functions meet values that they can't take."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.cel.functions.signature import Function, Style
from gateway.cel.signatures import choose
from gateway.cel.syntax import BinaryOperator, Call, Ident, Index, Node, Select
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
    ListType,
    OptionalType,
    Type,
    comparable,
)

_READ: Mapping[Type, str] = {
    URL: "url",
    IP: "ip",
    CIDR: "cidr",
    TIMESTAMP: "timestamp",
    DURATION: "duration",
    DECIMAL: "decimal",
}
"""The function that makes something of a text."""

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_DAYS = re.compile(r"(\d{1,6})\s*(d|days?|w|weeks?)")
_NUMERIC = re.compile(r"-?\d+(\.\d+)?")
_SUMS = (BinaryOperator.ADD, BinaryOperator.SUBTRACT)
_EQUALITY = (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an operator, or an argument: as it is written, its type, and its value if it is a constant."""

    text: str
    type: Type
    constant: Any = None

    @property
    def quoted(self) -> str:
        """A constant as a text in an expression."""
        return self.text if isinstance(self.constant, str) else f'"{self.text}"'


def for_operator(operator: BinaryOperator, left: Side, right: Side) -> str:
    """How one side of an operator can be made what the other is."""
    if operator is BinaryOperator.DIVIDE and left.type == right.type == DECIMAL:
        return f"write `{left.text}.quotient({right.text}, 2)`, with as many digits behind the point as are meant"
    for mend in (_whole_text, _converted):
        for one, other in ((left, right), (right, left)):
            if written := mend(operator, one, other):
                return written
    for one, other in ((left, right), (right, left)):
        if one.type == INT and other.type == DOUBLE:
            return f"write `double({one.text})`" if one.constant is None else f"write `{one.text}.0`"
    return ""


def _whole_text(operator: BinaryOperator, one: Side, other: Side) -> str:
    """Constants that were written as text, or should be, and lists for what they hold."""
    value = one.constant
    if isinstance(value, str) and other.type == INT and value.removeprefix("-").isdecimal():
        return f"write `{value}`"
    if isinstance(value, str) and other.type == BOOL and value.lower() in ("true", "false"):
        return f"write `{value.lower()}`"
    if _is_number(value) and other.type == STRING:
        return f"write `{one.quoted}`"
    listed = isinstance(one.type, ListType) and comparable(one.type.element, other.type)
    if listed and operator in _EQUALITY and not isinstance(other.type, ListType):
        held = f"{other.text} in {one.text}"
        return f"write `{held}`" if operator is BinaryOperator.EQUAL else f"write `!({held})`"
    return ""


def _converted(operator: BinaryOperator, one: Side, other: Side) -> str:
    """One side turned into the type of the other."""
    if other.type in (TIMESTAMP, DURATION) and one.type == STRING:
        return f"write `{_time(operator, one, other.type)}`"
    if other.type == DURATION and _is_number(one.constant):
        return f'write `duration("{one.text}s")`, or with the unit that is meant: `m` or `h`'
    if other.type == DECIMAL and one.type in (STRING, INT, UINT, DOUBLE):
        return "" if (made := _decimal(one)) is None else f"write `{made}`"
    if operator not in _EQUALITY or one.type != STRING or other.type not in (IP, CIDR, URL):
        return ""
    made = f"{_READ[other.type]}({one.text})"
    if isinstance(one.constant, str) or other.type == CIDR:
        return f"write `{made}`"
    test = {IP: "isIP", URL: "isURL"}[other.type]
    return f"write `{test}({one.text}) && {made} {operator.value} …`"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _time(operator: BinaryOperator, one: Side, other: Type) -> str:
    """A moment or a length of time from a text, whichever the operator can take."""
    value = one.constant
    if isinstance(value, str) and (days := _DAYS.fullmatch(value)):
        hours = int(days[1]) * (168 if days[2].startswith("w") else 24)
        return f'duration("{hours}h")'
    dated = isinstance(value, str) and _DAY.match(value) is not None
    if dated and other == TIMESTAMP and operator is not BinaryOperator.ADD:
        whole = isinstance(value, str) and _DAY.fullmatch(value)
        return f'timestamp("{value}T00:00:00Z")' if whole else f"timestamp({one.text})"
    if other == TIMESTAMP and (operator is BinaryOperator.ADD or (operator in _SUMS and value is not None)):
        return f"duration({one.text})"
    return f"{other}({one.text})"


def _decimal(one: Side) -> str | None:
    """A decimal of a text or a number; None for a constant that is none."""
    if one.constant is None:
        return f"decimal(string({one.text}))" if one.type == DOUBLE else f"decimal({one.text})"
    digits = one.constant if isinstance(one.constant, str) else one.text
    if not _NUMERIC.fullmatch(digits):
        return None
    return f"decimal({one.quoted})"


def for_member(left: Side, range_: Type, text: str) -> str:
    """What to write instead of `left in text` where the right is no list and no map."""
    if range_ == STRING:
        return "write `text.contains(part)`"
    if range_ == CIDR and left.type in (STRING, IP):
        return f"write `{text}.containsIP({left.text})`"
    return ""


def for_call(function: Function, given: Sequence[Side]) -> str:
    """What to write instead of a call with arguments that the function can't take."""
    types = [side.type for side in given]
    member = function.style is Style.MEMBER

    def fits(position: int, type_: Type) -> bool:
        return choose(function.overloads, [*types[:position], type_, *types[position + 1 :]]) is not None

    if member and given and isinstance(given[0].type, ListType):
        rest = ", ".join(side.text for side in given[1:])
        if function.name == "contains" and len(given) == 2 and comparable(given[0].type.element, types[1]):
            return f"write `{rest} in {given[0].text}`"
        if fits(0, given[0].type.element) and not isinstance(given[0].type.element, ListType):
            return f"write `{given[0].text}.exists(x, x.{function.name}({rest}))`"
    if member and function.name == "contains" and given and types[0] == CIDR and len(given) == 2:
        inner = "containsCIDR" if types[1] == CIDR else "containsIP"
        return f"write `{given[0].text}.{inner}({given[1].text})`"
    for position, side in enumerate(given):
        if position and side.type == STRING and fits(position, ListType(STRING)):
            texts = [one.text for one in given]
            texts[position] = f"[{side.text}]"
            return f"write `{_written(function, texts)}`"
        for wanted, read in _TURNED.get(side.type, _NOTHING):
            if not fits(position, wanted) or _is_in(function.name, read):
                continue
            texts = [one.text for one in given]
            texts[position] = read(side.text)
            return f"write `{_written(function, texts)}`"
    return ""


def _is_in(name: str, read: Callable[[str], str]) -> bool:
    """Whether a conversion would convert for itself, as `decimal(decimal(x))`."""
    return read("").startswith(f"{name}(")


def _written(function: Function, texts: Sequence[str]) -> str:
    if function.style is Style.MEMBER:
        return f"{texts[0]}.{function.name}({', '.join(texts[1:])})"
    return f"{function.name}({', '.join(texts)})"


def _by(name: str) -> Callable[[str], str]:
    return lambda text: f"{name}({text})"


_NOTHING: Sequence[tuple[Type, Callable[[str], str]]] = ()
_TURNED: Mapping[Type, Sequence[tuple[Type, Callable[[str], str]]]] = {
    STRING: tuple((wanted, _by(name)) for wanted, name in _READ.items()),
    DOUBLE: ((STRING, _by("string")),),
    INT: ((DOUBLE, _by("double")),),
    BYTES: ((STRING, _by("string")),),
}
"""What a value of a type can be turned into, and how."""


def for_absent(text: str, operand: str, field: str, type_: Type) -> str:
    """How a field that may be absent is read: behind a guard, or a list also as an empty one."""
    guarded = f"write `has({text}) && …`"
    return f"{guarded}, or `{operand}.?{field}.orValue([])`" if isinstance(type_, ListType) else guarded


def for_condition(node: Node, side: Side) -> str:
    """How a value becomes a condition."""
    if not isinstance(node, Ident | Select | Index | Call):
        return ""
    if isinstance(side.type, ListType):
        return f"ask what it holds: `… in {side.text}`"
    if isinstance(side.type, OptionalType):
        return f"write `{side.text}.orValue(false)`" if side.type.value == BOOL else ""
    if side.type in (STRING, INT, UINT, DOUBLE, DECIMAL, TIMESTAMP, DURATION):
        return f"compare it: `{side.text} == …`"
    return ""
