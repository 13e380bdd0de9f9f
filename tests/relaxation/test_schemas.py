"""Two schemas of a tool's arguments: opened, narrowed, or neither for sure."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.cel.conform import converter
from gateway.compile.schemas import arguments_type
from gateway.relaxation import Direction
from gateway.relaxation.schemas import judge_schemas
from gateway.schema import Validator, WithDefaults, argument_type, closed

Json = dict[str, Any]


def args(properties: Json, **more: Any) -> Json:
    return {"type": "object", "properties": properties, **more}


def one(**schema: Any) -> Json:
    return args({"a": schema})


# Each of these opens when read from left to right and narrows from right to left.
OPENINGS: list[tuple[Json, Json]] = [
    (args({"a": {}}, required=["a"]), args({"a": {}})),
    (args({"a": {}}), args({"a": {}, "b": {"type": "string"}})),
    (args({}), args({}, additionalProperties=True)),
    (args({}), args({}, additionalProperties={"type": "string"})),
    (args({}, additionalProperties={"type": "string"}), args({}, additionalProperties=True)),
    (one(type="string", maxLength=3), one(type="string", maxLength=4)),
    (one(type="string", maxLength=3), one(type="string")),
    (one(type="string", minLength=2), one(type="string", minLength=1)),
    (one(type="string", minLength=1), one(type="string")),
    (one(type="integer", maximum=10), one(type="integer", maximum=11)),
    (one(type="integer", exclusiveMaximum=10), one(type="integer", maximum=10)),
    (one(type="integer", minimum=1), one(type="integer", minimum=0)),
    (one(type="integer", minimum=1), one(type="integer")),
    (one(type="array", items={"type": "string"}, maxItems=1), one(type="array", items={"type": "string"})),
    (
        one(type="array", items={"type": "string", "maxLength": 1}),
        one(type="array", items={"type": "string"}),
    ),
    (one(type="array", items={}, uniqueItems=True), one(type="array", items={})),
    (one(enum=["x"]), one(enum=["x", "y"])),
    (one(const="x"), one(enum=["x", "y"])),
    (one(type="string", enum=["x"]), one(type="string")),
    (one(type="string", const="x"), one(type="string")),
    (one(type="string"), one(type=["string", "null"])),
    (one(type="string"), one()),
    (one(type="string", pattern="^x"), one(type="string")),
    (one(type="string", format="date"), one(type="string")),
    (one(type="integer", multipleOf=2), one(type="integer")),
    (one(type="object", properties={"x": {}}), one(type="object", properties={"x": {}, "y": {}})),
    (one(type="object", properties={}), one(type="object", properties={}, additionalProperties=True)),
    # values that are listed, each of which the other schema accepts
    (one(enum=["ab"]), one(pattern="^a")),
    (one(enum=["ab"]), one(type="string", pattern="^a")),
    (one(const=5), one(maximum=10)),
    (one(type="integer", const=5), one(type="integer", maximum=10)),
    (one(enum=["a"], default="a"), one(type="string", default="a")),
    (one(enum=["a", None]), one(anyOf=[{"type": "string", "maxLength": 1}, {"type": "null"}])),
    (one(const="2026-01-31"), one(type="string", format="date")),
    (one(type="string", enum=["ab"]), one(enum=["ab", "ac"], pattern="^a")),
]


@pytest.mark.parametrize(("narrow", "wide"), OPENINGS)
def test_opening_a_schema_relaxes_and_the_reverse_does_not(narrow: Json, wide: Json) -> None:
    opened, closed_ = judge_schemas(narrow, wide), judge_schemas(wide, narrow)
    assert opened is not None
    assert opened.direction is Direction.RELAXED
    assert opened.enforced
    assert closed_ is not None
    assert closed_.direction is Direction.TIGHTENED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (one(type="string", pattern="^x"), one(type="string", pattern="^y")),
        (one(type="string", format="date"), one(type="string", format="time")),
        (one(type="integer"), one(type="integer", default=1)),
        (one(type="integer", default=1), one(type="integer", default=True)),
        (one(type="integer", default=1), one(type="integer")),
        (args({"a": {"default": 1}, "b": {}}), args({"b": {}})),
        (one(anyOf=[{"type": "string"}]), one(anyOf=[{"type": "string"}, {"type": "null"}])),
        ({**one(type="string"), "not": {"required": ["a"]}}, one(type="string")),
        (one(type="number"), one(type="integer")),
        (one(type=["integer", "string"]), one(anyOf=[{"type": "integer"}])),
        (args({}, additionalProperties=True), args({"b": {"type": "number"}}, additionalProperties=True)),
        (args({}, additionalProperties=True), args({"b": {"enum": [1, 2.5]}}, additionalProperties=True)),
        (args({}, additionalProperties=True), args({"b": {"default": 1}}, additionalProperties=True)),
        (
            args({}, additionalProperties=True),
            args({"b": {"type": "array", "items": {"type": "number"}}}, additionalProperties=True),
        ),
        (one(type="number", enum=[1, 2.5]), one(type="number", enum=[1])),
        (one(type="array", items={}), one(type="array")),
        (one(type="string"), one(type="string", contentEncoding="base64")),
    ],
)
def test_what_has_no_sure_direction_is_enforced_and_unknown(old: Json, new: Json) -> None:
    judged = judge_schemas(old, new)
    assert judged is not None
    assert judged.direction is Direction.OTHER
    assert judged.enforced


def test_what_is_only_shown_decides_nothing() -> None:
    judged = judge_schemas(one(type="string", description="x"), one(type="string", title="y"))
    assert judged is not None
    assert (judged.direction, judged.enforced) == (Direction.OTHER, False)
    assert judge_schemas(one(type="string"), one(type="string", **{"x-role": "path"})) is None
    assert judge_schemas(args({}, additionalProperties=False), args({})) is None
    assert (
        judge_schemas(one(**{"$ref": "#/$defs/t"}) | {"$defs": {"t": {"type": "null"}}}, one(type="null"))
        is None
    )


def test_a_number_is_the_same_value_however_it_is_written() -> None:
    assert judge_schemas(one(enum=[1]), one(enum=[1.0])) is None
    assert judge_schemas(one(enum=[{"k": [1.0]}]), one(enum=[{"k": [1]}])) is None
    assert judge_schemas(one(const=1), one(enum=[1.0])) is None
    for other in (True, "1", 1.5):
        judged = judge_schemas(one(enum=[1]), one(enum=[other]))
        assert judged is not None
        assert judged.direction is Direction.RELAXED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (one(pattern="^a"), one(enum=["ab", "b"])),
        (one(maximum=10), one(const=11)),
        (one(type="integer"), one(const=True)),
    ],
)
def test_listed_values_of_which_one_was_refused_are_not_tighter(old: Json, new: Json) -> None:
    judged = judge_schemas(old, new)
    assert judged is None or (judged.enforced and judged.direction is not Direction.TIGHTENED)


def test_a_whole_number_has_one_bound_however_it_is_written() -> None:
    assert judge_schemas(one(type="integer", minimum=1), one(type="integer", exclusiveMinimum=0)) is None
    assert judge_schemas(one(type="integer", exclusiveMaximum=5), one(type="integer", maximum=4.5)) is None
    looser = judge_schemas(one(type="integer", minimum=1), one(type="integer", exclusiveMinimum=-1))
    assert looser is not None
    assert looser.direction is Direction.RELAXED
    fractions = judge_schemas(one(type="number", minimum=1), one(type="number", exclusiveMinimum=0))
    assert fractions is not None
    assert fractions.direction is Direction.RELAXED


def test_what_is_declared_in_an_open_object_narrows_it_unless_numbers_are_read_otherwise() -> None:
    for declared in ({"type": "integer"}, {"type": "string"}, {"enum": [1, "x"]}):
        judged = judge_schemas(
            args({}, additionalProperties=True), args({"b": declared}, additionalProperties=True)
        )
        assert judged is not None
        assert judged.direction is Direction.TIGHTENED


def test_opening_at_one_place_relaxes_whatever_else_is_narrowed() -> None:
    judged = judge_schemas(
        args({"a": {"type": "string"}, "b": {"type": "integer"}}),
        args({"a": {"type": "string", "maxLength": 1}}, additionalProperties=True),
    )
    assert judged is not None
    assert judged.direction is Direction.RELAXED


_VALUES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "maxLength": 1},
        {"type": "string", "minLength": 1},
        {"type": ["string", "integer"]},
        {"type": "integer", "maximum": 3},
        {"type": "integer", "exclusiveMaximum": 3},
        {"type": "integer", "minimum": 1, "multipleOf": 2},
        {"type": "number", "maximum": 3},
        {"enum": [1, "x", None]},
        {"const": "x"},
        {"const": 2},
        {"enum": [1.0, 2]},
        {"enum": ["x", "xy"]},
        {"type": "string", "pattern": "^x"},
        {"enum": ["x", 2], "default": "x"},
        {"default": "x"},
        {"enum": [{"k": 1}, "x"]},
        {},
        True,
        {"type": "array", "items": {"type": "string"}, "maxItems": 1},
        {"type": "array", "items": {"type": "object", "properties": {"k": {}}}},
        {"type": "object", "properties": {"k": {"type": "string"}}},
        {"type": "object", "properties": {"k": {"type": "string"}}, "required": ["k"]},
        {"type": "object", "additionalProperties": True},
        {"type": "string", "default": "d"},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ]
)
SCHEMAS = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from("ab"), _VALUES, max_size=2)},
    optional={
        "required": st.sampled_from([[], ["a"]]),
        "additionalProperties": st.sampled_from([True, False, {"type": "string"}]),
        "allOf": st.just([{"properties": {"c": {"type": "string"}}}]),
    },
)
ARGUMENTS = st.dictionaries(
    st.sampled_from("abcd"),
    st.sampled_from(
        [
            "",
            "x",
            "xy",
            1,
            2,
            3,
            4,
            1.5,
            None,
            True,
            [],
            ["x"],
            ["x", "y"],
            [{"k": 1}],
            {},
            {"k": "x"},
            {"k": 1},
            {"z": 1},
        ]
    ),
    max_size=3,
)


@settings(max_examples=200)
@given(SCHEMAS, SCHEMAS, st.lists(ARGUMENTS, min_size=8, max_size=8))
def test_a_schema_that_is_said_not_to_open_accepts_nothing_new(
    old: Json, new: Json, tries: list[Json]
) -> None:
    judged = judge_schemas(old, new)
    assume(judged is None or judged.direction is Direction.TIGHTENED or not judged.enforced)
    before, after = Validator(closed(old), frozenset()), Validator(closed(new), frozenset())
    for given_ in tries:
        mine, theirs = WithDefaults(old)(given_), WithDefaults(new)(given_)
        if after.problem(theirs) is None:
            assert before.problem(mine) is None, given_
            assert mine == theirs


@settings(max_examples=100)
@given(SCHEMAS, SCHEMAS)
def test_a_schema_that_is_said_to_narrow_leaves_numbers_as_conditions_saw_them(old: Json, new: Json) -> None:
    judged = judge_schemas(old, new)
    assume(judged is not None and judged.direction is Direction.TIGHTENED)
    before, after = arguments_type(argument_type(old)).fields, arguments_type(argument_type(new)).fields
    for name, field in after.items():
        if converter(field.type, field.domain) is not None:
            assert name in before and converter(before[name].type, before[name].domain) is not None
