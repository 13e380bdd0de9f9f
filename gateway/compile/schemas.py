"""CEL types from a tool's JSON Schema: what `args` and `roles` hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gateway.cel import BOOL, DOUBLE, DYN, INT, NULL, STRING, Field, ListType, MapType, ObjectType, Type
from gateway.cel.conform import converter
from gateway.cel.domain import Domain, Form, as_doubles, either
from gateway.ranges import Range
from gateway.schema import EACH, ROLES, ArgumentPath, ArgumentType, Presence
from gateway.schema.fields import JSON_TYPES, either_type
from gateway.schema.limits import group_of

_SIMPLE: Mapping[str, Type] = {
    "string": STRING,
    "integer": INT,
    "number": DOUBLE,
    "boolean": BOOL,
    "null": NULL,
}
_KINDS: Mapping[str, str] = {
    "string": "string",
    "integer": "int",
    "number": "double",
    "boolean": "bool",
    "array": "list",
    "object": "map",
    "null": "null",
}


def arguments_type(whole: ArgumentType) -> ObjectType:
    """The type of `args`: optional is what is neither required nor has a default."""
    return _fields("args", whole)


def role_fields(whole: ArgumentType, paths: Mapping[str, tuple[ArgumentPath, ...]]) -> dict[str, Field]:
    """Each role's list; a role that no argument has is an empty list of anything."""
    return {role: _role([_at(whole, path) for path in paths.get(role, ())]) for role in ROLES}


def _role(found: list[Domain | None]) -> Field:
    types = {DYN if one is None else one.type for one in found}
    type_ = ListType(types.pop() if len(types) == 1 else DYN)
    element = either(found) if found else None
    return Field(type_, domain=Domain({"list": Form(type_, element=element)}))


def _domain(argument: ArgumentType, name: str) -> Domain | None:
    """All that a value can be; None where the schema does not say."""
    if argument.types == JSON_TYPES:
        return None
    types = argument.types - {"integer"} if argument.fractions else argument.types
    return Domain({kind: _form(argument, one, name) for one, kind in _KINDS.items() if one in types})


def _form(argument: ArgumentType, json_type: str, name: str) -> Form:
    """What a value is if it is of one JSON type."""
    range_ = argument.limits.get(group_of(json_type), Range())
    if json_type == "array":
        element = None if argument.items is None else _domain(argument.items, name)
        first = tuple(_at_place(_domain(item, name), element) for item in argument.first)
        return Form(ListType(DYN if element is None else element.type), range_, element, first)
    if json_type != "object":
        form = Form(_SIMPLE[json_type], range_)
        return as_doubles(form) if json_type == "number" else form
    if argument.fields or argument.values is None:
        return Form(_fields(name, argument), range_)
    element = _domain(argument.values, name)
    return Form(MapType(STRING, DYN if element is None else element.type, free=True), range_, element)


def _at_place(own: Domain | None, element: Domain | None) -> Domain | None:
    """What one of the first items of a list can be: whole numbers become doubles in all items, or in none.

    None where only what holds of all items is certain.
    """
    changed = element is not None and converter(element.type, element) is not None
    if own is None or (not changed and converter(own.type, own) is None):
        return own
    if {"list", "map"} & own.forms.keys():
        return None
    forms = dict(own.forms)
    if not changed:
        forms["int"] = replace(forms["double"], type=INT)
    elif element is not None and "double" in element.forms and "int" in forms:
        forms["double"] = as_doubles(forms.pop("int"))
    return Domain(forms)


def _fields(name: str, argument: ArgumentType) -> ObjectType:
    fields = {
        key: _field(field.type, f"{name}.{key}", optional=field.presence is Presence.OPTIONAL)
        for key, field in argument.fields.items()
    }
    others = None if argument.values is None else _domain(argument.values, name)
    return ObjectType(name, fields, open=argument.values is not None, others=others)


def _field(argument: ArgumentType, name: str, *, optional: bool) -> Field:
    domain = _domain(argument, name)
    return Field(DYN if domain is None else domain.type, optional, domain)


def _at(argument: ArgumentType, path: ArgumentPath) -> Domain | None:
    """What a single value at a path can be; a list there stands for its items."""
    at: ArgumentType | None = argument
    for name in path:
        if at is None:
            return None
        if name is EACH:
            at = _each(at)
        else:
            field = at.fields.get(str(name))
            at = None if field is None else field.type
    domain = None if at is None else _domain(at, "roles")
    if domain is None or "list" not in domain.forms:
        return domain
    return either([*([rest] if (rest := _rest(domain)).forms else []), domain.forms["list"].element])


def _each(argument: ArgumentType) -> ArgumentType | None:
    """An item of a list, or any value of an object."""
    inside: list[ArgumentType | None] = []
    if "array" in argument.types:
        inside.append(argument.items)
    if "object" in argument.types:
        inside.extend(field.type for field in argument.fields.values())
        inside.extend([argument.values] if argument.values is not None else [])
    known = [one for one in inside if one is not None]
    return either_type(known) if known and len(known) == len(inside) else None


def _rest(domain: Domain) -> Domain:
    return domain.only(domain.forms.keys() - {"list"})
