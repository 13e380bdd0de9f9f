"""Where in a call's arguments the fields with a role, or with something secret, stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gateway.schema.keywords import HOLDING, Schema
from gateway.schema.resolve import resolved

EACH: Final = None
"""In a path: every item of a list, or every value of an object whose keys are free."""

ArgumentPath = tuple[str | None, ...]


def role_paths(schema: Mapping[str, Any]) -> Mapping[str, tuple[ArgumentPath, ...]]:
    """For each `x-role`, the paths of the arguments that have it, sorted: no order of properties decides."""
    found: dict[str, dict[ArgumentPath, None]] = {}
    for path, part in _places(resolved(schema), ()):
        role = part.get("x-role")
        if isinstance(role, str):
            found.setdefault(role, {})[path] = None
    return {role: tuple(sorted(paths, key=_by_name)) for role, paths in found.items()}


def _by_name(path: ArgumentPath) -> tuple[tuple[bool, str], ...]:
    return tuple((step is EACH, step or "") for step in path)


def sensitive_paths(schema: Mapping[str, Any]) -> tuple[ArgumentPath, ...]:
    """The paths of the arguments that are marked `x-sensitive: true`; a mark on the whole is one on each argument."""
    places = _places(resolved(schema), ())
    return tuple(dict.fromkeys(path or (EACH,) for path, part in places if part.get("x-sensitive") is True))


def collected(arguments: Any, paths: Sequence[ArgumentPath]) -> list[Any]:
    """The values at some paths, in order; a list there stands for its items, what is missing for nothing.

    Values of an object whose keys are free come in the order of their keys.
    """
    found: list[Any] = []
    for path in paths:
        values = [arguments]
        for step in path:
            values = [below for value in values for below in _below(value, step)]
        for value in values:
            if isinstance(value, list):
                found.extend(value)
            else:
                found.append(value)
    return found


def _below(value: Any, step: str | None) -> Sequence[Any]:
    if step is EACH:
        if isinstance(value, Mapping):
            return [value[key] for key in sorted(value, key=str)]
        return value if isinstance(value, list) else ()
    return (value[step],) if isinstance(value, Mapping) and step in value else ()


_SAME_VALUE = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_ONE = ("if", "then", "else")
_EACH_VALUE = ("items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains")


def _places(schema: Schema, path: ArgumentPath) -> Iterator[tuple[ArgumentPath, Mapping[str, Any]]]:
    """Every schema that may speak about an argument, with the argument's path."""
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    if HOLDING.isdisjoint(schema):
        return
    for key in _SAME_VALUE:
        for item in schema.get(key, ()):
            yield from _places(item, path)
    for key in _SAME_VALUE_ONE:
        yield from _places(schema.get(key), path)
    for item in schema.get("dependentSchemas", {}).values():
        yield from _places(item, path)
    for name, item in schema.get("properties", {}).items():
        yield from _places(item, (*path, name))
    for item in (*schema.get("patternProperties", {}).values(), *schema.get("prefixItems", ())):
        yield from _places(item, (*path, EACH))
    for key in _EACH_VALUE:
        yield from _places(schema.get(key), (*path, EACH))
