"""Which keywords of JSON Schema hold schemas, and how they apply."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Schema = Any
"""A mapping, true or false."""


KeyPath = tuple[str | int, ...]

ONE = frozenset(
    {
        "additionalProperties",
        "unevaluatedProperties",
        "items",
        "unevaluatedItems",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
    }
)
MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NAMED = frozenset({"properties", "patternProperties", "dependentSchemas"})
DEFINITIONS = frozenset({"$defs", "definitions"})
HOLDING = ONE | MANY | NAMED | DEFINITIONS
"""Without one of these a schema holds no other."""
ALTERNATIVES = ("anyOf", "oneOf")

KNOWN = (
    ONE
    | MANY
    | NAMED
    | DEFINITIONS
    | {
        "$ref",
        "$schema",
        "$comment",
        "type",
        "enum",
        "const",
        "multipleOf",
        "maximum",
        "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum",
        "maxLength",
        "minLength",
        "pattern",
        "maxItems",
        "minItems",
        "uniqueItems",
        "maxContains",
        "minContains",
        "maxProperties",
        "minProperties",
        "required",
        "dependentRequired",
        "format",
        "title",
        "description",
        "default",
        "deprecated",
        "readOnly",
        "writeOnly",
        "examples",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    }
)

MOVING = frozenset({"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"})
"""Keywords that change what a reference means, which no tool's schema may."""

_NUMBER = frozenset({"number", "integer"})
JUDGED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"), _NUMBER),
    **dict.fromkeys(
        (
            "maxLength",
            "minLength",
            "pattern",
            "format",
            "contentEncoding",
            "contentMediaType",
            "contentSchema",
        ),
        frozenset({"string"}),
    ),
    **dict.fromkeys(
        (
            "items",
            "prefixItems",
            "unevaluatedItems",
            "contains",
            "maxContains",
            "minContains",
            "maxItems",
            "minItems",
            "uniqueItems",
        ),
        frozenset({"array"}),
    ),
    **dict.fromkeys(
        (
            "properties",
            "patternProperties",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "required",
            "dependentRequired",
            "dependentSchemas",
            "maxProperties",
            "minProperties",
        ),
        frozenset({"object"}),
    ),
}
"""The types that a keyword judges; values of others pass it."""

NEEDS: Mapping[str, str] = {
    "then": "if",
    "else": "if",
    "maxContains": "contains",
    "minContains": "contains",
}
"""Keywords that do nothing without another one."""


def subschemas(schema: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Schema]]:
    """The schemas directly inside a schema, each with the keys that lead to it; definitions included."""
    for key, value in schema.items():
        if key in ONE:
            yield (key,), value
        elif key in MANY and isinstance(value, list | tuple):
            for index, item in enumerate(value):
                yield (key, index), item
        elif (key in NAMED or key in DEFINITIONS) and isinstance(value, Mapping):
            for name, item in value.items():
                yield (key, name), item


def mapped(schema: Mapping[str, Any], change: Callable[[Schema], Schema]) -> dict[str, Any]:
    """A copy in which each schema directly inside is replaced by what `change` makes of it."""
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ONE:
            result[key] = change(value)
        elif key in MANY and isinstance(value, list | tuple):
            result[key] = [change(item) for item in value]
        elif (key in NAMED or key in DEFINITIONS) and isinstance(value, Mapping):
            result[key] = {name: change(item) for name, item in value.items()}
        else:
            result[key] = value
    return result


def types_of(schema: Mapping[str, Any]) -> frozenset[str]:
    """The JSON types that `type` names; empty when it does not say."""
    named = schema.get("type")
    if isinstance(named, str):
        return frozenset((named,))
    return frozenset(named) if isinstance(named, list | tuple) else frozenset()
