"""A value that a schema would accept, to show what was expected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gateway.schema.keywords import Schema, types_of

_DEEPEST = 6
_FORMATS = {
    "email": "name@example.com",
    "uri": "https://example.com/",
    "date": "2027-01-31",
    "date-time": "2027-01-31T18:00:00Z",
    "time": "18:00:00Z",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "ipv4": "192.0.2.1",
    "hostname": "example.com",
}


def candidates(schema: Schema, depth: int = 0) -> Iterator[Any]:
    """Values that may fit, likeliest first; who shows one tries it against the schema before."""
    if not isinstance(schema, Mapping):
        if schema is True:
            yield "text"
        return
    yield from schema.get("examples", ())
    if "const" in schema:
        yield schema["const"]
    if "default" in schema:
        yield schema["default"]
    yield from schema.get("enum", ())
    if depth > _DEEPEST:
        return
    for key in ("anyOf", "oneOf", "allOf"):
        for item in schema.get(key, ()):
            yield from candidates(item, depth + 1)
    types = types_of(schema)
    for name in ("string", "integer", "number", "boolean", "array", "object", "null"):
        if name in types or (not types and name == _implied(schema)):
            yield from _typed(name, schema, depth)


def _implied(schema: Mapping[str, Any]) -> str:
    if "properties" in schema or "required" in schema:
        return "object"
    if "items" in schema:
        return "array"
    return "integer" if "minimum" in schema or "maximum" in schema else "string"


def _typed(name: str, schema: Mapping[str, Any], depth: int) -> Iterator[Any]:
    if name == "string":
        yield from _texts(schema)
    elif name in ("integer", "number"):
        yield from _numbers(schema)
    elif name == "boolean":
        yield True
    elif name == "null":
        yield None
    elif name == "array":
        first = next(candidates(schema.get("items", True), depth + 1), None)
        yield [first] * max(1, min(schema.get("minItems", 1), 3))
        yield []
    else:
        properties = schema.get("properties", {})
        yield {
            key: next(candidates(properties.get(key, True), depth + 1), None)
            for key in schema.get("required", ())
        }


def _texts(schema: Mapping[str, Any]) -> Iterator[str]:
    text = _FORMATS.get(str(schema.get("format")), "text")
    least, most = schema.get("minLength", 0), schema.get("maxLength", 100)
    if isinstance(least, int) and isinstance(most, int) and least <= 100:
        yield text.ljust(least, "x")[:most]


def _numbers(schema: Mapping[str, Any]) -> Iterator[int | float]:
    step = schema.get("multipleOf", 1)
    for start in (1, 0, schema.get("minimum"), schema.get("maximum")):
        if start is not None:
            yield start
    if "exclusiveMinimum" in schema:
        yield schema["exclusiveMinimum"] + step
    if "exclusiveMaximum" in schema:
        yield schema["exclusiveMaximum"] - step
    least = schema.get("minimum", 0)
    yield -(-least // step) * step
