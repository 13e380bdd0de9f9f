"""CEL types from a tool's JSON Schema: what `args` and `roles` hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.cel import BOOL, DOUBLE, DYN, INT, NULL, STRING, Field, ListType, MapType, ObjectType, Type
from gateway.schema import EACH, ROLES, ArgumentPath, ArgumentType, Presence, role_paths
from gateway.schema.fields import argument_type

_SIMPLE: Mapping[str, Type] = {"string": STRING, "integer": INT, "boolean": BOOL, "null": NULL}


_NUMBER = frozenset({"number", "integer"})


def has_number(type_: Type) -> bool:
    """Whether a value of a type may hold a number that need not be whole, so that whole ones are converted."""
    match type_:
        case ListType(element=inner) | MapType(value=inner):
            return has_number(inner)
        case ObjectType(fields=fields):
            return any(has_number(field.type) for field in fields.values())
    return type_ == DOUBLE


def arguments_type(schema: Mapping[str, Any]) -> ObjectType:
    """The type of `args`: optional is what is neither required nor has a default."""
    return _fields("args", argument_type(schema))


def role_types(schema: Mapping[str, Any]) -> dict[str, Type]:
    """The element type of each role's list; a role that no argument has is an empty list of anything."""
    whole = argument_type(schema)
    types: dict[str, Type] = {}
    paths = role_paths(schema)
    for role in ROLES:
        found = {_at(whole, path) for path in paths.get(role, ())}
        types[role] = found.pop() if len(found) == 1 else DYN
    return types


def _type_of(argument: ArgumentType, name_of: str) -> Type:
    """The CEL type of a value; `dyn` where it may be of several."""
    if argument.types == _NUMBER:
        return DOUBLE
    if len(argument.types) != 1:
        return DYN
    (name,) = argument.types
    if name == "array":
        return ListType(DYN if argument.items is None else _type_of(argument.items, name_of))
    if name == "object":
        if not argument.fields and argument.values is not None:
            return MapType(STRING, _type_of(argument.values, name_of))
        return _fields(name_of, argument)
    return _SIMPLE.get(name, DYN)


def _fields(name: str, argument: ArgumentType) -> ObjectType:
    fields = {
        key: Field(
            _type_of(field.type, f"{name}.{key}"),
            optional=field.presence is Presence.OPTIONAL,
            choices=field.type.choices,
        )
        for key, field in argument.fields.items()
    }
    return ObjectType(name, fields, open=argument.values is not None)


def _at(argument: ArgumentType, path: ArgumentPath) -> Type:
    """The type of a single value at a path; a list there stands for its items."""
    at: ArgumentType | None = argument
    for name in path:
        if at is None:
            return DYN
        if name is EACH:
            at = at.items if "array" in at.types else at.values
        else:
            field = at.fields.get(str(name))
            at = None if field is None else field.type
    if at is None:
        return DYN
    type_ = _type_of(at, "roles")
    return type_.element if isinstance(type_, ListType) else type_
