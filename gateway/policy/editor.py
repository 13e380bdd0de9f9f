"""The JSON Schema of policy files, by which editors complete and underline."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from gateway.policy.part import Part
from gateway.policy.read import PolicyFile
from gateway.policy.settings import Override


class _Generator(GenerateJsonSchema):
    """Without titles made from keys, and without null for keys that may be left out but not left empty."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        result = super().default_schema(schema)
        return {key: value for key, value in result.items() if key != "default" or value is not None}


def editor_schema() -> dict[str, Any]:
    """The schema that stands beside this module as `policy.schema.json`."""
    schema = schema_of(PolicyFile)
    override = schema["$defs"]["Override"]["properties"]
    for key in sorted(Override.may_be_empty):
        value = dict(override[key])
        description = value.pop("description")
        override[key] = {"anyOf": [value, {"type": "null"}], "description": description}
    return schema


def schema_of(model: type[Part]) -> dict[str, Any]:
    """The schema of files that a model reads, for editors."""
    schema = model.model_json_schema(schema_generator=_Generator)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
