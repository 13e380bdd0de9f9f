"""No condition takes long, whatever the arguments are, and ordinary data stays far from the limit."""

from __future__ import annotations

import time
from typing import Any

import pytest

from gateway.cel import (
    DYN,
    INT,
    STRING,
    CelError,
    Environment,
    ErrorKind,
    Field,
    ListType,
    ObjectType,
    Outcome,
    Outcomes,
    outcomes,
    parse,
    plan,
)
from gateway.cel.functions import STANDARD
from gateway.cel.types import BYTES
from gateway.diagnostic import Excerpt

ARGS = ObjectType("args", {"a": Field(STRING), "n": Field(INT), "l": Field(ListType(STRING))})
ENVIRONMENT = Environment({"args": ARGS, "lists": DYN})

EVALUATED = 0.6
"""Seconds of processor time: several times what it takes, because others may use the machine too."""
FORESEEN = 0.3

LONG = "ab" * 4_000_000
NUMBERS = list(range(100_000))
TEXTS = [str(number) for number in range(90_000)]


def result_of(condition: str, lists: dict[str, Any] | None = None, /, **args: Any) -> Any:
    """The value, or the error, which has to come in time, both ways."""
    program = plan(parse(Excerpt.whole(condition)), Environment())
    generated = program.generate()
    found: list[Any] = []
    for evaluate in (program.exact, generated.evaluate) if generated else (program.exact,):
        start = time.process_time()
        try:
            found.append(evaluate({"args": args, "lists": lists or {}}))
        except CelError as error:
            found.append(error)
        assert time.process_time() - start < EVALUATED
    assert len({str(value) for value in found}) == 1
    return found[0]


def either_of(times: int, term: str) -> str:
    return " || ".join(term.replace("#", str(index)) for index in range(times))


@pytest.mark.parametrize(
    ("condition", "args"),
    [
        ('args.l.exists(x, args.a.contains("abac"))', {"l": TEXTS, "a": LONG}),
        ('args.l.exists(x, args.a.contains(x + "b"))', {"l": TEXTS, "a": LONG}),
        ("args.l.exists(x, args.a.matches(x))", {"l": TEXTS, "a": LONG}),
        ('args.l.exists(x, args.l.exists(y, x == y + "q"))', {"l": TEXTS}),
        ("args.l.exists(x, args.l.exists(y, args.l.exists(z, x + y + z == 7000)))", {"l": NUMBERS[:200]}),
        ("args.l.all(x, args.l.all(y, x.foo == y || true))", {"l": NUMBERS[:2_000]}),
        (
            "args.l.exists(x, [x, args.l] == [x, args.m])",
            {"l": NUMBERS, "m": [*NUMBERS[:-1], 0]},
        ),
        ('args.l.exists(x, {"a": x} in args.l)', {"l": [{"a": n, "b": 0} for n in NUMBERS]}),
        ('args.l.exists(x, bytes(args.a) == b"1")', {"l": NUMBERS, "a": LONG}),
        (either_of(250, 'args.a.contains("#abac")'), {"a": LONG}),
        (either_of(250, "args.l == args.m"), {"l": [[n] for n in NUMBERS], "m": [[0] for _ in NUMBERS]}),
        ('args.a.matches("[ab]*a[ab]{20}x")', {"a": LONG}),
        ("args.l.exists(x, timestamp(0).getHours(x) == 9)", {"l": ["Europe/Berlin", "Asia/Tokyo"] * 50_000}),
        ("args.l.exists(x, timestamp(0).getHours(x) == 9)", {"l": [f"Nowhere/{n}" for n in range(100_000)]}),
        ("args.l.exists(x, timestamp(x) == timestamp(0))", {"l": ["2026-11-30T09:00:00.1+02:00"] * 100_000}),
        ("args.l.exists(x, duration(x) == duration('0s'))", {"l": ["1h1m1s1ms1us1ns" * 6] * 100_000}),
    ],
)
def test_hostile_arguments_end_a_condition_early(condition: str, args: dict[str, Any]) -> None:
    found = result_of(condition, **args)
    assert found is True or (isinstance(found, CelError) and found.kind is ErrorKind.LIMIT)


@pytest.mark.parametrize(
    "pattern",
    ["((a{1,30}){1,30})#", "[a-z]+@x#", r"(?i)[\p{L}]{1,50}#", r"\pL\pL\pL\pL\pL#", "(#"],
)
def test_patterns_of_the_model_are_paid_for_when_they_are_made(pattern: str) -> None:
    patterns = [pattern.replace("#", str(number)) for number in range(20_000)]
    found = result_of('args.l.exists(x, "aaaa".matches(x))', l=patterns)
    assert isinstance(found, CelError)


def test_a_computed_pattern_may_not_be_long() -> None:
    assert result_of('"b".matches(args.a)', a="a*" * 100) is True
    found = result_of('"b".matches(args.a)', a="a*" * 101)
    assert isinstance(found, CelError)
    assert found.message == "a computed pattern is longer than 200 characters"


def test_errors_of_elements_are_paid_for_and_a_limit_is_not_absorbed() -> None:
    assert isinstance(result_of('args.l.exists(x, x > "a")', l=NUMBERS), CelError)
    found = result_of("args.l.all(x, args.l.all(y, y == x + 0)) || true", l=NUMBERS)
    assert isinstance(found, CelError)
    assert found.kind is ErrorKind.LIMIT


def test_ordinary_data_stays_within_the_limit() -> None:
    recipients = [f"person{number}@x99.example.com" for number in range(1_000)]
    domains = [f"@x{number}.example.com" for number in range(100)]
    condition = "args.l.all(r, lists.domains.exists(d, r.endsWith(d)))"
    assert result_of(condition, {"domains": domains}, l=recipients) is True
    megabyte = "ab" * 500_000
    assert result_of(either_of(20, 'args.a.contains("#abac")'), a=megabyte) is False
    assert result_of('args.a.matches("(?i)secret|[0-9]{3}-[0-9]{2}-[0-9]{4}")', a=megabyte) is False
    assert result_of("args.l.exists(x, x == 99999 || x < 0)", l=NUMBERS) is True
    assert result_of("args.n in args.l", n=99_999, l=NUMBERS) is True
    assert result_of("args.l.all(x, lists.p.exists(p, x.matches(p)))", {"p": ["^[0-9]+$"]}, l=TEXTS[:200])


def test_every_function_that_reads_texts_has_a_cost() -> None:
    constant = {"size", "type", "dyn"}
    for function in STANDARD:
        reads = any({STRING, BYTES} & set(overload.parameters) for overload in function.overloads)
        assert function.cost or not reads or function.name in constant or not function.built


def foreseen(condition: str, **lists: Any) -> Outcomes:
    parsed = parse(Excerpt.whole(condition))
    assert parsed.ast is not None
    start = time.process_time()
    found = outcomes(parsed, ENVIRONMENT, {"lists": lists})
    assert time.process_time() - start < FORESEEN
    return found


def nested(range_: str, depth: int, body: str) -> str:
    for level in range(depth):
        body = f"{range_}.exists({'xyabcdefg'[level]}, {body})"
    return body


@pytest.mark.parametrize(
    ("condition", "lists"),
    [
        (nested("[1, 2, 3, 4, 5, 6, 7, 8, 9]", 8, "x == args.n"), {}),
        (nested("lists.l", 3, "x + y == args.n"), {"l": NUMBERS[:200]}),
        (either_of(250, "lists.l == lists.m"), {"l": [[n] for n in NUMBERS], "m": [[n] for n in NUMBERS]}),
        (either_of(250, 'lists.t.contains("#q")'), {"t": LONG}),
        (either_of(150, "lists.l.all(x, x != args.a)"), {"l": TEXTS[:200]}),
        (
            either_of(150, "lists.l.exists(x, x.matches(x))"),
            {"l": [f"((a{{1,30}}){{1,30}}){n}" for n in range(200)]},
        ),
    ],
)
def test_foreseeing_many_combinations_ends_with_anything(condition: str, lists: dict[str, Any]) -> None:
    assert foreseen(condition, **lists).booleans == frozenset(Outcome)


def test_what_is_foreseen_outside_of_dear_parts_stays_exact() -> None:
    dear = nested("lists.l", 3, "x + y == args.n")
    lists = {"l": NUMBERS[:200], "m": [[n] for n in NUMBERS]}
    assert foreseen(f"({dear}) && 'a' == 'b'", **lists).booleans == {Outcome.FALSE}
    assert foreseen(f"lists.m == lists.m || {dear} || 1 < 2", **lists).booleans == {Outcome.TRUE}


def test_foreseeing_ordinary_lists_stays_exact() -> None:
    condition = "lists.d.exists(d, args.a.endsWith(d) || args.a == d) && 1 == 2"
    assert foreseen(condition, d=TEXTS[:200]).booleans == {Outcome.FALSE}
    assert foreseen("lists.d.all(d, d.startsWith('1'))", d=["1", "12"]).booleans == {Outcome.TRUE}
