"""What may stand at a place of a file: the keys with their descriptions, and the words that a value can be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from gatewayctl.editor.outline import Path

Schema = Mapping[str, Any]
_LEVELS = ("READ_ONLY", "LOW", "MEDIUM", "HIGH", "IRREVERSIBLE")
_MOST = 200


def at(path: Path, *, in_test: bool) -> list[Schema]:
    """The schemas that a value has to fit; none where anything may stand, or where nothing may."""
    root = _tests() if in_test else _policies()
    found: list[tuple[Schema, Schema]] = [(each, root) for each in _alternatives(root, root)]
    for step in path:
        found = [
            (each, own)
            for schema, own in found
            for below, own in _step(schema, own, step)
            for each in _alternatives(below, own)
        ]
    return [schema for schema, _ in found]


def keys(schemas: list[Schema]) -> dict[str, Schema]:
    """The keys that a mapping may have, each with what its value has to fit."""
    found: dict[str, Schema] = {}
    for schema in schemas:
        for key, value in schema.get("properties", {}).items():
            found.setdefault(key, value)
        for key in schema.get("propertyNames", {}).get("enum", ()):
            found.setdefault(key, {})
    return found


def required(schemas: list[Schema]) -> frozenset[str]:
    """The keys that have to be written."""
    return frozenset(key for schema in schemas for key in schema.get("required", ()))


def words(schemas: list[Schema]) -> list[str]:
    """The words that a value can be, if it is one of a few."""
    found: list[str] = []
    for schema in schemas:
        if schema.get("type") == "boolean":
            found += ["true", "false"]
        found += [str(word) for word in schema.get("enum", ()) if isinstance(word, str)]
        if isinstance(schema.get("const"), str | int):
            found.append(str(schema["const"]))
        if "(READ_ONLY|" in str(schema.get("pattern", "")):
            found += [*_LEVELS, *(f">={level}" for level in _LEVELS[1:])]
    return list(dict.fromkeys(found))[:_MOST]


def is_list(schemas: list[Schema]) -> bool:
    """Whether a value is a list and nothing else."""
    return bool(schemas) and all(schema.get("type") == "array" for schema in schemas)


def description(path: Path, *, in_test: bool) -> str:
    """What is said about the key at the end of a path."""
    if not path or not isinstance(path[-1], str):
        return ""
    for schema in at(path[:-1], in_test=in_test):
        own = schema.get("properties", {}).get(path[-1])
        if own is not None:
            return told(own)
    return ""


def told(schema: Schema) -> str:
    """A description with the words that the value can be, and what counts where the key is not written."""
    text = str(schema.get("description", ""))
    choices = words(list(_alternatives(schema, _policies())))
    more = [f"One of {', '.join(f'`{word}`' for word in choices)}."] if 1 < len(choices) <= 8 else []
    if schema.get("default") not in (None, [], {}, ""):
        more.append(f"Default: `{json.dumps(schema['default'])}`.")
    return "\n\n".join(part for part in (text, *more) if part)


def _step(schema: Schema, root: Schema, step: str | int) -> Iterator[tuple[Schema, Schema]]:
    if isinstance(step, int):
        if isinstance(schema.get("items"), Mapping):
            yield schema["items"], root
        return
    own = schema.get("properties", {}).get(step)
    if own is not None:
        yield own, _ARGUMENTS if step == "parameters" and root is _policies() else root
        if step == "parameters" and root is _policies():
            yield _ARGUMENTS["$defs"]["Schema"], _ARGUMENTS
        return
    for inner in (schema.get("additionalProperties"), *schema.get("patternProperties", {}).values()):
        if isinstance(inner, Mapping):
            yield inner, root


def _alternatives(schema: Schema, root: Schema) -> Iterator[Schema]:
    """A schema without references and choices: each of those that it may stand for."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        yield from _alternatives(root.get("$defs", {}).get(name, {}), root)
        return
    choices = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if not choices:
        yield schema
    for choice in choices:
        if choice.get("type") != "null":
            yield from _alternatives(choice, root)


@cache
def _policies() -> Schema:
    text = files("gateway.policy").joinpath("policy.schema.json").read_text(encoding="utf-8")
    schema: Schema = json.loads(text)
    return schema


@cache
def _tests() -> Schema:
    from gateway.testing.form import CaseFile

    return CaseFile.model_json_schema()


_SCHEMA = {"$ref": "#/$defs/Schema"}
_SCHEMAS = {"type": "object", "additionalProperties": _SCHEMA}
_TEXT = {"type": "string"}
_COUNT = {"type": "integer"}


def _said(schema: Schema, text: str) -> Schema:
    return {**schema, "description": text}


_TYPES = ["object", "array", "string", "integer", "number", "boolean", "null"]
_ARGUMENTS: Schema = MappingProxyType(
    {
        "$defs": {
            "Schema": {
                "properties": {
                    "type": _said({"enum": _TYPES}, "What kind of value it is."),
                    "description": _said(_TEXT, "What the model is told about it."),
                    "properties": _said(_SCHEMAS, "The fields of an object, by name."),
                    "required": _said({"type": "array"}, "The fields that must be there."),
                    "additionalProperties": _said(
                        {"anyOf": [{"type": "boolean"}, _SCHEMA]},
                        "Whether other fields may be there, or what they have to be; without it they may not.",
                    ),
                    "items": _said(_SCHEMA, "What the elements of a list have to be."),
                    "enum": _said({"type": "array"}, "The only values that it can be."),
                    "const": _said({}, "The only value that it can be."),
                    "default": _said({}, "What it is where the call leaves it out; it counts as present."),
                    "minimum": _said({"type": "number"}, "The least number."),
                    "maximum": _said({"type": "number"}, "The greatest number."),
                    "minLength": _said(_COUNT, "The fewest characters of a text."),
                    "maxLength": _said(_COUNT, "The most characters of a text."),
                    "minItems": _said(_COUNT, "The fewest elements of a list."),
                    "maxItems": _said(_COUNT, "The most elements of a list."),
                    "uniqueItems": _said({"type": "boolean"}, "Whether no two elements may be the same."),
                    "pattern": _said(_TEXT, "A regular expression that a part of the text has to match."),
                    "format": _said(_TEXT, "What kind of text it is, such as `date` or `uri`."),
                    "x-role": _said(
                        {"enum": ["recipient", "content", "money", "query", "path", "owner"]},
                        "What part it plays; conditions read it as `roles.recipient` and so on.",
                    ),
                    "x-sensitive": _said(
                        {"type": "boolean"}, "Whether it is blanked out wherever it would be shown."
                    ),
                    "anyOf": _said({"type": "array", "items": _SCHEMA}, "Schemas of which one has to fit."),
                    "oneOf": _said(
                        {"type": "array", "items": _SCHEMA}, "Schemas of which just one has to fit."
                    ),
                    "allOf": _said({"type": "array", "items": _SCHEMA}, "Schemas that all have to fit."),
                    "$ref": _said(_TEXT, "Another schema in the same one, as `#/$defs/name`."),
                    "$defs": _said(_SCHEMAS, "Schemas that `$ref` names."),
                }
            }
        }
    }
)
"""What `parameters` may say, a JSON Schema itself; the loader knows more keywords than are worth proposing."""
