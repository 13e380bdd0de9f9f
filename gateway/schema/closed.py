"""A schema that refuses every key which it does not declare, at every depth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gateway.schema.keywords import HOLDING, Schema, subschemas, types_of
from gateway.schema.resolve import SchemaError, resolved

Branch = tuple[tuple[str, int], ...]
"""How a schema applies to the same value as another: by which applicators, and as which of them."""
Child = tuple[str, str | int]
"""Which part of a value a schema speaks about: a property, the items, an item."""

_ANYTHING = "anything-closed"
_MOST_COMBINED = 200_000
"""How many pairs of schemas that speak about the same part of a value are looked at, put together as ten."""
_REWRITTEN = HOLDING | {"minContains", "maxContains"}
_PARTS = {"properties", "patternProperties"}
_WHOLE = ("items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties")


def closed(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without references and with objects closed, unless they say `additionalProperties: true`.

    A value that declares nothing may hold no keys at all. Conditions (`if`, `not`, `contains`) hold when they
    did, and what only they name is not declared. Raises `SchemaError` where too much is combined.
    """
    closer = _Closer()
    result = closer.site(resolved(schema))
    anything = {"additionalProperties": False, "items": {"$ref": f"#/$defs/{_ANYTHING}"}}
    return {**result, "$defs": {_ANYTHING: anything, **closer.outlines}}


def _fixed(schema: Mapping[str, Any]) -> bool:
    """Whether the values are listed, so that nothing can be added to them."""
    return "const" in schema or "enum" in schema


def _plain(schema: Schema) -> bool:
    """Whether the value can be neither object nor array, or is one of those listed."""
    if not isinstance(schema, Mapping):
        return schema is False
    types = types_of(schema)
    return _fixed(schema) or bool(types and not types & {"object", "array"})


def _branches(schema: Schema, branch: Branch) -> Iterator[tuple[Branch, Mapping[str, Any]]]:
    """A schema and those that judge the same value with it; conditions are left out."""
    if not isinstance(schema, Mapping):
        return
    yield branch, schema
    for key in ("allOf", "anyOf", "oneOf"):
        for index, item in enumerate(schema.get(key, ())):
            yield from _branches(item, (*branch, (key, index)))
    for index, key in enumerate(("then", "else")):
        yield from _branches(schema.get(key), (*branch, ("then-else", index)))
    for index, item in enumerate(schema.get("dependentSchemas", {}).values()):
        yield from _branches(item, (*branch, ("dependentSchemas", index)))


def _children(schema: Mapping[str, Any]) -> Iterator[tuple[Child, Schema]]:
    for key in _PARTS:
        for name, item in schema.get(key, {}).items():
            yield (key, name), item
    for index, item in enumerate(schema.get("prefixItems", ())):
        yield ("prefixItems", index), item
    for key in _WHOLE:
        if isinstance(schema.get(key), Mapping) or (key == "items" and key in schema):
            yield (key, ""), schema[key]


def _copies(schema: Mapping[str, Any]) -> dict[Child, list[tuple[Branch, Schema]]]:
    """For each part of the value, every schema that speaks about it."""
    copies: dict[Child, list[tuple[Branch, Schema]]] = {}
    for branch, item in _branches(schema, ()):
        for child, inner in _children(item):
            copies.setdefault(child, []).append((branch, inner))
    return copies


def _exclusive(one: Branch, other: Branch) -> bool:
    """Whether two branches are different alternatives of one choice."""
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            return mine[0] == theirs[0] and mine[0] in ("anyOf", "oneOf", "then-else")
    return False


class _Closer:
    """Closes one schema; what may be there where several schemas meet is written once and referred to."""

    def __init__(self) -> None:
        self.outlines: dict[str, Any] = {}
        self.named: dict[frozenset[int], str] = {}
        self.left = _MOST_COMBINED

    def combine(self, count: int) -> None:
        """Take from what may be combined."""
        self.left -= count
        if self.left < 0:
            raise SchemaError("the schema combines too many schemas", (), "write fewer of them into `allOf`")

    def site(self, schema: Schema) -> Any:
        """Close a schema that alone says what one value may be."""
        if schema is True or schema == {}:
            return {"$ref": f"#/$defs/{_ANYTHING}"}
        if not isinstance(schema, Mapping):
            return schema
        types = types_of(schema)
        if _REWRITTEN.isdisjoint(schema):
            result, combined = dict(schema), False
        else:
            result = self.rewritten(schema, (), _copies(schema))
            combined = any(branch for branch, _ in _branches(schema, ()))
        if (not types or "object" in types) and not _fixed(schema):
            key = "unevaluatedProperties" if combined else "additionalProperties"
            if "additionalProperties" not in schema:
                result.setdefault(key, False)
        if (not types or "array" in types) and not _fixed(schema) and "items" not in schema:
            key = "unevaluatedItems" if combined else "items"
            result.setdefault(key, {"$ref": f"#/$defs/{_ANYTHING}"})
        return result

    def part(self, inner: Schema, branch: Branch, copies: Sequence[tuple[Branch, Schema]]) -> Any:
        """Close what one branch says about a part of the value, given everything that is said about it."""
        self.combine(len(copies))
        rivals = [item for where, item in copies if where != branch and not _exclusive(where, branch)]
        if not rivals:
            return self.site(inner)
        together = [inner, *rivals]
        if any(map(_plain, together)):
            return inner
        key = frozenset(map(id, together))
        name = self.named.get(key)
        if name is None:
            self.combine(10 * sum(map(_extent, together)))
            name = self.named[key] = f"outline-{len(self.named)}"
            self.outlines[name] = _outline(together)
        return {"allOf": [inner, {"$ref": f"#/$defs/{name}"}]}

    def rewritten(
        self,
        schema: Mapping[str, Any],
        branch: Branch,
        copies: Mapping[Child, Sequence[tuple[Branch, Schema]]],
    ) -> dict[str, Any]:
        """A copy of one branch, in which the schemas of the value's parts are closed."""

        def part(child: Child, inner: Schema) -> Any:
            return self.part(inner, branch, copies[child])

        def nested(inner: Schema, *step: tuple[str, int]) -> Any:
            if not isinstance(inner, Mapping):
                return inner
            return self.rewritten(inner, (*branch, *step), copies)

        result = dict(schema)
        for key in _PARTS & schema.keys():
            result[key] = {name: part((key, name), item) for name, item in schema[key].items()}
        if "prefixItems" in schema:
            result["prefixItems"] = [
                part(("prefixItems", i), item) for i, item in enumerate(schema["prefixItems"])
            ]
        for key in _WHOLE:
            if isinstance(schema.get(key), Mapping) or (key == "items" and key in schema):
                result[key] = part((key, ""), schema[key])
        for key in ("allOf", "anyOf", "oneOf"):
            if key in schema:
                result[key] = [nested(item, (key, index)) for index, item in enumerate(schema[key])]
        if "if" in schema:
            result["if"] = {"not": {"not": schema["if"]}}  # the same condition, but it declares nothing
        for index, key in enumerate(("then", "else")):
            if key in schema:
                result[key] = nested(schema[key], ("then-else", index))
        if "dependentSchemas" in schema:
            result["dependentSchemas"] = {
                name: nested(item, ("dependentSchemas", index))
                for index, (name, item) in enumerate(schema["dependentSchemas"].items())
            }
        return _without_contained(result)


def _extent(schema: Schema) -> int:
    """How many schemas one holds at every depth, itself included."""
    count, pending = 0, [schema]
    while pending:
        current = pending.pop()
        count += 1
        if isinstance(current, Mapping):
            pending.extend(below for _, below in subschemas(current))
    return count


def _without_contained(schema: dict[str, Any]) -> dict[str, Any]:
    """Ask for contained items in a way that does not declare them."""
    asked = {key: schema.pop(key) for key in ("contains", "minContains", "maxContains") if key in schema}
    if "contains" in asked:
        schema["allOf"] = [*schema.get("allOf", ()), {"not": {"not": asked}}]
    return schema


def _outline(schemas: Sequence[Schema]) -> Any:
    """Only the keys that some of the schemas declare: what may be there when all of them apply together."""
    branches = [item for schema in schemas for _, item in _branches(schema, ())]
    children: dict[Child, list[Schema]] = {}
    for branch in branches:
        for child, inner in _children(branch):
            children.setdefault(child, []).append(inner)
    opened = any(branch.get(key) is True for branch in branches for key in _WHOLE[1::2])
    result: dict[str, Any] = {}
    for (key, name), found in children.items():
        if key in _PARTS:
            result.setdefault(key, {})[name] = _outline(found)
        elif key == "items":
            result[key] = _outline(found)
    if not opened and ("additionalProperties", "") not in children:
        result["additionalProperties"] = False
    if ("items", "") not in children and not any(key == "prefixItems" for key, _ in children):
        result["items"] = {"$ref": f"#/$defs/{_ANYTHING}"}
    return result
