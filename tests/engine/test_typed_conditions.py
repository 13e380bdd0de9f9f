"""A law: what the checker accepts never meets a value of the wrong kind, and what it calls never true never is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.cel import CelError, Environment, ErrorKind, check, parse, plan
from gateway.compile.schemas import arguments_type
from gateway.diagnostic import Excerpt
from gateway.schema import Validator, WithDefaults, argument_type, closed

Json = Any

WORDS = ("", "a", "abc", "urgent")
NUMBERS = (-1, 0, 1, 2.5, 3, 7)
NAMES = ("x", "y", "z")


@st.composite
def scalars(draw: st.DrawFn) -> dict[str, Json]:
    kind = draw(st.sampled_from(["string", "integer", "number", "boolean", "null", "listed", "either"]))
    if kind == "listed":
        values = st.sampled_from([*WORDS, *NUMBERS, True, False, None])
        return {"enum": draw(st.lists(values, min_size=1, max_size=3, unique_by=repr))}
    if kind == "either":
        two = st.lists(
            st.sampled_from(["string", "integer", "number", "boolean", "null"]), min_size=2, max_size=2
        )
        return {"type": draw(two.filter(lambda types: types[0] != types[1]))}
    schema: dict[str, Json] = {"type": kind}
    if kind in ("integer", "number"):
        for key in draw(
            st.sets(st.sampled_from(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]))
        ):
            schema[key] = draw(st.sampled_from(NUMBERS))
    if kind == "string":
        for key in draw(st.sets(st.sampled_from(["minLength", "maxLength"]))):
            schema[key] = draw(st.integers(0, 4))
    return schema


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Json]]) -> dict[str, Json]:
    properties = draw(st.dictionaries(st.sampled_from(NAMES), inner, min_size=1, max_size=3))
    schema = {
        "type": "object",
        "properties": properties,
        "required": sorted(draw(st.sets(st.sampled_from(sorted(properties))))),
    }
    if draw(st.booleans()):
        schema["additionalProperties"] = draw(inner)
    return schema


@st.composite
def lists(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Json]]) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "array"}
    if draw(st.booleans()):
        schema["prefixItems"] = [draw(inner), draw(inner)]
        schema["items"] = draw(st.just(False) | inner)
    else:
        schema["items"] = draw(inner)
    for key in draw(st.sets(st.sampled_from(["minItems", "maxItems"]))):
        schema[key] = draw(st.integers(0, 3))
    return schema


def combined(inner: st.SearchStrategy[dict[str, Json]]) -> st.SearchStrategy[dict[str, Json]]:
    several = st.lists(inner, min_size=2, max_size=2)
    choice = st.builds(lambda key, of: {key: of}, st.sampled_from(["anyOf", "oneOf", "allOf"]), several)
    return objects(inner) | lists(inner) | choice


SCHEMAS = objects(st.recursive(scalars(), combined, max_leaves=4))


def values(schema: Json) -> st.SearchStrategy[Json]:
    """Values that mostly fit a schema; the validator has the last word."""
    if not isinstance(schema, Mapping):
        return st.nothing() if schema is False else st.sampled_from([*WORDS, *NUMBERS])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return st.one_of([values(item) for item in schema[key]])
    if isinstance(schema["type"], list):
        return st.one_of([values({"type": item}) for item in schema["type"]])
    if schema["type"] == "object":
        return _objects(schema)
    if schema["type"] == "array":
        return _lists(schema)
    bounds = [schema[key] for key in BOUNDS if schema.get(key, 2.5) != 2.5]
    whole = st.sampled_from(bounds) | st.integers(-2, 8) if bounds else st.integers(-2, 8)
    return {
        "string": st.sampled_from(WORDS) | st.text("aé", max_size=5),
        "integer": whole,
        "number": whole | st.sampled_from([-1.5, 0.5, 2.5, 6.5]),
        "boolean": st.booleans(),
        "null": st.none(),
    }[schema["type"]]


@st.composite
def _objects(draw: st.DrawFn, schema: Json) -> Json:
    made = {}
    for name, item in schema["properties"].items():
        if name in schema["required"] or draw(st.booleans()):
            made[name] = draw(values(item))
    if "additionalProperties" in schema and draw(st.booleans()):
        made["k"] = draw(values(schema["additionalProperties"]))
    return made


@st.composite
def _lists(draw: st.DrawFn, schema: Json) -> Json:
    first = [draw(values(item)) for item in schema.get("prefixItems", ())]
    rest = draw(st.lists(values(schema["items"]), max_size=3)) if schema["items"] is not False else []
    return [*first, *rest]


def paths_of(schema: Json, path: str) -> Iterator[tuple[str, Json]]:
    """Every place that a schema speaks about, and what it says there; one of its alternatives is enough."""
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    for key in ("anyOf", "oneOf", "allOf"):
        for item in schema.get(key, ()):
            yield from paths_of(item, path)
    for name, item in schema.get("properties", {}).items():
        yield from paths_of(item, f"{path}.{name}")
    yield from paths_of(schema.get("additionalProperties"), f"{path}.k")
    for index, item in enumerate(schema.get("prefixItems", ())):
        yield from paths_of(item, f"{path}[{index}]")
    if "items" in schema:
        yield from paths_of(schema["items"], f"{path}[{len(schema.get('prefixItems', ()))}]")


LITERALS = (
    "''",
    "'a'",
    "'abc'",
    "'urgent'",
    "-1",
    "0",
    "1",
    "2.5",
    "7",
    "true",
    "false",
    "null",
    "[]",
    "['a']",
)
KINDS = ("string", "int", "double", "bool", "null_type", "list", "map")
COMPARISONS = (
    "{path} {equal} {literal}",
    "{path} {order} {literal}",
    "{literal} {order} {path}",
    "{path} {equal} {other}",
    "{path} {order} {other}",
    "{path} in [{literal}, {second}]",
    "{literal} in {path}",
    "size({path}) {order} {count}",
    "size({path}) {equal} {count}",
    "type({path}) {equal} {kind}",
)
USES = (
    *COMPARISONS,
    "{path}",
    "{path}.startsWith('a')",
    "{path} + 1 > 2",
    "{path} % 2 == 0",
    "{path} * 1.5 > 2.0",
    "{path}.exists(v, v {order} {literal})",
    "{path}.exists(v, v.x {equal} {literal})",
    "{path}.all(k, v, v {equal} {literal})",
    "{path}.all(q, {path}[q] {order} {literal})",
    "{path}.filter(v, type(v) == {kind}).all(v, v {order} {literal})",
    "args.?{name}.orValue({literal}) {order} {second}",
    "has({path}.x)",
)


BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def _limits(schema: Json) -> list[str]:
    """The values that a schema itself names, which is where mistakes show."""
    named = [schema[key] for key in BOUNDS if key in schema] + list(schema.get("enum", ()))
    return [repr(one) if isinstance(one, str) else json.dumps(one) for one in named]


@st.composite
def uses(draw: st.DrawFn, schema: Json, forms: Sequence[str] = USES) -> tuple[str, str]:
    """A small condition about one of the schema's fields, and the path of the field."""
    places = list(paths_of(schema, "args"))[1:]
    paths = [path for path, _ in places]
    path, about = draw(st.sampled_from(places))
    literals = st.sampled_from(LITERALS)
    if near := _limits(about):
        literals = st.sampled_from(near) | literals
    use = draw(st.sampled_from(forms)).format(
        path=path,
        other=draw(st.sampled_from(paths)),
        name=draw(st.sampled_from(NAMES)),
        literal=draw(literals),
        second=draw(literals),
        order=draw(st.sampled_from(["<", "<=", ">", ">="])),
        equal=draw(st.sampled_from(["==", "!="])),
        count=draw(st.integers(-1, 5)),
        kind=draw(st.sampled_from(KINDS)),
    )
    return path, use


@st.composite
def guarded(draw: st.DrawFn, schema: Json) -> str:
    """A use, mostly behind the guards that its path may need, in one of the places where guards stand."""
    path, use = draw(uses(schema))
    guards = [f"has({part})" for part in _prefixes(path)]
    asked = draw(
        st.sampled_from(["", "", f"{path} != null", f"type({path}) == {draw(st.sampled_from(KINDS))}"])
    )
    form = draw(st.sampled_from(["and", "or", "conditional", "swapped", "bare"]))
    if form == "conditional" and asked:
        return " && ".join([*guards, f"({asked} ? {use} : true)"])
    guards += [asked] if asked else []
    if form == "swapped":
        return " && ".join([use, *guards])
    if form == "or":
        return " || ".join([*(f"!({part})" for part in guards), use])
    return use if form == "bare" else " && ".join([*guards, use])


def _prefixes(path: str) -> list[str]:
    """What can be asked by `has` on the way to a path."""
    steps = path.split(".")
    asked = [".".join([*steps[:count], steps[count].partition("[")[0]]) for count in range(1, len(steps))]
    return [part for part in asked if part != "args"]


def arguments_of(data: st.DataObject, schema: Json, count: int) -> list[dict[str, Json]]:
    """Arguments as conditions meet them: filled in, whole numbers as ints, and judged."""
    validator, fill = Validator(closed(schema), frozenset()), WithDefaults(schema)
    drawn = (dict(fill(data.draw(_objects(schema)))) for _ in range(count))
    return [one for one in drawn if validator.problem(one) is None]


def result(condition: str, environment: Environment, arguments: Json) -> bool | ErrorKind:
    program = plan(parse(Excerpt.whole(condition)), environment)
    try:
        return bool(program.evaluate({"args": arguments}))
    except CelError as error:
        beyond = error.message.startswith("index ")
        return ErrorKind.OUT_OF_RANGE if beyond else error.kind


WRONG_KIND = {ErrorKind.NO_SUCH_OVERLOAD, ErrorKind.NO_SUCH_KEY}
"""What the checker rules out; an index beyond a list's end is none of its business."""


@settings(max_examples=100, deadline=None)
@given(SCHEMAS, st.data())
def test_what_is_accepted_never_meets_a_value_of_the_wrong_kind(schema: Json, data: st.DataObject) -> None:
    environment = Environment({"args": arguments_type(argument_type(schema))})
    conditions = data.draw(st.lists(guarded(schema), min_size=12, max_size=12))
    accepted = [one for one in conditions if not check(parse(Excerpt.whole(one)), environment).diagnostics]
    assume(accepted)
    for arguments in arguments_of(data, schema, 5):
        for condition in accepted:
            assert result(condition, environment, arguments) not in WRONG_KIND, (condition, arguments)


@settings(max_examples=100, deadline=None)
@given(SCHEMAS, st.data())
def test_what_is_called_never_true_never_is(schema: Json, data: st.DataObject) -> None:
    environment = Environment({"args": arguments_type(argument_type(schema))})
    never = []
    for _, condition in data.draw(st.lists(uses(schema, COMPARISONS), min_size=12, max_size=12)):
        found = check(parse(Excerpt.whole(condition)), environment).diagnostics
        told = [one for one in found if " never " in one.message]
        others = {one.code for one in found if one not in told} - {"cel-optional"}
        if told and not others and len(told) == (2 if " in [" in condition else 1):
            never.append(condition)
    assume(never)
    for arguments in arguments_of(data, schema, 5):
        for condition in never:
            answer = result(condition, environment, arguments)
            assert answer is (" != " in condition) or isinstance(answer, ErrorKind), (condition, arguments)
