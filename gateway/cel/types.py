"""The types of CEL, with objects whose fields are known and may be optional."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, TypeAlias

from gateway.cel.values import UInt
from gateway.frozen import frozen, identified

if TYPE_CHECKING:
    from gateway.cel.domain import Domain


@frozen
class SimpleType:
    """A type without parts; `name` is what CEL calls it."""

    name: str

    def __str__(self) -> str:
        return self.name


@frozen
class ListType:
    """A list of elements of one type."""

    element: Type

    def __str__(self) -> str:
        return "list" if self.element == NEVER else f"list({self.element})"


@frozen
class MapType:
    """A map from keys of one type to values of one type."""

    key: Type
    value: Type
    free: bool = field(default=False, compare=False)
    """Whether callers choose the keys, so that reading one needs a guard."""

    def __str__(self) -> str:
        return "map" if self.key == NEVER else f"map({self.key}, {self.value})"


@frozen
class OptionalType:
    """A value that may be absent."""

    value: Type

    def __str__(self) -> str:
        return f"optional({self.value})"


@frozen
class Variable:
    """A type that a signature leaves open; the same name stands for the same type within it."""

    name: str
    among: frozenset[SimpleType] = frozenset()
    """The only types that it may stand for; any type if there are none."""

    def __str__(self) -> str:
        return self.name


@frozen
class Field:
    """A field of an object; an optional one may be absent and needs a guard."""

    type: Type
    optional: bool = False
    domain: Domain | None = None
    """What it can be beyond its type, if more is known."""


@identified
class ObjectType:
    """A map whose fields are known; an open one may hold others, of any type."""

    name: str
    fields: Mapping[str, Field]
    open: bool = False
    missing: str = ""
    """How a field that is not there is declared, for the help of a diagnostic."""
    others: Domain | None = None
    """What the fields of an open one that are not known can be."""

    def __str__(self) -> str:
        return self.name


Type: TypeAlias = SimpleType | ListType | MapType | OptionalType | Variable | ObjectType

BOOL = SimpleType("bool")
INT = SimpleType("int")
UINT = SimpleType("uint")
DOUBLE = SimpleType("double")
STRING = SimpleType("string")
BYTES = SimpleType("bytes")
NULL = SimpleType("null")
TIMESTAMP = SimpleType("timestamp")
DURATION = SimpleType("duration")
DECIMAL = SimpleType("decimal")
IP = SimpleType("net.IP")
CIDR = SimpleType("net.CIDR")
URL = SimpleType("kubernetes.URL")
TYPE = SimpleType("type")
DYN = SimpleType("dyn")
NEVER = SimpleType("never")
"""The element type of an empty list: no value has it, so it fits everywhere."""

_LITERALS: Mapping[type, Type] = {
    bool: BOOL,
    int: INT,
    UInt: UINT,
    float: DOUBLE,
    str: STRING,
    bytes: BYTES,
    type(None): NULL,
}


def literal_type(value: object) -> Type:
    """The type of a constant."""
    return _LITERALS[value.__class__]


NUMBERS = frozenset({INT, UINT, DOUBLE})
ORDERED = frozenset({BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION, DECIMAL})


def comparable(left: Type, right: Type) -> bool:
    """Whether values of the two types can ever be equal, as far as the types tell."""
    if DYN in (left, right) or NEVER in (left, right) or left == right:
        return True
    if left in NUMBERS and right in NUMBERS:
        return True
    match left, right:
        case ListType(element=one), ListType(element=other):
            return comparable(one, other)
        case OptionalType(value=one), OptionalType(value=other):
            return comparable(one, other)
        case MapType(key=key, value=value), MapType(key=other_key, value=other_value):
            return comparable(key, other_key) and comparable(value, other_value)
        case (ObjectType(), ObjectType() | MapType()) | (MapType(), ObjectType()):
            return True
    return False


def join(left: Type, right: Type) -> Type:
    """The type of a value that has one of the two types."""
    if right in (left, NEVER):
        return left
    if left == NEVER:
        return right
    match left, right:
        case ListType(element=one), ListType(element=other):
            return ListType(join(one, other))
        case OptionalType(value=one), OptionalType(value=other):
            return OptionalType(join(one, other))
        case MapType(key=key, value=value), MapType(key=other_key, value=other_value):
            return MapType(join(key, other_key), join(value, other_value))
        case (OptionalType(), SimpleType(name="null")):
            return left
        case (SimpleType(name="null"), OptionalType()):
            return right
    return DYN


def settle(type_: Type) -> Type:
    """The type with everything that nothing decided taken as dyn."""
    match type_:
        case ListType(element=element):
            return ListType(settle(element))
        case OptionalType(value=value):
            return OptionalType(settle(value))
        case MapType(key=key, value=value):
            return MapType(settle(key), settle(value))
    return DYN if type_ == NEVER or isinstance(type_, Variable) else type_


def accepts(parameter: Type, argument: Type, found: dict[str, Type]) -> bool:
    """Whether an argument of a type may be passed; `found` collects what variables stand for."""
    if isinstance(parameter, Variable):
        if parameter.among and argument != DYN and argument not in parameter.among:
            return False
        known = found.get(parameter.name)
        if known is None or known == NEVER:
            found[parameter.name] = argument
        elif known != argument:
            if not comparable(known, argument):
                return False
            found[parameter.name] = join(known, argument)
        return True
    if DYN in (parameter, argument) or argument in (NEVER, parameter):
        return True
    match parameter, argument:
        case ListType(element=one), ListType(element=other):
            return accepts(one, other, found)
        case OptionalType(value=one), OptionalType(value=other):
            return accepts(one, other, found)
        case MapType(key=key, value=value), MapType(key=other_key, value=other_value):
            return accepts(key, other_key, found) and accepts(value, other_value, found)
        case MapType(key=key, value=value), ObjectType():
            return accepts(key, STRING, found) and accepts(value, DYN, found)
        case ObjectType(name=name), ObjectType(name=other_name):
            return name == other_name
    return False


def filled(type_: Type, found: Mapping[str, Type]) -> Type:
    """A signature's type with its variables replaced by what was found for them."""
    match type_:
        case Variable(name=name):
            return found.get(name, DYN)
        case ListType(element=element):
            return ListType(filled(element, found))
        case OptionalType(value=value):
            return OptionalType(filled(value, found))
        case MapType(key=key, value=value):
            return MapType(filled(key, found), filled(value, found))
    return type_
