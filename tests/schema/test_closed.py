"""Closed schemas accept what was declared, and nothing else at any depth."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gateway.schema import SchemaError, Validator, check_schema, closed

TEXT = {"type": "string"}


def top(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def fits(schema: dict[str, Any], value: dict[str, Any]) -> bool:
    return Validator(closed(schema)).problem(value) is None


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (top(), {}, True),
        (top(), {"a": 1}, False),
        ({"type": "object"}, {"a": 1}, False),
        ({**top(), "additionalProperties": True}, {"a": {"b": 1}}, True),
        (top(a=top(b=TEXT)), {"a": {"b": "x"}}, True),
        (top(a=top(b=TEXT)), {"a": {"c": "x"}}, False),
        (top(a={"properties": {"b": TEXT}}), {"a": {"c": "x"}}, False),
        (top(a={}), {"a": 1}, True),
        (top(a={}), {"a": {"b": 1}}, False),
        (top(a=True), {"a": {"b": 1}}, False),
        (top(a={"type": "array"}), {"a": [1, [2]]}, True),
        (top(a={"type": "array"}), {"a": [[{"b": 1}]]}, False),
        (top(a={"type": "array", "items": top(b=TEXT)}), {"a": [{"b": "x"}, {"c": "x"}]}, False),
        (top(a={"type": "array", "prefixItems": [top(b=TEXT)]}), {"a": [{"b": "x"}, {"b": "x"}]}, False),
        (top(a={"additionalProperties": top(b=TEXT)}), {"a": {"any": {"b": "x"}}}, True),
        (top(a={"additionalProperties": top(b=TEXT)}), {"a": {"any": {"c": "x"}}}, False),
        (top(a={"type": "object", "additionalProperties": True}), {"a": {"b": {"c": 1}}}, True),
        (top(a={"enum": [{"b": 1}]}), {"a": {"b": 1}}, True),
        (top(a={"patternProperties": {"^p": TEXT}}), {"a": {"pq": "x"}}, True),
        (top(a={"patternProperties": {"^p": TEXT}}), {"a": {"q": "x"}}, False),
    ],
)
def test_objects_are_closed(schema: dict[str, Any], value: dict[str, Any], expected: bool) -> None:
    assert fits(schema, value) is expected


ALL = {**top(a=TEXT), "allOf": [{"properties": {"b": TEXT}}, {"required": ["b"]}]}
ONE = {
    **top(kind=TEXT),
    "oneOf": [
        {"properties": {"kind": {"const": "x"}, "data": top(p=TEXT)}},
        {"properties": {"kind": {"const": "y"}, "data": top(q=TEXT)}},
    ],
}
SPLIT = {**top(a=top(x=TEXT)), "allOf": [top(a=top(y=TEXT))]}
SPLIT_ITEMS = top(a={"type": "array", "items": top(x=TEXT), "allOf": [{"items": top(y=TEXT)}]})
WHEN = {
    **top(mode=TEXT, opts=top(level=TEXT)),
    "if": {"properties": {"opts": {"properties": {"level": {"const": "high"}}, "required": ["level"]}}},
    "then": {"required": ["mode"]},
    "else": {"properties": {"note": TEXT}},
}
REFER = {**top(a={"$ref": "#/$defs/p", "required": ["x"]}), "$defs": {"p": top(x=TEXT, y=TEXT)}}
DEPENDENT = {**top(a=TEXT), "dependentSchemas": {"a": {"properties": {"b": TEXT}}}}
ONLY_ASKED = {
    **top(m=TEXT),
    "if": {"properties": {"evil": True}},
    "then": {"properties": {"b": TEXT}},
}
CONTAINED = top(
    a={
        "type": "array",
        "contains": {"properties": {"n": {"const": 1}}, "required": ["n"]},
        "allOf": [{"minItems": 1}],
    }
)


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        (ONLY_ASKED, {"m": "a", "b": "x"}, True),
        (ONLY_ASKED, {"m": "a", "evil": {"any": 1}}, False),
        (CONTAINED, {"a": [{"n": 1, "evil": 2}]}, False),
        (ALL, {"a": "1", "b": "1"}, True),
        (ALL, {"b": "1", "c": "1"}, False),
        (ONE, {"kind": "x", "data": {"p": "1"}}, True),
        (ONE, {"kind": "x", "data": {"q": "1"}}, False),
        (ONE, {"kind": "x", "other": "1"}, False),
        (SPLIT, {"a": {"x": "1", "y": "1"}}, True),
        (SPLIT, {"a": {"x": "1", "z": "1"}}, False),
        (SPLIT_ITEMS, {"a": [{"x": "1", "y": "1"}]}, True),
        (SPLIT_ITEMS, {"a": [{"x": "1", "z": "1"}]}, False),
        (WHEN, {"opts": {"level": "high"}, "mode": "m"}, True),
        (WHEN, {"opts": {"level": "high"}}, False),
        (WHEN, {"opts": {"level": "low"}, "note": "n"}, True),
        (WHEN, {"opts": {"level": "high"}, "mode": "m", "note": "n"}, False),
        (WHEN, {"opts": {"level": "low", "more": "m"}}, False),
        (REFER, {"a": {"x": "1", "y": "1"}}, True),
        (REFER, {"a": {"x": "1", "z": "1"}}, False),
        (DEPENDENT, {"a": "1", "b": "1"}, True),
        (DEPENDENT, {"b": "1"}, False),
    ],
)
def test_combined_schemas_keep_valid_calls_valid(
    schema: dict[str, Any], value: dict[str, Any], expected: bool
) -> None:
    assert check_schema(schema, None) == ()
    assert fits(schema, value) is expected


NAMES = ("a", "b", "c")
LEAVES = st.sampled_from([{"type": "string"}, {"type": "integer"}, {}, {"type": "array"}, {"const": 1}])


def grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    objects = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3).map(
        lambda found: {"type": "object", "properties": found}
    )
    combined = st.tuples(
        objects, st.sampled_from(["allOf", "anyOf", "oneOf"]), st.lists(objects, min_size=1, max_size=2)
    )
    return st.one_of(
        objects,
        inner.map(lambda item: {"type": "array", "items": item}),
        combined.map(lambda parts: {**parts[0], parts[1]: parts[2]}),
    )


SCHEMAS = st.recursive(LEAVES, grown, max_leaves=8).map(lambda inner: top(a=inner, b={"type": "string"}))
VALUES = st.recursive(
    st.sampled_from(["x", 1, None]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=8,
)


def with_strange_key(value: Any) -> list[Any]:
    """The value with a key that no schema declares, once in each of its objects."""
    found: list[Any] = []
    if isinstance(value, dict):
        found.append({**value, "strange": 1})
        for key, item in value.items():
            found.extend({**value, key: changed} for changed in with_strange_key(item))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found.extend([*value[:index], changed, *value[index + 1 :]] for changed in with_strange_key(item))
    return found


@given(SCHEMAS, VALUES)
def test_an_undeclared_key_is_never_accepted_at_any_depth(schema: dict[str, Any], inner: Any) -> None:
    validator = Validator(closed(schema))
    for value in with_strange_key({"a": inner}):
        assert validator.problem(value) is not None


@given(SCHEMAS, VALUES)
def test_closing_only_ever_refuses_more(schema: dict[str, Any], inner: Any) -> None:
    value = {"a": inner}
    if Validator(closed(schema)).problem(value) is None:
        assert Draft202012Validator(schema).is_valid(value)


@given(SCHEMAS, VALUES)
def test_two_libraries_agree_on_closed_schemas(schema: dict[str, Any], inner: Any) -> None:
    shut = closed(schema)
    assert (Validator(shut).problem({"a": inner}) is None) is Draft202012Validator(shut).is_valid(
        {"a": inner}
    )


PLAIN = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda item: {"type": "array", "items": item}),
        st.fixed_dictionaries({"a": inner, "b": inner}).map(
            lambda found: {"type": "object", "properties": found}
        ),
    ),
    max_leaves=6,
).map(lambda inner: top(a=inner, b=inner))
DECLARED = st.recursive(
    st.sampled_from(["x", 1]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2)
    ),
    max_leaves=6,
)


def keys_below(schema: Any, value: Any) -> bool:
    """Whether the value has keys where a schema without any would allow them."""
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        return any(key not in inner or keys_below(inner[key], item) for key, item in value.items())
    return isinstance(value, list) and any(keys_below(schema.get("items", {}), item) for item in value)


@given(PLAIN, DECLARED)
def test_closing_keeps_valid_what_has_no_undeclared_key(schema: dict[str, Any], inner: Any) -> None:
    value = {"a": inner}
    expected = Draft202012Validator(schema).is_valid(value) and not keys_below(schema, value)
    assert (Validator(closed(schema)).problem(value) is None) is expected


def many(count: int, *keys: str) -> dict[str, Any]:
    """A schema each of whose parts says something else about the same property."""
    parts: list[dict[str, Any]] = [
        {"anyOf": [{"properties": {"a": top(**{f"{key}{index}": TEXT})}} for key in keys]}
        for index in range(count)
    ]
    return {"type": "object", "allOf": parts}


@pytest.mark.parametrize("keys", [("k",), ("k", "j")])
def test_closing_takes_bounded_time_however_much_is_combined(keys: tuple[str, ...]) -> None:
    start = time.process_time()
    for count in (50, 300, 600):
        try:
            closed(many(count, *keys))
        except SchemaError as error:
            assert error.message == "the schema combines too many schemas"
    assert time.process_time() - start < 4


def test_many_schemas_about_one_property_meet_in_one_place() -> None:
    schema = {"type": "object", "allOf": [top(a=top(**{f"k{n}": TEXT})) for n in range(200)]}
    assert fits(schema, {"a": {"k0": "x", "k199": "y"}})
    assert not fits(schema, {"a": {"k0": "x", "other": "y"}})
    assert len(str(closed(schema))) < 10 * len(str(schema))


def test_a_wrong_call_is_explained_in_bounded_time_and_length() -> None:
    validator = Validator(closed(top(l={"type": "array", "items": TEXT}, m={"enum": ["x" * 500]})))
    start = time.process_time()
    wrong = validator.problem({"l": list(range(99_000))})
    assert time.process_time() - start < 0.3
    assert wrong is not None
    assert wrong.text == '`l[0]` must be a text, such as `"text"`'
    unknown = validator.problem({"k" * 4_000_000: 1})
    assert unknown is not None
    assert unknown.text == f"`{'k' * 80}…` is no argument of this tool, which takes `l`, `m`"
    listed = validator.problem({"m": 1})
    assert listed is not None
    assert len(listed.expectation) < 120


def test_a_large_call_that_fits_no_alternative_is_not_explained_in_detail() -> None:
    form = {"type": "array", "items": TEXT}
    validator = Validator(closed(top(l={"anyOf": [form, {**form, "minItems": 1}]})))
    start = time.process_time()
    wrong = validator.problem({"l": list(range(99_000))})
    assert time.process_time() - start < 0.3
    assert wrong is not None
    assert wrong.text == "the arguments do not fit the schema"


def test_missing_contained_items_are_named_as_such() -> None:
    schema = top(a={"type": "array", "items": {"type": "integer"}, "contains": {"const": 1}})
    wrong = Validator(closed(schema)).problem({"a": [2]})
    assert wrong is not None
    assert wrong.expectation == "must hold an item of the kind that is asked for"
