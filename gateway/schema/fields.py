"""A schema as types: what conditions can know about a tool's arguments before there is a call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any

from gateway.frozen import frozen
from gateway.schema.keywords import ALTERNATIVES, Schema, types_of
from gateway.schema.limits import Limits, all_of, limits_of, one_of
from gateway.schema.resolve import resolved

JSON_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


class Presence(Enum):
    """Whether an argument is there once defaults have been filled in."""

    REQUIRED = "required"
    DEFAULTED = "defaulted"
    OPTIONAL = "optional"


@frozen
class ArgumentType:
    """What a value may be: JSON types (all of them where the schema does not say), fields and items.

    `items` and `values` are the types of a list's items and of an object's undeclared keys; `values` is None
    where there can be no such keys. `first` are the types of a list's first items, where each has its own.
    `limits` say how large, how long or which values of each kind may be.
    """

    types: frozenset[str]
    fields: Mapping[str, Field] = field(default_factory=lambda: MappingProxyType({}))
    items: ArgumentType | None = None
    values: ArgumentType | None = None
    role: str | None = None
    limits: Limits = field(default_factory=lambda: MappingProxyType({}))
    first: tuple[ArgumentType, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """The only texts that it may be; empty if the schema does not list them."""
        texts = self.limits.get("string")
        return () if texts is None or texts.listed is None else texts.listed

    @property
    def fractions(self) -> bool:
        """Whether a number here counts as one with fractions, even if it is whole."""
        return "number" in self.types and self.types != JSON_TYPES


@frozen
class Field:
    """A declared key of an object."""

    type: ArgumentType
    presence: Presence


ANY = ArgumentType(JSON_TYPES)


def fields(schema: Mapping[str, Any]) -> Mapping[str, Field]:
    """The tool's arguments."""
    return argument_type(schema).fields


def argument_type(schema: Mapping[str, Any]) -> ArgumentType:
    """The arguments as one type, which also says whether undeclared ones are allowed."""
    return _type(resolved(schema))


def _type(schema: Schema) -> ArgumentType:
    if not isinstance(schema, Mapping):
        return ANY if schema is True else ArgumentType(frozenset())
    result = _without(_both([_own(schema), *map(_type, schema.get("allOf", ()))]), schema.get("not"))
    for key in ALTERNATIVES:
        if key in schema:
            result = _both([result, either_type([_type(item) for item in schema[key]])])
    conditional = [schema[key] for key in ("then", "else") if key in schema]
    conditional.extend(schema.get("dependentSchemas", {}).values())
    for item in conditional:
        result = _both([result, either_type([_type(item), ANY])])
    return result


def _own(schema: Mapping[str, Any]) -> ArgumentType:
    required = frozenset(schema.get("required", ()))
    found = {
        name: Field(_type(item), _presence(item, name in required))
        for name, item in schema.get("properties", {}).items()
    }
    for name in required - found.keys():
        found[name] = Field(ANY, Presence.REQUIRED)
    extra = schema.get("additionalProperties", schema.get("unevaluatedProperties", False))
    patterns = [_type(item) for item in schema.get("patternProperties", {}).values()]
    values = either_type([*([] if extra is False else [_type(extra)]), *patterns])
    role = schema.get("x-role")
    return ArgumentType(
        _types(schema),
        MappingProxyType(found),
        _items(schema),
        values if values.types else None,
        role if isinstance(role, str) else None,
        limits_of(schema),
        tuple(_type(item) for item in schema.get("prefixItems", ())),
    )


def _without(found: ArgumentType, refused: Schema) -> ArgumentType:
    """The type less the JSON types that `not` names, if it names nothing else."""
    if not isinstance(refused, Mapping) or set(refused) != {"type"}:
        return found
    types = found.types - types_of(refused)
    if "number" in types_of(refused):
        types -= {"integer"}
    return replace(found, types=types)


def _presence(schema: Schema, required: bool) -> Presence:
    if required:
        return Presence.REQUIRED
    if isinstance(schema, Mapping):
        if "default" in schema:
            return Presence.DEFAULTED
        if any(_presence(item, False) is Presence.DEFAULTED for item in schema.get("allOf", ())):
            return Presence.DEFAULTED
    return Presence.OPTIONAL


def _items(schema: Mapping[str, Any]) -> ArgumentType | None:
    first = [_type(item) for item in schema.get("prefixItems", ())]
    if "items" in schema:
        rest = _type(schema["items"])
        return either_type([*first, rest]) if first else rest
    return either_type([*first, ANY]) if first else None


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    types = types_of(schema) or JSON_TYPES
    if "number" in types:
        types |= {"integer"}
    if "const" in schema:
        types &= {_name(schema["const"])}
    if "enum" in schema:
        types &= {_name(value) for value in schema["enum"]}
    return types


def _name(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    names = {type(None): "null", int: "integer", str: "string"}
    return names.get(type(value), "array" if isinstance(value, list | tuple) else "object")


_STRONGEST = (Presence.REQUIRED, Presence.DEFAULTED, Presence.OPTIONAL)


def _both(types: Iterable[ArgumentType]) -> ArgumentType:
    """What a value is that fits all of several types."""
    first, *others = types
    for other in others:
        merged = dict(first.fields)
        for name, item in other.fields.items():
            mine = merged.get(name)
            if mine is None:
                merged[name] = item
            else:
                presence = min(mine.presence, item.presence, key=_STRONGEST.index)
                merged[name] = Field(_both([mine.type, item.type]), presence)
        first = ArgumentType(
            first.types & other.types,
            MappingProxyType(merged),
            _both([first.items, other.items]) if first.items and other.items else first.items or other.items,
            either_type([first.values, other.values])
            if first.values and other.values
            else first.values or other.values,
            first.role or other.role,
            all_of(first.limits, other.limits),
            first.first or other.first,
        )
    return first


def either_type(types: Iterable[ArgumentType]) -> ArgumentType:
    """What a value is that fits one of several types; a key is sure only where all of them require it."""
    listed = [_uncertain(item) for item in types if item.types]
    if not listed:
        return ArgumentType(frozenset())
    names = dict.fromkeys(name for item in listed for name in item.fields)
    objects = [item for item in listed if "object" in item.types]
    merged: dict[str, Field] = {}
    for name in names:
        present = [item.fields[name] for item in objects if name in item.fields]
        if not present:
            continue
        sure = len(present) == len(objects) and all(one.presence is Presence.REQUIRED for one in present)
        presence = Presence.REQUIRED if sure else Presence.OPTIONAL
        merged[name] = Field(either_type([found.type for found in present]), presence)
    arrays = [item for item in listed if "array" in item.types]
    items = [item.items for item in arrays if item.items is not None]
    values = [item.values for item in listed if item.values is not None]
    return ArgumentType(
        frozenset[str]().union(*(item.types for item in listed)),
        MappingProxyType(merged),
        either_type(items) if items and len(items) == len(arrays) else None,
        either_type(values) if values else None,
        next((item.role for item in listed if item.role is not None), None),
        one_of((item.types, item.limits) for item in listed),
        arrays[0].first if len(arrays) == 1 else (),
    )


def _uncertain(item: ArgumentType) -> ArgumentType:
    """The same without defaults: none are filled in where a schema applies only perhaps."""
    found = {
        name: Field(
            _uncertain(inner.type),
            Presence.OPTIONAL if inner.presence is Presence.DEFAULTED else inner.presence,
        )
        for name, inner in item.fields.items()
    }
    return replace(
        item,
        fields=MappingProxyType(found),
        items=None if item.items is None else _uncertain(item.items),
    )
