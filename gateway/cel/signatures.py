"""The signatures of the operators, and how a signature is chosen by the types of the arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gateway.cel.functions.signature import Fails, Overload
from gateway.cel.syntax import BinaryOperator
from gateway.cel.types import (
    BOOL,
    BYTES,
    DECIMAL,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NUMBERS,
    ORDERED,
    STRING,
    TIMESTAMP,
    UINT,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
    Variable,
    accepts,
    filled,
)

_LIST = ListType(Variable("A"))


def _overload(left: Type, right: Type, result: Type, fails: Fails = Fails.SOMETIMES) -> Overload:
    return Overload((left, right), result, None, fails)


_WHOLE = tuple(_overload(number, number, number) for number in (INT, UINT))
_DOUBLE = (_overload(DOUBLE, DOUBLE, DOUBLE, Fails.NEVER),)
_EXACT = (_overload(DECIMAL, DECIMAL, DECIMAL),)
_ORDER = tuple(
    _overload(left, right, BOOL, Fails.NEVER)
    for left in sorted(ORDERED, key=str)
    for right in sorted(ORDERED, key=str)
    if left == right or (left in NUMBERS and right in NUMBERS)
)

OPERATOR_OVERLOADS: Mapping[BinaryOperator, tuple[Overload, ...]] = {
    BinaryOperator.ADD: (
        *_WHOLE,
        *_DOUBLE,
        *_EXACT,
        _overload(STRING, STRING, STRING, Fails.NEVER),
        _overload(BYTES, BYTES, BYTES, Fails.NEVER),
        _overload(_LIST, _LIST, _LIST, Fails.NEVER),
        _overload(TIMESTAMP, DURATION, TIMESTAMP),
        _overload(DURATION, TIMESTAMP, TIMESTAMP),
        _overload(DURATION, DURATION, DURATION),
    ),
    BinaryOperator.SUBTRACT: (
        *_WHOLE,
        *_DOUBLE,
        *_EXACT,
        _overload(TIMESTAMP, DURATION, TIMESTAMP),
        _overload(TIMESTAMP, TIMESTAMP, DURATION),
        _overload(DURATION, DURATION, DURATION),
    ),
    BinaryOperator.MULTIPLY: (*_WHOLE, *_DOUBLE, *_EXACT),
    BinaryOperator.DIVIDE: (*_WHOLE, *_DOUBLE),
    BinaryOperator.MODULO: _WHOLE,
    **dict.fromkeys(
        (
            BinaryOperator.LESS,
            BinaryOperator.LESS_EQUAL,
            BinaryOperator.GREATER,
            BinaryOperator.GREATER_EQUAL,
        ),
        _ORDER,
    ),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What a call gives, as far as the types of its arguments tell, and whether it can fail."""

    result: Type
    fails: Fails


def choose(overloads: Sequence[Overload], arguments: Sequence[Type]) -> Choice | None:
    """The result of the overloads that may be meant; None if there is none."""
    results: list[Type] = []
    fails = Fails.NEVER
    for overload in overloads:
        found: dict[str, Type] = {}
        parameters = overload.taking(len(arguments))
        if parameters is None:
            continue
        if all(accepts(one, other, found) for one, other in zip(parameters, arguments, strict=True)):
            results.append(filled(overload.result, found))
            certain = all(map(_certain, parameters, arguments))
            if overload.fails is Fails.SOMETIMES or not certain:
                fails = Fails.SOMETIMES
    if not results:
        return None
    result = results[0]
    return Choice(result if all(other == result for other in results) else DYN, fails)


def _certain(parameter: Type, argument: Type) -> bool:
    """Whether a value of the argument's type certainly has the kind that the parameter asks for."""
    if parameter == DYN:
        return True
    match parameter:
        case Variable(among=among):
            return not among or argument in among
        case ListType():
            return isinstance(argument, ListType)
        case OptionalType():
            return isinstance(argument, OptionalType)
        case MapType() | ObjectType():
            return isinstance(argument, MapType | ObjectType)
    return parameter == argument
