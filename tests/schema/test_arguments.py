"""What a schema says about arguments: problems, defaults, types, roles, and what the model is shown."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.schema import (
    EACH,
    Presence,
    Validator,
    WithDefaults,
    closed,
    collected,
    emitted,
    fields,
    role_paths,
    sensitive_paths,
)


def top(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties}


MAIL = top(
    "to",
    to={"type": "array", "minItems": 1, "items": {"type": "string", "format": "email"}},
    priority={"enum": ["low", "high"]},
    retries={"type": "integer", "minimum": 3, "maximum": 9},
    code={"type": "string", "pattern": "^[A-Z]{2}$", "examples": ["DE"]},
    sender={"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, '`to` is required, such as `["name@example.com"]`'),
        ({"to": "a"}, '`to` must be a list, such as `["name@example.com"]`'),
        ({"to": []}, '`to` must have at least 1 item, such as `["name@example.com"]`'),
        ({"to": [1]}, '`to[0]` must be a text, such as `"name@example.com"`'),
        (
            {"to": ["a@example.com"], "priority": "mid"},
            '`priority` must be one of `"low"`, `"high"`, such as `"low"`',
        ),
        ({"to": ["a@example.com"], "retries": 1}, "`retries` must be at least 3, such as `3`"),
        (
            {"to": ["a@example.com"], "code": "de"},
            '`code` must match the pattern "^[A-Z]{2}$", such as `"DE"`',
        ),
        ({"to": ["a@example.com"], "sender": {}}, '`sender.name` is required, such as `"text"`'),
        (
            {"to": ["a@example.com"], "sender": {"nam": "x"}},
            "`sender.nam` is no field that is known there; did you mean `name`?",
        ),
        (
            {"to": ["a@example.com"], "prioriti": "low"},
            "`prioriti` is no argument of this tool; did you mean `priority`?",
        ),
        (
            {"to": ["a@example.com"], "zzz": 1},
            "`zzz` is no argument of this tool, which takes `to`, `priority`, `retries`, `code`, `sender`",
        ),
    ],
)
def test_a_problem_names_field_expectation_and_example(arguments: dict[str, Any], text: str) -> None:  # B18
    problem = Validator(closed(MAIL)).problem(arguments)
    assert problem is not None
    assert problem.text == text


def test_a_forced_argument_is_never_suggested() -> None:  # E2
    schema = closed(top(user_id={"type": "string"}))
    hidden = Validator(schema, frozenset({"user_id"})).problem({"user_di": "x"})
    shown = Validator(schema).problem({"user_di": "x"})
    assert hidden is not None
    assert shown is not None
    assert "user_id" not in hidden.text
    assert "user_id" in shown.text


def test_a_choice_is_explained_by_the_form_that_was_meant() -> None:
    schema = top(
        target={
            "oneOf": [
                {"type": "object", "required": ["kind"], "properties": {"kind": {"const": "mail"}, "to": {}}},
                {
                    "type": "object",
                    "required": ["kind"],
                    "properties": {"kind": {"const": "page"}, "url": {"type": "string"}},
                },
            ]
        }
    )
    problem = Validator(closed(schema)).problem({"target": {"kind": "page", "url": 5}})
    assert problem is not None
    assert problem.text == '`target.url` must be a text, such as `"text"`'


@given(st.sampled_from(sorted(MAIL["properties"])), st.sampled_from([None, 1, "x", [], {}, True]))
def test_an_example_would_be_accepted(name: str, value: Any) -> None:
    validator = Validator(closed(MAIL))
    problem = validator.problem({"to": ["a@example.com"], name: value})
    if problem is not None and problem.example and problem.field == name:
        assert validator.problem({"to": ["a@example.com"], name: json.loads(problem.example)}) is None


DEFAULTS = top(
    folder={"type": "string", "default": "inbox"},
    options={
        "type": "object",
        "properties": {"depth": {"type": "integer", "default": 2}, "tags": {"default": []}},
    },
    rows={"type": "array", "items": {"properties": {"open": {"default": True}}}},
    frame={"type": "object", "default": {}, "properties": {"width": {"default": 80}}},
)


def test_defaults_are_filled_in_also_inside() -> None:
    fill = WithDefaults(DEFAULTS)
    assert fill({}) == {"folder": "inbox", "frame": {"width": 80}}
    given_values = {"folder": "sent", "options": {"tags": ["a"]}, "rows": [{"open": False}, {}], "frame": {}}
    before = deepcopy(given_values)
    assert fill(given_values) == {
        "folder": "sent",
        "options": {"tags": ["a"], "depth": 2},
        "rows": [{"open": False}, {"open": True}],
        "frame": {"width": 80},
    }
    assert given_values == before


def test_nothing_is_copied_when_nothing_is_missing() -> None:
    arguments = {
        "folder": "a",
        "options": {"depth": 1, "tags": []},
        "rows": [{"open": True}],
        "frame": {"width": 1},
    }
    assert WithDefaults(DEFAULTS)(arguments) is arguments
    assert WithDefaults(MAIL)(arguments) is arguments


def test_a_default_is_never_shared() -> None:
    fill = WithDefaults(DEFAULTS)
    first = dict(fill({}))
    first["frame"]["width"] = 1
    assert fill({}) == {"folder": "inbox", "frame": {"width": 80}}


def test_defaults_in_alternatives_are_not_filled_in() -> None:
    schema = {
        **top(),
        "anyOf": [top(a={"default": 1}), top(b={"default": 2})],
        "allOf": [top(c={"default": 3})],
    }
    assert WithDefaults(schema)({}) == {"c": 3}
    found = fields(schema)
    assert [found[name].presence for name in "abc"] == [
        Presence.OPTIONAL,
        Presence.OPTIONAL,
        Presence.DEFAULTED,
    ]


VALUES = st.recursive(
    st.sampled_from(["x", 1, None]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(
            st.sampled_from(["folder", "options", "depth", "rows", "open", "frame"]), inner, max_size=3
        ),
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["folder", "options", "rows", "frame"]), VALUES))
def test_filling_in_defaults_twice_changes_nothing(arguments: dict[str, Any]) -> None:
    fill = WithDefaults(DEFAULTS)
    before = deepcopy(arguments)
    once = fill(arguments)
    assert fill(once) is once
    assert arguments == before
    for name, field in fields(DEFAULTS).items():
        assert field.presence is Presence.OPTIONAL or name in once


def test_fields_have_types_and_presence() -> None:
    found = fields(MAIL)
    assert {name: (sorted(field.type.types), field.presence.value) for name, field in found.items()} == {
        "to": (["array"], "required"),
        "priority": (["string"], "optional"),
        "retries": (["integer"], "optional"),
        "code": (["string"], "optional"),
        "sender": (["object"], "optional"),
    }
    assert found["to"].type.items is not None
    assert found["to"].type.items.types == {"string"}
    name = found["sender"].type.fields["name"]
    assert name.type.types == {"string"}
    assert name.presence is Presence.REQUIRED
    assert found["sender"].type.values is None


def test_fields_of_combined_schemas() -> None:
    schema = {
        **top(kind={"type": "string"}),
        "oneOf": [
            top("kind", kind={"const": "x"}, n={"type": "integer"}),
            top("kind", kind={"const": "y"}, n={"type": "string"}, m={"type": "null"}),
        ],
    }
    found = fields(schema)
    assert found["kind"].presence is Presence.REQUIRED
    assert found["kind"].type.types == {"string"}
    assert found["n"].type.types == {"integer", "string"}
    assert found["m"].presence is Presence.OPTIONAL


def test_open_objects_say_what_their_values_are() -> None:
    found = fields(
        top(
            a={"type": "object", "additionalProperties": True},
            b={"type": "object", "additionalProperties": {"type": "integer"}},
            c={"type": ["number", "null"]},
        )
    )
    assert found["a"].type.values is not None
    assert "string" in found["a"].type.values.types
    assert found["b"].type.values is not None
    assert found["b"].type.values.types == {"integer"}
    assert found["c"].type.types == {"integer", "number", "null"}


ROLES = top(
    to={"type": "array", "items": {"type": "string"}, "x-role": "recipient"},
    cc={"type": "array", "items": {"type": "string", "x-role": "recipient"}},
    lines={"type": "array", "items": {"properties": {"iban": {"type": "string", "x-role": "recipient"}}}},
    by_name={"additionalProperties": {"type": "string", "x-role": "content"}},
    secret={"type": "string", "x-sensitive": True},
)


def test_roles_have_paths_in_the_order_of_names() -> None:
    assert role_paths(ROLES) == {
        "recipient": (("cc", EACH), ("lines", EACH, "iban"), ("to",)),
        "content": (("by_name", EACH),),
    }
    assert sensitive_paths(ROLES) == (("secret",),)


def test_values_of_a_role_are_always_a_list() -> None:
    arguments = {"to": ["a", "b"], "cc": ["c"], "lines": [{"iban": "d"}, {}], "by_name": {"x": "e"}}
    assert collected(arguments, role_paths(ROLES)["recipient"]) == ["c", "d", "a", "b"]
    assert collected(arguments, role_paths(ROLES)["content"]) == ["e"]
    assert collected({}, role_paths(ROLES)["recipient"]) == []
    assert collected({"to": "a"}, role_paths(ROLES)["recipient"]) == ["a"]


def test_the_model_is_not_shown_what_is_set_for_it() -> None:  # E2
    schema = {
        **top("query", "user_id", query={"type": "string", "x-role": "query"}, user_id={"type": "string"}),
        "anyOf": [{"required": ["user_id"]}, {"properties": {"user_id": {"const": "x"}}}],
        "dependentRequired": {"user_id": ["query"], "query": ["user_id"]},
    }
    before = deepcopy(schema)
    assert emitted(schema, frozenset({"user_id"})) == {
        **top("query", query={"type": "string"}),
        "anyOf": [{"required": []}, {"properties": {}}],
        "dependentRequired": {"query": []},
    }
    assert schema == before


def test_only_our_own_marks_are_taken_out() -> None:
    schema = top(**{"x-role": {"type": "string", "x-role": "owner", "default": {"x-a": 1}}})
    assert emitted(schema, frozenset()) == top(**{"x-role": {"type": "string", "default": {"x-a": 1}}})


@pytest.mark.parametrize("uri", ["https://example.com/a", "file:///etc/passwd", "json-schema:///a"])
def test_nothing_is_ever_fetched(uri: str) -> None:
    with pytest.raises(ValueError, match="retrieving it failed"):
        Validator({"$ref": uri})


@pytest.mark.parametrize(
    ("schema", "value", "text"),
    [
        ({"type": "integer", "exclusiveMinimum": 3}, 3, "`v` must be more than 3, such as `4`"),
        ({"type": "integer", "exclusiveMaximum": 0}, 0, "`v` must be less than 0, such as `-1`"),
        ({"type": "integer", "maximum": -2}, 0, "`v` must be at most -2, such as `-2`"),
        (
            {"type": "integer", "minimum": 7, "multipleOf": 5},
            8,
            "`v` must be a multiple of 5, such as `10`",
        ),
        ({"type": "string", "minLength": 6}, "a", "`v` must have at least 6 characters, such as `\"textxx\"`"),
        ({"type": "string", "maxLength": 1}, "ab", "`v` must have at most 1 character, such as `\"t\"`"),
        ({"type": ["boolean", "null"]}, 1, "`v` must be true or false or null, such as `true`"),
        ({"const": 5}, 4, "`v` must be `5`, such as `5`"),
        ({"type": "array", "uniqueItems": True}, [1, 1], '`v` must not hold an item twice, such as `["text"]`'),
        ({"type": "array", "maxItems": 0}, [1], "`v` must have at most 0 items, such as `[]`"),
        ({"anyOf": [{"const": 1}, {"const": 2}]}, 3, "`v` must fit one of the forms that the schema lists, such as `1`"),
        ({"not": {"type": "string"}}, "a", "`v` must not have this form, such as `[\"text\"]`"),
        ({"type": "string", "pattern": "^[0-9]{9}$"}, "a", '`v` must match the pattern "^[0-9]{9}$"'),
        (False, 1, "`v` is not allowed here"),
        (
            {"type": "object", "properties": {"a": {}}, "required": ["a"], "minProperties": 1},
            5,
            '`v` must be an object, such as `{"a": "text"}`',
        ),
    ],
)  # fmt: skip
def test_every_expectation_has_words(schema: Any, value: Any, text: str) -> None:  # B18
    problem = Validator(closed(top(v=schema))).problem({"v": value})
    assert problem is not None
    assert problem.text == text


@pytest.mark.parametrize(
    ("schema", "choices"),
    [
        ({"enum": ["a", "b", 1]}, ("a", "b")),
        ({"const": "a"}, ("a",)),
        ({"type": "string"}, ()),
        ({"enum": ["a", "b"], "allOf": [{"enum": ["b", "c"]}]}, ("b",)),
        ({"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "integer"}]}, ("a", "b")),
        ({"anyOf": [{"const": "a"}, {"type": "string"}]}, ()),
        ({"enum": ["a"], "if": {"const": "a"}, "then": {"const": "b"}}, ("a",)),
    ],
)
def test_listed_texts_are_known(schema: dict[str, Any], choices: tuple[str, ...]) -> None:
    found = fields({"type": "object", "properties": {"x": schema}})
    assert found["x"].type.choices == choices
