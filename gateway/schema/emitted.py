"""What the model is shown of a tool's schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.schema.keywords import Schema, mapped
from gateway.schema.resolve import resolved

_TELLING = ("$defs", "const", "default", "enum", "examples", "not", "propertyNames")
"""What could still name an argument that is set for the model, and is not needed to write the others."""
_SAME_VALUE = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_ONE = ("if", "then", "else")


class Emitter:
    """Gives a schema as the model is shown it, without some forced arguments; each is made once."""

    __slots__ = ("_made", "_schema")

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._made: dict[frozenset[str], Mapping[str, Any]] = {}

    def __call__(self, forced: frozenset[str]) -> Mapping[str, Any]:
        """The schema without these arguments."""
        shown = self._made.get(forced)
        if shown is None:
            shown = self._made[forced] = emitted(self._schema, forced)
        return shown

    def __reduce__(self) -> tuple[type[Emitter], tuple[Mapping[str, Any]]]:
        return Emitter, (self._schema,)


def emitted(schema: Mapping[str, Any], forced: frozenset[str]) -> dict[str, Any]:
    """The schema without the arguments that are set for the model, and without what only we read."""
    shown = _unmarked(resolved(schema))
    result = _without(shown, forced) if forced else shown
    return result if isinstance(result, dict) else {}


def _unmarked(schema: Schema) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    return mapped({key: value for key, value in schema.items() if not key.startswith("x-")}, _unmarked)


def _without(schema: Schema, forced: frozenset[str]) -> Any:
    """Leave arguments out of everything that speaks about the call's top level."""
    if not isinstance(schema, Mapping):
        return schema
    result = {key: value for key, value in schema.items() if key not in _TELLING}
    if isinstance(schema.get("properties"), Mapping):
        result["properties"] = {
            name: item for name, item in schema["properties"].items() if name not in forced
        }
    if "required" in schema:
        result["required"] = [name for name in schema["required"] if name not in forced]
    for key in ("dependentRequired", "dependentSchemas"):
        if key in schema:
            result[key] = {
                name: _without(item, forced) for name, item in schema[key].items() if name not in forced
            }
    for name, names in result.get("dependentRequired", {}).items():
        result["dependentRequired"][name] = [other for other in names if other not in forced]
    for key in _SAME_VALUE:
        if key in schema:
            result[key] = [_without(item, forced) for item in schema[key]]
    for key in _SAME_VALUE_ONE:
        if key in schema:
            result[key] = _without(schema[key], forced)
    return result
