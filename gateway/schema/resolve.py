"""A schema with every reference replaced by what it refers to, within bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from gateway.schema.keywords import DEFINITIONS, HOLDING, MOVING, KeyPath, Schema, mapped, subschemas

MAX_SCHEMAS = 5_000
MAX_VALUES = 50_000
MAX_DEPTH = 32

_DROPPED = DEFINITIONS | {"$ref", "$schema", "$comment"}
_NOTES = frozenset({"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"})


class SchemaError(ValueError):
    """A schema that can't be used; `path` leads to the part that is wrong."""

    def __init__(self, message: str, path: KeyPath, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.help = help


class Resolved(dict[str, Any]):
    """A schema without references, which stays as it is when it is resolved once more."""


def resolved(schema: Mapping[str, Any]) -> Resolved:
    """The schema without references; raises `SchemaError` where one is not local, dangling or circular.

    Inlining makes each use of a definition a place of its own, which is what closing objects needs: a
    definition can be closed where it stands alone and left open where it is combined.
    """
    if isinstance(schema, Resolved):
        return schema
    bounded(schema)
    result = _Resolver(schema).inline(schema, (), (), 0)
    return Resolved(result) if isinstance(result, dict) else Resolved()


def bounded(value: object) -> None:
    """Raise `SchemaError` for a schema with too many values or too deep; without recursion."""
    count = 0
    pending: list[tuple[object, int, KeyPath]] = [(value, 0, ())]
    while pending:
        current, depth, path = pending.pop()
        count += 1
        if count > MAX_VALUES:
            raise SchemaError(f"the schema holds more than {MAX_VALUES} values", ())
        if depth > 2 * MAX_DEPTH:
            raise SchemaError(f"the schema is nested deeper than {2 * MAX_DEPTH}", path[:4])
        if isinstance(current, str):
            continue
        if isinstance(current, Mapping):
            pending.extend((item, depth + 1, (*path, key)) for key, item in current.items())
        elif isinstance(current, list | tuple):
            pending.extend((item, depth + 1, (*path, index)) for index, item in enumerate(current))


class _Resolver:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self.count = 0

    def inline(self, schema: Schema, path: KeyPath, through: tuple[str, ...], depth: int) -> Schema:
        self.count += 1
        if self.count > MAX_SCHEMAS:
            raise SchemaError(f"the schema unfolds into more than {MAX_SCHEMAS} parts", ())
        if depth > MAX_DEPTH:
            raise SchemaError(f"the schema unfolds deeper than {MAX_DEPTH}", path[:4])
        if not isinstance(schema, Mapping):
            return schema
        for key in schema:
            if key in MOVING:
                raise SchemaError(
                    f"`{key}` is not allowed in a tool's schema",
                    (*path, key),
                    "refer with `$ref: '#/$defs/name'`",
                )
        if HOLDING.isdisjoint(schema) and "$ref" not in schema:
            return {key: value for key, value in schema.items() if key not in _DROPPED}
        places = iter([place for place, _ in subschemas(schema) if place[0] not in DEFINITIONS])
        kept = {key: value for key, value in schema.items() if key not in _DROPPED}
        result = mapped(kept, lambda inner: self.inline(inner, (*path, *next(places)), through, depth + 1))
        if "$ref" in schema:
            return self._follow(schema["$ref"], result, path, through, depth)
        return result

    def _follow(
        self, reference: object, beside: dict[str, Any], path: KeyPath, through: tuple[str, ...], depth: int
    ) -> Schema:
        place = (*path, "$ref")
        if not isinstance(reference, str) or not reference.startswith("#/"):
            raise SchemaError(
                "a reference leads out of the schema",
                place,
                "only references such as `#/$defs/name` are followed",
            )
        if reference in through:
            raise SchemaError(
                f"`{reference}` refers to itself", place, "write the levels out that are needed"
            )
        target = self._target(reference, place)
        inlined = self.inline(target, path, (*through, reference), depth + 1)
        if not isinstance(inlined, dict):
            return {"allOf": [inlined], **beside} if beside else inlined
        if all(key in _NOTES or key.startswith("x-") for key in beside):
            return {**inlined, **beside}
        return {**beside, "allOf": [inlined, *beside.get("allOf", ())]}

    def _target(self, reference: str, place: KeyPath) -> Schema:
        current: Any = self.root
        for step in _pointer(reference):
            if isinstance(current, Mapping) and step in current:
                current = current[step]
            elif (
                isinstance(current, list | tuple)
                and step.isascii()
                and step.isdigit()
                and int(step) < len(current)
            ):
                current = current[int(step)]
            else:
                raise SchemaError(f"`{reference}` leads nowhere", place, "define it under `$defs`")
        if not isinstance(current, Mapping | bool):
            raise SchemaError(f"`{reference}` leads to no schema", place, "refer to one under `$defs`")
        return current


def _pointer(reference: str) -> Iterator[str]:
    for step in reference[2:].split("/"):
        yield unquote(step).replace("~1", "/").replace("~0", "~")
