"""Schemas as an attacker's input: what is refused before they judge anything."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gateway.diagnostic import Source
from gateway.document import read_document
from gateway.policy import Where
from gateway.schema import SchemaError, check_schema, resolved


def top(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def messages(schema: object) -> list[str]:
    return [diagnostic.message for diagnostic in check_schema(schema, None)]


def test_sound_schemas_have_no_problem() -> None:
    assert messages(top()) == []
    assert messages({"type": "object"}) == []
    assert (
        messages(
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "type": "object",
                "required": ["to"],
                "properties": {
                    "to": {
                        "type": "array",
                        "items": {"$ref": "#/definitions/address"},
                        "x-role": "recipient",
                    },
                    "token": {"type": "string", "x-sensitive": True, "default": ""},
                },
                "definitions": {"address": {"type": "string", "pattern": "^[a-z]+@[a-z.]+$"}},
            }
        )
        == []
    )


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ([], "a tool's schema has `type: object`"),
        ({"type": "array"}, "a tool's schema has `type: object`"),
        ({"properties": {}}, "a tool's schema has `type: object`"),
        (top(a={"type": "strin"}), "`type` is not as JSON Schema defines it"),
        (top(a={"minLength": "3"}), "`minLength` is not as JSON Schema defines it"),
        ({"type": "object", "required": "a"}, "`required` is not as JSON Schema defines it"),
        (top(a={"$ref": "https://example.com/a"}), "a reference leads out of the schema"),
        (top(a={"$ref": "file:///etc/passwd"}), "a reference leads out of the schema"),
        (top(a={"$ref": "#"}), "a reference leads out of the schema"),
        (top(a={"$ref": "#/$defs/a"}), "`#/$defs/a` leads nowhere"),
        (top(a={"$ref": "#/type"}), "`#/type` leads to no schema"),
        (top(a={"$ref": "#/properties/a"}), "`#/properties/a` refers to itself"),
        (
            {**top(a={"$ref": "#/$defs/t"}), "$defs": {"t": {"properties": {"t": {"$ref": "#/$defs/t"}}}}},
            "`#/$defs/t` refers to itself",
        ),
        (top(a={"$id": "https://example.com/"}), "`$id` is not allowed in a tool's schema"),
        (top(a={"$dynamicRef": "#a"}), "`$dynamicRef` is not allowed in a tool's schema"),
        (top(a={"pattern": "(a+)\\1"}), "the pattern can't be matched in linear time"),
        (top(a={"pattern": "^O-[0-9{6}$"}), "the pattern is not a regular expression: missing ]: [0-9{6}$"),
        (top(a={"pattern": "(?!a)"}), "the pattern can't be matched in linear time"),
        (top(a={"pattern": "a" * 1001}), "the pattern is longer than 1000 characters"),
        (top(a={"patternProperties": {"(?=a)": {}}}), "the pattern can't be matched in linear time"),
        (top(a={"x-role": "boss"}), "`boss` is no role of an argument"),
        (top(a={"x-sensitive": "yes"}), "`x-sensitive` is true or false"),
        (top(a={"x-mark": 1}), "`x-mark` is no mark of an argument"),
        (top(a={"type": "integer", "default": "x"}), "the default does not fit: it must be a whole number"),
        (
            top(a={"type": "object", "default": {"b": 1}}),
            "the default does not fit: `b` is no argument of this tool",
        ),
        ({**top(), "$schema": "https://example.com/"}, "the schema is of an unknown kind"),
    ],
)
def test_what_is_wrong_with_a_schema(schema: object, message: str) -> None:
    assert messages(schema) == [message]


def test_keywords_that_mean_nothing_do_no_harm_in_a_servers_schema() -> None:
    assert messages(top(a={"nullable": True, "example": 1})) == []


@pytest.mark.parametrize(
    ("schema", "key", "message", "help_"),
    [
        (
            "{type: strng, minLength: 3}",
            "strng",
            "`type` is not as JSON Schema defines it",
            "did you mean `string`?",
        ),
        (
            "{type: [int, 'null']}",
            "[int, 'null']",
            "`type` is not as JSON Schema defines it",
            "did you mean `integer`?",
        ),
        (
            "{type: zzz}",
            "zzz",
            "`type` is not as JSON Schema defines it",
            "the types are `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`",
        ),
        ("{$reff: '#/$defs/a'}", "$reff", "`$reff` is no keyword of JSON Schema", "did you mean `$ref`?"),
        (
            "{minlength: 1}",
            "minlength",
            "`minlength` is no keyword of JSON Schema",
            "did you mean `minLength`?",
        ),
        ("{then: {}}", "then", "`then` means nothing without `if`", "add `if`, or remove it"),
        ("{else: {}}", "else", "`else` means nothing without `if`", "add `if`, or remove it"),
        (
            "{type: array, maxContains: 1}",
            "maxContains",
            "`maxContains` means nothing without `contains`",
            "add `contains`, or remove it",
        ),
        (
            "{type: integer, minLength: 1}",
            "minLength",
            "`minLength` says nothing about the type `integer`",
            "remove it",
        ),
        (
            "{type: [string, 'null'], items: {}}",
            "items",
            "`items` says nothing about the type `null` or `string`",
            "remove it",
        ),
    ],
)
def test_keywords_that_do_nothing_are_errors_in_a_policy(
    schema: str, key: str, message: str, help_: str
) -> None:
    document = read_document(Source("p.yaml", f"type: object\nproperties:\n  a: {schema}\n"))
    (found,) = check_schema(document.data, Where(document, ()))
    assert found.span is not None
    assert (found.span.text, found.message, found.help) == (key, message, help_)


def test_keywords_for_one_of_several_types_are_fine() -> None:
    text = "{type: [integer, string], minLength: 1, minimum: 0}"
    document = read_document(Source("p.yaml", f"type: object\nproperties:\n  a: {text}\n"))
    assert check_schema(document.data, Where(document, ())) == ()


def test_schemas_that_unfold_without_end_are_refused() -> None:
    definitions = {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(30)}
    bomb = {**top(a={"$ref": "#/$defs/d0"}), "$defs": {**definitions, "d30": {"type": "string"}}}
    (message,) = messages(bomb)
    assert message.startswith("the schema unfolds")
    deep: Any = {}
    for _ in range(200):
        deep = {"items": deep}
    (message,) = messages(top(a=deep))
    assert message.startswith("the schema is nested deeper")
    (message,) = messages(top(a={"enum": list(range(60_000))}))
    assert message.startswith("the schema holds more than")


def test_references_are_replaced_by_what_they_refer_to() -> None:
    schema = {
        **top(
            a={"$ref": "#/$defs/text", "description": "a text"},
            b={"$ref": "#/$defs/text", "minLength": 2},
            c={"$ref": "#/properties/a"},
            d={"$ref": "#/$defs/with~1slash"},
        ),
        "$defs": {"text": {"type": "string"}, "with/slash": {"type": "integer"}},
    }
    assert resolved(schema) == top(
        a={"type": "string", "description": "a text"},
        b={"minLength": 2, "allOf": [{"type": "string"}]},
        c={"type": "string", "description": "a text"},
        d={"type": "integer"},
    )


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = top(
        **{"$ref": {"type": "string"}, "x-role": {"type": "string"}, "properties": {"type": "string"}}
    )
    assert messages(schema) == []
    assert resolved(schema) == schema


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["object", "a", "#/a", "#/$defs/a"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "$ref", "$defs", "allOf", "oneOf", "if", "then", "required",
                 "enum", "pattern", "default", "x-role", "a", "additionalProperties", "not", "dependentSchemas"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=15,
)  # fmt: skip


@given(JUNK)
def test_no_schema_crashes_the_check(junk: object) -> None:
    check_schema(junk, None)
    check_schema({"type": "object", "properties": {"a": junk}}, None)
    check_schema({"type": "object", "$defs": {"a": junk}, "properties": {"a": {"$ref": "#/$defs/a"}}}, None)


@given(JUNK)
def test_another_library_agrees_on_what_json_schema_is(junk: object) -> None:
    schema = {"type": "object", "properties": {"a": junk}}
    ours = [message for message in messages(schema) if message.endswith("is not as JSON Schema defines it")]
    try:
        Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError:
        assert ours
    else:
        assert not ours


def test_a_schema_error_says_where() -> None:
    with pytest.raises(SchemaError) as caught:
        resolved(top(a={"items": {"$ref": "#/no"}}))
    assert caught.value.path == ("properties", "a", "items", "$ref")


def test_marks_of_names_are_refused() -> None:
    for mark in ({"x-role": "path"}, {"x-sensitive": True}):
        schema = {"type": "object", "properties": {"f": {"type": "object", "propertyNames": mark}}}
        assert check_schema(schema, None)
