"""A law: what the checker accepts never meets a value of the wrong kind, and what it calls never true never is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.cel import CelError, Environment, ErrorKind, check, parse, plan
from gateway.compile.schemas import arguments_type
from gateway.diagnostic import Excerpt
from gateway.schema import Validator, closed, with_defaults

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
    return {
        "string": st.sampled_from(WORDS) | st.text("aé", max_size=5),
        "integer": st.integers(-2, 8),
        "number": st.integers(-2, 8) | st.sampled_from([-1.5, 0.5, 2.5, 6.5]),
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


PATHS = st.recursive(
    st.sampled_from([f"args.{name}" for name in NAMES]),
    lambda inner: st.builds("{}{}".format, inner, st.sampled_from([".x", ".y", ".k", "[0]", "[1]", "['k']"])),
    max_leaves=2,
)
LITERALS = st.sampled_from(["''", "'a'", "'abc'", "'urgent'", "-1", "0", "1", "2.5", "7", "true", "false", "null", "[]", "['a']"])  # fmt: skip
ORDER = st.sampled_from(["<", "<=", ">", ">="])
EQUAL = st.sampled_from(["==", "!="])
KINDS = st.sampled_from(["string", "int", "double", "bool", "null_type", "list", "map"])


def compared(side: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    other = LITERALS | PATHS
    return (
        st.builds("{} {} {}".format, side, ORDER | EQUAL, other)
        | st.builds("{} {} {}".format, other, ORDER | EQUAL, side)
        | st.builds("{} in [{}, {}]".format, side, LITERALS, LITERALS)
        | st.builds("{} in {}".format, LITERALS, side)
        | st.builds("size({}) {} {}".format, side, ORDER | EQUAL, st.integers(-1, 5))
        | st.builds("type({}) {} {}".format, side, EQUAL, KINDS)
    )


def loops(macro: str, variables: str) -> st.SearchStrategy[str]:
    body = compared(st.sampled_from(["v", "v.x"])) | st.just("v.startsWith('a')")
    return st.builds(f"{{}}.{macro}({variables}, {{}})".format, PATHS, body)


ATOMS = (
    compared(PATHS)
    | st.builds("{}.startsWith('a')".format, PATHS)
    | st.builds("{} + 1 > 2".format, PATHS)
    | st.builds("{} * 1.5 > 2.0".format, PATHS)
    | PATHS
    | loops("exists", "v")
    | loops("all", "k, v")
    | st.builds("has({}.x)".format, PATHS)
    | st.builds(
        "args.?{}.orValue({}) {} {}".format, st.sampled_from(NAMES), LITERALS, ORDER | EQUAL, LITERALS
    )
    | st.builds("{0}.all(q, {0}[q] {1} {2})".format, PATHS, ORDER | EQUAL, LITERALS)
)


@st.composite
def guarded(draw: st.DrawFn) -> str:
    """An atom behind the guards that its paths may need."""
    path = draw(PATHS)
    atom = draw(st.sampled_from(["{} > 1", "{} + 1 > 2", "{}.startsWith('a')", "{}", "size({}) > 1", "{}.x == 1", "{} == 'abc'"]))  # fmt: skip
    use = atom.format(path)
    present = [f"has({part})" for part in _prefixes(path)]
    kind = draw(st.none() | st.just(f"{path} != null") | st.builds(f"type({path}) == {{}}".format, KINDS))
    both = " && ".join([*present, *([kind] if kind else [])])
    form = draw(st.sampled_from(["and", "or", "conditional", "swapped"]))
    if not both or form == "and":
        return " && ".join([*([both] if both else []), use])
    if form == "swapped":
        return f"{use} && {both}"
    if form == "conditional" and kind:
        return " && ".join([*present, f"({kind} ? {use} : true)"])
    negated = [f"!({part})" for part in both.split(" && ")]
    return " || ".join([*negated, use])


def _prefixes(path: str) -> list[str]:
    steps = path.split(".")
    return [".".join(steps[: count + 1]) for count in range(1, len(steps)) if "[" not in steps[count]]


CONDITIONS = (
    ATOMS
    | guarded()
    | st.builds("{} && {}".format, guarded(), ATOMS)
    | st.builds("!({})".format, ATOMS)
    | st.builds("({} ? {} : {})".format, guarded(), ATOMS, ATOMS)
)


def arguments_of(data: st.DataObject, schema: Json, count: int) -> list[dict[str, Json]]:
    """Arguments as conditions meet them: filled in, whole numbers as ints, and judged."""
    validator, fill = Validator(closed(schema), frozenset()), with_defaults(schema)
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


@settings(max_examples=120, deadline=None)
@given(SCHEMAS, st.lists(CONDITIONS, min_size=8, max_size=8), st.data())
def test_what_is_accepted_never_meets_a_value_of_the_wrong_kind(
    schema: Json, conditions: list[str], data: st.DataObject
) -> None:
    environment = Environment({"args": arguments_type(schema)})
    accepted = [one for one in conditions if not check(parse(Excerpt.whole(one)), environment).diagnostics]
    assume(accepted)
    for arguments in arguments_of(data, schema, 5):
        for condition in accepted:
            assert result(condition, environment, arguments) not in WRONG_KIND, (condition, arguments)


@settings(max_examples=120, deadline=None)
@given(SCHEMAS, st.lists(compared(PATHS), min_size=12, max_size=12), st.data())
def test_what_is_called_never_true_never_is(schema: Json, conditions: list[str], data: st.DataObject) -> None:
    environment = Environment({"args": arguments_type(schema)})
    never = []
    for condition in conditions:
        found = check(parse(Excerpt.whole(condition)), environment).diagnostics
        told = [one for one in found if " never " in one.message]
        if len(told) == len(found) == (2 if " in [" in condition else 1):
            never.append(condition)
    assume(never)
    for arguments in arguments_of(data, schema, 5):
        for condition in never:
            answer = result(condition, environment, arguments)
            assert answer is (" != " in condition) or isinstance(answer, ErrorKind), (condition, arguments)
