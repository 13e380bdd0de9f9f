"""What a schema says of the values of each kind: bounds, lengths and the values that it lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gateway.ranges import Range

GROUPS: Mapping[str, str] = {"integer": "number"}
"""Whole numbers are judged by what is said of numbers."""
Limits = Mapping[str, Range]
"""By group of JSON types; a group that is not there is not limited."""

_SIZES = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}

_LIMITING = frozenset(
    {
        *(name for names in _SIZES.values() for name in names),
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const", "enum"),
    }
)


def group_of(json_type: str) -> str:
    """The group that a JSON type is judged with."""
    return GROUPS.get(json_type, json_type)


def limits_of(schema: Mapping[str, Any]) -> Limits:
    """What the keywords beside each other in one schema say."""
    return _UNLIMITED if _LIMITING.isdisjoint(schema) else _limits(schema)


def _limits(schema: Mapping[str, Any]) -> Limits:
    found = {group: Range(schema.get(least), schema.get(most)) for group, (least, most) in _SIZES.items()}
    found["number"] = Range(schema.get("minimum"), schema.get("maximum")).both(
        Range(schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum"), low_open=True, high_open=True)
    )
    if "const" in schema or "enum" in schema:
        listed = [schema["const"]] if "const" in schema else list(schema["enum"])
        if "const" in schema and "enum" in schema:
            listed = [schema["const"]] if any(_same(schema["const"], one) for one in schema["enum"]) else []
        for group, classes in _SCALARS.items():
            values = tuple(dict.fromkeys(one for one in listed if one.__class__ in classes))
            found[group] = found.get(group, Range()).both(Range(listed=values))
    return MappingProxyType({group: range_ for group, range_ in found.items() if range_ != Range()})


_SCALARS: Mapping[str, frozenset[type]] = {
    "string": frozenset({str}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
}

_UNLIMITED = _limits({})


def _same(one: Any, other: Any) -> bool:
    return isinstance(one, bool) is isinstance(other, bool) and bool(one == other)


def all_of(one: Limits, other: Limits) -> Limits:
    """What is said of a value that two schemas accept."""
    return MappingProxyType(
        {group: one.get(group, Range()).both(other.get(group, Range())) for group in {*one, *other}}
    )


def one_of(alternatives: Iterable[tuple[frozenset[str], Limits]]) -> Limits:
    """What is said of a value that one of several schemas accepts, each with the types that it may have."""
    found: dict[str, Range] = {}
    for types, limits in alternatives:
        for group in {group_of(name) for name in types}:
            mine = limits.get(group, Range())
            found[group] = found[group].either(mine) if group in found else mine
    return MappingProxyType({group: range_ for group, range_ in found.items() if range_ != Range()})
