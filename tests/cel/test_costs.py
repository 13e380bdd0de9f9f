"""No evaluation takes more steps than was foreseen, whatever the arguments are within their schema."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random
from typing import Any

import pytest

import gateway.cel.program
from gateway.cel import INT, Environment, Field, ListType, ObjectType, Parsed, bind, check, parse, plan
from gateway.cel.budget import Purse
from gateway.cel.costs.bound import Limit, bound
from gateway.cel.costs.least import fewest_steps, too_dear
from gateway.cel.costs.plain import plain_steps
from gateway.cel.domain import Domain, Form
from gateway.cel.functions.signature import Style
from gateway.cel.values import CelError
from gateway.compile.schemas import arguments_type
from gateway.diagnostic import Excerpt
from gateway.ranges import Range
from gateway.schema import Validator, argument_type, closed
from tests.cel.random_expressions import FUNCTIONS, Expressions
from tests.cel.test_refused import LARGE

PLENTY = 10**15
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["s", "n", "l", "o"],
    "properties": {
        "s": {"type": "string", "maxLength": 3_000},
        "n": {"type": "integer", "minimum": 0, "maximum": 500},
        "o": {"type": "boolean"},
        "l": {"type": "array", "items": {"type": "string"}},
        "m": {"type": "object", "additionalProperties": {"type": "integer"}},
        "a": {"type": ["string", "integer", "null", "array", "object"], "additionalProperties": True},
        "b": {
            "type": "array",
            "maxItems": 30,
            "items": {
                "type": "object",
                "required": ["n"],
                "properties": {
                    "n": {"type": "number"},
                    "a": {"type": "string", "maxLength": 50},
                    "l": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
    },
}
ARGS = arguments_type(argument_type(SCHEMA))
FITS = Validator(closed(SCHEMA), frozenset()).fits
ENVIRONMENT = Environment(
    {"args": ARGS, **{name: field.type for name, field in ARGS.fields.items() if name in "snlo"}}
).with_variables(m=ARGS.fields["m"].type)
_WORDS = (
    "",
    "a",
    "abc",
    "b",
    "a,b,c",
    "::1",
    "https://a.b/c?d=1&e=2",
    "x" * 70,
    "aaaaab" * 40,
    "%s %d",
    "1.50",
)


def _listed(count: int) -> Field:
    return Field(ListType(INT), domain=Domain({"list": Form(ListType(INT), Range(count, count))}))


def texts(chance: Random, count: int) -> list[str]:
    return [chance.choice(_WORDS) * chance.choice((1, 1, 1, 3)) for _ in range(count)]


def arguments(chance: Random) -> dict[str, Any]:
    """Arguments that fit the schema, some of them far larger than others."""
    few = chance.choice((0, 1, 3, 30, 300))
    found: dict[str, Any] = {
        "s": (chance.choice(_WORDS) * chance.choice((1, 40)))[:3_000],
        "n": chance.choice((0, 1, 7, 500)),
        "o": chance.choice((True, False)),
        "l": texts(chance, few),
    }
    if chance.random() < 0.8:
        found["m"] = {f"k{number}" * chance.choice((1, 9)): number for number in range(few)}
    if chance.random() < 0.8:
        found["a"] = chance.choice(
            ("abc", 5, None, texts(chance, few), {"a": 1, "b": texts(chance, 5)}, [[1]] * few)
        )
    if chance.random() < 0.8:
        rows = chance.choice((0, 1, 5, 30))
        found["b"] = [
            {"n": number, "a": "ab" * chance.choice((1, 25)), "l": texts(chance, chance.choice((0, 2, 40)))}
            for number in range(rows)
        ]
    return found


def measured(value: Any) -> tuple[int, int]:
    """The characters and the elements and entries in a value."""
    if isinstance(value, str):
        return len(value), 0
    if not isinstance(value, list | dict | set | frozenset):
        return 0, 0
    inside = [*value, *value.values()] if isinstance(value, dict) else value
    pairs = list(map(measured, inside))
    return sum(one for one, _ in pairs), len(value) + sum(other for _, other in pairs)


def taken(parsed: Parsed, variables: Mapping[str, Any]) -> int:
    purse = Purse(PLENTY)
    with suppress(CelError):
        plan(parsed, ENVIRONMENT).within(variables, purse)
    return PLENTY - purse.left


def within_the_bound(parsed: Parsed, variables: Mapping[str, Any]) -> int:
    limits = {name: Limit(*measured(value), plain=True) for name, value in variables.items()}
    steps = taken(parsed, variables)
    most = bound(parsed, ENVIRONMENT, limits).steps
    assert steps <= most, (parsed.excerpt.text, steps, most)
    assert steps <= bound(parsed, ENVIRONMENT, {name: Limit(plain=True) for name in variables}).steps
    return steps


def with_names(chance: Random) -> dict[str, Any]:
    args = arguments(chance)
    assert FITS(args)
    return {"args": args, **{name: args[name] for name in "snlo"}, "m": args.get("m", {})}


@pytest.mark.parametrize("seed", range(3))
def test_no_evaluation_takes_more_steps_than_its_bound(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway.cel.program, "MAX_STEPS", 3_000_000)
    chance = Random(seed)  # noqa: S311
    dear = 0
    for _ in range(250):
        parsed = parse(Excerpt.whole(Expressions(chance).condition(chance.choice((1, 2, 3, 4)))))
        if parsed.ast is None:
            continue
        for _ in range(3):
            dear += within_the_bound(parsed, with_names(chance)) > 0
    assert dear > 50


_OVER = (
    "args.b.exists(r, {0})",
    "args.b.all(r, args.l.all(x, {0} && r.n >= 0.0))",
    "args.l.all(x, r0 == x || {0})",
    "args.b.map(r, r.l.filter(x, {0})).size() >= 0",
    "args.l.map(x, x + s).all(y, {0})",
    "args.m.all(k, v, k != '' && {0})",
    "args.l.transformMap(i, x, x + x).all(k, {0})",
    "cel.bind(x, args.l.map(e, e + e), x.all(y, {0}))",
    "cel.block([args.l.map(e, s)], cel.index(0).all(y, {0}) || cel.index(0) == args.l)",
    "args.b.all(r, r.l.sortBy(e, size(e)).all(x, {0}))",
    "(args.o ? args.l : s.split('a')).exists(x, {0})",
    "args.l.exists(x, s.split(x).exists(y, {0}))",
    "dyn(args).l.exists(x, dyn(args).l.exists(y, x + y == {0}))",
    "[dyn(args)][0].b.all(r, dyn(args).b.all(x, x.l.all(y, y + '' != '') || {0}))",
    "(args.o ? dyn(args) : dyn(m)).l.all(x, [m, args][1].l.all(y, x + y != '{0}'))",
)


@pytest.mark.parametrize("shape", _OVER)
def test_loops_over_loops_stay_within_their_bound(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway.cel.program, "MAX_STEPS", 3_000_000)
    chance = Random(shape)  # noqa: S311
    for _ in range(25):
        made = Expressions(chance)
        made.known = [
            name for name in ("x", "y", "r.a", "r.l", "s", "n", "args.a", "args.l") if name[0] in shape
        ]
        parsed = parse(Excerpt.whole(shape.format(made.condition(chance.choice((1, 2))))))
        if parsed.ast is None:
            continue
        for _ in range(2):
            within_the_bound(parsed, with_names(chance))


@pytest.mark.parametrize(
    "function", FUNCTIONS, ids=lambda function: f"{function.style.value}-{function.name}"
)
def test_each_function_stays_within_its_bound(function: Any) -> None:
    assert function.style in Style
    chance = Random(function.name)  # noqa: S311
    for _ in range(25):
        written = Expressions(chance).call_of(function, 1)
        repeated = f"{written} == {written} || args.l.exists(x, {written} == x)"
        parsed = parse(Excerpt.whole(repeated))
        if parsed.ast is not None:
            within_the_bound(parsed, with_names(chance))


@pytest.mark.parametrize("seed", range(3))
def test_a_hosts_sets_stay_within_the_bound_too(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    for _ in range(150):
        parsed = parse(Excerpt.whole(Expressions(chance).condition(chance.choice((2, 3)))))
        if parsed.ast is None:
            continue
        variables = {**with_names(chance), "l": frozenset(texts(chance, 40)), "m": {"k": {"a", "b"}}}
        limits = {name: Limit(*measured(value)) for name, value in variables.items()}
        assert taken(parsed, variables) <= bound(parsed, ENVIRONMENT, limits).steps, parsed.excerpt.text


@pytest.mark.parametrize(
    "text", ["args.a.contains('abcdefgh')", "!args.a.matches('^a.*b')", "(o ? s : args.b).matches('a')"]
)
def test_what_grows_with_a_text_alone_takes_no_more(text: str) -> None:
    parsed = parse(Excerpt.whole(text))
    most = plain_steps(parsed)
    assert most is not None
    for length in (0, 1, 63, 5_000, 29_999, 30_000, 400_000):
        given = "a" * length
        variables = {"args": {"a": given, "b": given}, "s": given, "o": length % 2 == 0}
        assert taken(parsed, variables) <= most.steps + most.characters * length


def test_what_is_plain_at_a_look_takes_no_more() -> None:
    plain = 0
    for seed in range(1_500):
        chance = Random(seed)  # noqa: S311
        parsed = parse(Excerpt.whole(Expressions(chance).condition(chance.choice((1, 2, 2)))))
        most = plain_steps(parsed)
        if most is None or parsed.ast is None:
            continue
        plain += 1
        for _ in range(3):
            variables = {name: chance.choice(LARGE) for name in with_names(chance)}
            variables["args"] = {field: chance.choice(LARGE) for field in "ablmn"}
            longest = max(measured(value)[0] for value in variables.values())
            assert taken(parsed, variables) <= most.steps + most.characters * longest, parsed.excerpt.text
    assert plain > 100


def test_a_name_is_paid_for_once() -> None:
    let = parse(Excerpt.whole("args.l.map(x, x + 'a')"))
    parsed = bind(parse(Excerpt.whole("loud == args.l || args.l.exists(x, x in loud)")), {"loud": let})
    within_the_bound(parsed, {"args": {"s": "", "n": 1, "o": True, "l": ["a"] * 100}})


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("args.n > 5", 0),
        ("args.n > 5 && args.s == 'a'", 0),
        ("args.o || args.n in [1, 2]", 3),
        ("args.s.matches('^[a-z]+$')", 200),
        ("args.s.startsWith('a')", 0),
        ("args.l.exists(x, x.endsWith('@x'))", 40_005),
        ("args.l.exists(x, x.contains('b'))", 51_000),
        ("has(args.b) && args.b.all(r, r.n > 5.0)", 200),
        ("has(args.b) && args.b.all(r, args.b.all(q, q.n > r.n))", 10_000),
    ],
)
def test_the_bound_is_near_to_what_is_taken(text: str, most: int) -> None:
    parsed = parse(Excerpt.whole(text))
    assert check(parsed, ENVIRONMENT).diagnostics == ()
    assert bound(parsed, ENVIRONMENT, {"args": Limit(30_000, 10_000, plain=True)}).steps <= most


LISTS = Environment(
    {
        "args": ARGS,
        "lists": ObjectType("lists", {"long": _listed(2_000), "short": _listed(3)}),
        "many": ObjectType(
            "many", {"m": Field(ListType(INT), domain=Domain({"list": Form(ListType(INT), Range(720))}))}
        ),
    }
)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("lists.range(1000001).exists(i, i == args.n)", "lists.range(1000001)"),
        ("args.o && lists.range(2000000) == []", None),
        ("lists.range(2000000) == [] && args.o", None),
        ("lists.range(400).map(i, lists.range(3000)) == []", "lists.range(400).map(i, lists.range(3000))"),
        ("lists.range(1000).map(i, lists.range(900).map(j, i)) == [] || args.o", None),
        (
            "size(lists.range(1000).map(i, lists.range(900).map(j, i))) > 5",
            "lists.range(1000).map(i, lists.range(900).map(j, i))",
        ),
        ("lists.range(1000).all(i, lists.range(900).all(j, i * j == args.n))", None),
        ("lists.long.map(i, lists.long.map(j, i + j)) == []", "lists.long.map(i, lists.long.map(j, i + j))"),
        ("lists.short.map(i, lists.long.map(j, i + j)) == []", None),
        ("args.l.map(i, lists.long.map(j, i + j)) == []", None),
        ("many.m.map(x, many.m.map(y, x * y)) == []", "many.m.map(x, many.m.map(y, x * y))"),
        (
            "many.m.filter(x, many.m.exists_one(y, x == y)) == []",
            "many.m.filter(x, many.m.exists_one(y, x == y))",
        ),
        ("(args.o ? lists.range(5000000) : []) == []", None),
        ("(args.o ? lists.range(5000000) : lists.range(6000000)) == []", "lists.range(5000000)"),
        ("cel.bind(x, lists.range(5000000), x == [])", "lists.range(5000000)"),
        ("cel.block([lists.range(5000000)], args.o || cel.index(0) == [])", None),
    ],
)
def test_what_can_only_be_too_much_is_an_error_with_its_place(text: str, part: str | None) -> None:
    parsed = parse(Excerpt.whole(text))
    assert parsed.ast is not None
    dear = too_dear(parsed, LISTS)
    assert (dear and text[dear.node.start : dear.node.end]) == part
    found = [
        d.span.text for d in check(parsed, LISTS).diagnostics if d.code == "cel-limit" and d.span is not None
    ]
    assert found == ([] if part is None else [part])


@pytest.mark.parametrize("seed", range(2))
def test_the_fewest_steps_are_never_more_than_those_taken_for_a_value(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    for _ in range(300):
        parsed = parse(Excerpt.whole(Expressions(chance).condition(chance.choice((1, 2, 3, 4)))))
        if parsed.ast is None:
            continue
        fewest = fewest_steps(parsed, ENVIRONMENT)
        for _ in range(3):
            purse = Purse(PLENTY)
            with suppress(CelError):
                plan(parsed, ENVIRONMENT).within(with_names(chance), purse)
                assert fewest <= PLENTY - purse.left, parsed.excerpt.text
