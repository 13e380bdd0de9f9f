"""Flat schemas: what a line of Python says of arguments, the schema says as well."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.call import CallError, normal_arguments
from gateway.narrow import narrow
from gateway.schema import Validator, closed, fields, flat
from gateway.schema.flat import surely_fit

PLAIN = {
    "type": "object",
    "required": ["a"],
    "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
}


def passes(schema: dict[str, Any], arguments: dict[str, Any]) -> bool:
    """Whether generated code passes arguments."""
    whole = closed(schema)
    plain = narrow((), fields(schema), flat(whole)).plain
    return plain is not None and plain(arguments) is not None


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (PLAIN, {"a": 1}),
        (PLAIN, {"a": -(2**63), "b": ""}),
        ({"type": "object"}, {}),
        ({**PLAIN, "title": "T", "description": "D", "x-note": 1}, {"a": 1}),
        (
            {"type": "object", "properties": {"a": {"type": ["boolean", "null"], "description": "D"}}},
            {"a": None},
        ),
        ({"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "array"}}}, {"a": 3}),
    ],
)
def test_plain_arguments_of_flat_schemas_pass(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert passes(schema, arguments)
    assert Validator(closed(schema)).fits(arguments)


@pytest.mark.parametrize(
    "schema",
    [
        {**PLAIN, "additionalProperties": True},
        {**PLAIN, "patternProperties": {"^x": True}},
        {**PLAIN, "anyOf": [{"required": ["b"]}]},
        {**PLAIN, "if": {"required": ["b"]}, "then": {"properties": {"a": {"const": 1}}}},
        {**PLAIN, "maxProperties": 1},
        {**PLAIN, "dependentRequired": {"a": ["b"]}},
        {**PLAIN, "propertyNames": {"maxLength": 1}},
        {**PLAIN, "not": {"required": ["b"]}},
        {**PLAIN, "required": ["a", "c"]},
        {"properties": {f"p{n}": {"type": "string"} for n in range(33)}},
    ],
)
def test_other_schemas_are_not_flat(schema: dict[str, Any]) -> None:
    assert flat(closed(schema)) is None


@pytest.mark.parametrize(
    "part",
    [
        {"type": "integer", "maximum": 7.5},
        {"type": "integer", "enum": [1]},
        {"type": ["string", "null"], "minLength": 2},
        {"type": "string", "enum": ["a", 1]},
        {"type": "string", "maximum": 5},
        {"type": "integer", "multipleOf": 2},
        {"type": "string", "pattern": "^a"},
        {"type": "string", "format": "date"},
        {"const": 1},
        {"type": "object"},
        {"type": "array"},
        {"anyOf": [{"type": "integer"}]},
        {"not": {"type": "integer"}},
        {},
        True,
        False,
    ],
)
def test_arguments_of_which_more_is_asked_never_pass(part: Any) -> None:
    schema = {"type": "object", "properties": {"a": part, "b": {"type": "string"}}}
    values: tuple[Any, ...] = (1, 7, "a", "abc", None, [], {})
    for value in values:
        assert not passes(schema, {"a": value})
    assert passes(schema, {"b": "x"})


@pytest.mark.parametrize(
    ("part", "pass_", "fail"),
    [
        ({"type": "integer", "minimum": 2, "maximum": 5}, (2, 5), (1, 6)),
        ({"type": "number", "minimum": -1}, (-1,), (-2,)),
        ({"type": "string", "minLength": 2, "maxLength": 3}, ("ab", "abc"), ("a", "abcd")),
        ({"type": "string", "enum": ["a{0}b", "%d", "it's"]}, ("a{0}b", "%d", "it's"), ("a", "")),
    ],
)
def test_bounds_and_lists_of_texts_are_understood(
    part: dict[str, Any], pass_: tuple[Any, ...], fail: tuple[Any, ...]
) -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"a": part}}
    for value in (*pass_, *fail):
        fits = value in pass_
        assert passes(schema, {"a": value}) is Validator(closed(schema)).fits({"a": value}) is fits


class Text(str):
    """A text of a host's own class."""

    __slots__ = ()


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"b": "x"},
        {"a": True},
        {"a": 1.0},
        {"a": 2**63},
        {"a": -(2**63) - 1},
        {"a": 1, "b": None},
        {"a": 1, "b": "a\0"},
        {"a": 1, "b": "\ud800"},
        {"a": 1, "b": "é"},
        {"a": 1, "b": Text("x")},
        {"a": 1, "b": "x" * 2**17},
        {"a": 1, "c": 1},
        {Text("a"): 1},
        {"a": 1, 2: 3},
    ],
)
def test_what_may_not_fit_or_may_change_does_not_pass(arguments: Any) -> None:
    assert not passes(PLAIN, arguments)


PARTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(
            ["string", "integer", "number", "boolean", "null", "array", ["string", "null"]]
        ),
        "maximum": st.sampled_from([1, 5, 5.5]),
        "minimum": st.just(1),
        "enum": st.sampled_from([[1, "x", None], ["x", ""]]),
        "maxLength": st.just(1),
        "minLength": st.just(1),
        "description": st.just("D"),
        "x-role": st.just("content"),
    },
)
SCHEMAS = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("abc"), PARTS)},
    optional={
        "required": st.lists(st.sampled_from("abc"), unique=True),
        "additionalProperties": st.booleans(),
        "maxProperties": st.just(1),
        "title": st.just("T"),
    },
)
VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, 1, 6, 2**63, 1.0, 1.5, "", "x", "xx", "é", "\0", (), [], {}, [1]]
)


@given(SCHEMAS, st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4))
def test_what_passes_fits_and_is_in_normal_form(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    if passes(schema, arguments):
        assert Validator(closed(schema)).fits(arguments)
        try:
            assert normal_arguments(arguments) is arguments
        except CallError:
            pytest.fail("no arguments at all")


@given(SCHEMAS, st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4))
def test_what_surely_fits_does_also_where_others_are_allowed(
    schema: dict[str, Any], arguments: dict[str, Any]
) -> None:
    whole = closed(schema)
    fits = Validator(whole).fits(arguments)
    assert fits or not surely_fit(whole, arguments)
    again = pickle.loads(pickle.dumps(Validator(whole)))  # noqa: S301
    assert [again.fits(arguments) for _ in range(3)] == [fits] * 3
    assert (again.problem(arguments) is None) is fits


def test_common_arguments_surely_fit_and_what_more_is_asked_of_does_not() -> None:
    assert surely_fit(closed({**PLAIN, "additionalProperties": True}), {"a": 1, "b": "x"})
    assert not surely_fit(closed({**PLAIN, "additionalProperties": True}), {"a": 1, "z": "x"})
    assert not surely_fit(closed({"type": "object", "minProperties": 1}), {})
    assert not surely_fit(closed({"type": "object", "patternProperties": {"^x": True}}), {})
    assert surely_fit(closed({"type": "object"}), {})
