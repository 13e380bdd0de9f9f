"""What is known of a value before everything is known, and how such knowledge combines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, TypeAlias

from gateway.cel.syntax import LogicOperator
from gateway.cel.types import (
    BOOL,
    BYTES,
    CIDR,
    DECIMAL,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    IP,
    NEVER,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    URL,
    ListType,
    MapType,
    OptionalType,
    Type,
    join,
)
from gateway.cel.values import Kind, kind_of
from gateway.frozen import frozen


class Outcome(Enum):
    """What a condition can come to; anything but true and false is an error."""

    TRUE = "true"
    FALSE = "false"
    ERROR = "error"


@frozen
class Known:
    """A value that is known completely."""

    value: Any


@frozen
class Unknown:
    """A value of which only the type is known."""

    type: Type


@frozen
class Partial:
    """An object some of whose fields are known; the others are unknown, of the types declared for them."""

    fields: Mapping[str, Any]
    type: Type = DYN


Value: TypeAlias = Known | Unknown | Partial


@frozen
class Result:
    """A value, and whether there may be an error instead; without a value there always is one."""

    value: Value | None
    may_error: bool = False


FAILS = Result(None, may_error=True)
ANYTHING = Result(Unknown(DYN), may_error=True)

_TYPES: Mapping[Kind, Type] = {
    Kind.BOOL: BOOL,
    Kind.INT: INT,
    Kind.UINT: UINT,
    Kind.DOUBLE: DOUBLE,
    Kind.STRING: STRING,
    Kind.BYTES: BYTES,
    Kind.NULL: NULL,
    Kind.TIMESTAMP: TIMESTAMP,
    Kind.DURATION: DURATION,
    Kind.DECIMAL: DECIMAL,
    Kind.IP: IP,
    Kind.CIDR: CIDR,
    Kind.URL: URL,
    Kind.TYPE: TYPE,
    Kind.LIST: ListType(DYN),
    Kind.MAP: MapType(DYN, DYN),
    Kind.OPTIONAL: OptionalType(DYN),
    Kind.OTHER: DYN,
}


def type_of(value: Value | None) -> Type:
    """The type of whatever a value turns out to be."""
    if value is None:
        return NEVER
    if isinstance(value, Known):
        return _TYPES[kind_of(value.value)]
    if isinstance(value, Partial):
        return value.type
    return value.type


def known(value: Any) -> Result:
    """A value that is known and has come without an error."""
    return Result(Known(value))


def unknown(type_: Type, *, may_error: bool = False) -> Result:
    """A value of a type."""
    return Result(Unknown(type_), may_error)


Truths: TypeAlias = frozenset[Outcome]
TRUE, FALSE, ERROR = (frozenset({outcome}) for outcome in Outcome)
EITHER = TRUE | FALSE
ANY_TRUTH = EITHER | ERROR


def truths(result: Result) -> Truths:
    """The outcomes of a result where a bool is asked for."""
    value = result.value
    errors = ERROR if result.may_error else frozenset()
    if value is None:
        return ERROR
    if isinstance(value, Known):
        if value.value is True:
            return TRUE | errors
        return FALSE | errors if value.value is False else ERROR
    if value.type == BOOL:
        return EITHER | errors
    return ANY_TRUTH if value.type in (DYN, NEVER) else ERROR


def of_truths(outcomes: Truths) -> Result:
    """The result that has these outcomes."""
    may_error = Outcome.ERROR in outcomes
    if outcomes >= EITHER:
        return Result(Unknown(BOOL), may_error)
    if Outcome.TRUE in outcomes:
        return Result(Known(True), may_error)
    return Result(Known(False), may_error) if Outcome.FALSE in outcomes else FAILS


def inverted(outcomes: Truths) -> Truths:
    """The outcomes of `!`."""
    return frozenset(_INVERSE[outcome] for outcome in outcomes)


_INVERSE = {
    Outcome.TRUE: Outcome.FALSE,
    Outcome.FALSE: Outcome.TRUE,
    Outcome.ERROR: Outcome.ERROR,
}


def combined(operator: LogicOperator, operands: Iterable[Truths]) -> Truths:
    """The outcomes of a chain of `&&` or `||`: every pair of the operands' outcomes, error absorption included."""
    decides = Outcome.FALSE if operator is LogicOperator.AND else Outcome.TRUE
    neutral = Outcome.TRUE if operator is LogicOperator.AND else Outcome.FALSE
    so_far: Truths = frozenset({neutral})
    for operand in operands:
        so_far = frozenset(_pair(one, other, decides) for one in so_far for other in operand)
    return so_far


def _pair(one: Outcome, other: Outcome, decides: Outcome) -> Outcome:
    if decides in (one, other):
        return decides
    return Outcome.ERROR if Outcome.ERROR in (one, other) else one


def exactly_one(operands: Iterable[Truths]) -> Truths:
    """The outcomes of `exists_one` over elements with these outcomes."""
    least = most = 0
    may_error = False
    for operand in operands:
        if operand == ERROR:
            return ERROR
        may_error = may_error or Outcome.ERROR in operand
        least += operand & EITHER == TRUE
        most += Outcome.TRUE in operand
    found = TRUE if least <= 1 <= most else frozenset()
    if least != 1 or most != 1:
        found |= FALSE
    return found | ERROR if may_error else found


def union(results: Iterable[Result]) -> Result:
    """What is known if any one of these may be the result."""
    values = list(results)
    may_error = any(result.may_error for result in values)
    present = [result.value for result in values if result.value is not None]
    if not present:
        return FAILS
    first = present[0]
    if all(_same(first, other) for other in present[1:]):
        return Result(first, may_error)
    type_: Type = NEVER
    for value in present:
        type_ = join(type_, type_of(value))
    return Result(Unknown(type_), may_error)


def _same(one: Value, other: Value) -> bool:
    if isinstance(one, Known) and isinstance(other, Known):
        simple = one.value.__class__ is other.value.__class__ and one.value.__class__ in (bool, int, str)
        return one.value is other.value or (simple and bool(one.value == other.value))
    return one is other
