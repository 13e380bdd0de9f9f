"""What expressions come to, on plain Python values."""

from __future__ import annotations

from collections import OrderedDict
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from gateway.cel import (
    BOOL,
    DOUBLE,
    CelError,
    Environment,
    ErrorKind,
    Field,
    ListType,
    ObjectType,
    Parsed,
    bind,
    check,
    parse,
    plan,
)
from gateway.cel.budget import MAX_STEPS
from gateway.cel.functions import STANDARD
from gateway.cel.functions.signature import Function
from gateway.diagnostic import Excerpt
from tests.cel.both_ways import agreed

DATA = Path(__file__).parent.parent / "data" / "cel"


def parsed(text: str) -> Parsed:
    found = parse(Excerpt.whole(text))
    assert found.ast is not None, found.diagnostics
    return found


def value_of(text: str, /, **variables: Any) -> Any:
    return agreed(parsed(text), Environment(), variables)


def lines(name: str) -> list[str]:
    written = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line for line in written if line and not line.startswith("#")]


@pytest.mark.parametrize("text", lines("values.txt"))
def test_it_is_true(text: str) -> None:
    assert value_of(text) is True


@pytest.mark.parametrize("line", lines("errors.txt"))
def test_it_fails_there(line: str) -> None:
    kind, place, text = line.split(" | ", 2)
    with pytest.raises(CelError) as caught:
        value_of(text)
    assert caught.value.kind is ErrorKind(kind)
    assert caught.value.span is not None
    assert caught.value.span.text == place


@pytest.mark.parametrize(
    "function", tuple(STANDARD), ids=lambda function: f"{function.style.value}-{function.name}"
)
def test_every_function_has_an_example_that_holds(function: Function) -> None:
    assert function.name.split(".")[-1] in function.example
    assert function.summary.endswith(".")
    checked = check(parsed(function.example), Environment())
    assert checked.diagnostics == ()
    if function.built:
        assert checked.unbuilt == frozenset()
        assert value_of(function.example) is True
    else:
        assert checked.unbuilt == {function.name}


def test_a_common_condition() -> None:
    condition = 'args.amount > 1000 && !("finance" in subject.roles)'
    assert value_of(condition, args={"amount": 1001}, subject={"roles": frozenset()}) is True
    assert value_of(condition, args={"amount": 1001}, subject={"roles": frozenset({"finance"})}) is False
    assert value_of(condition, args={"amount": 1000}, subject={"roles": frozenset()}) is False


class Colour(StrEnum):
    RED = "red"


def test_values_of_hosts_are_taken_as_they_are() -> None:
    assert value_of("x.a == 1", x=MappingProxyType({"a": 1})) is True
    assert value_of("x.all(v, v > 0) && size(x) == 2 && x[1] == 2", x=(1, 2)) is True
    assert value_of("x.map(v, v) == ['a', 'b']", x=frozenset({"b", "a"})) is True
    assert value_of("has(x.a) && x['a'] == 1 && x.b == 2", x=OrderedDict(a=1, b=2)) is True
    assert (
        value_of("x == 'red' && x in ['red'] && x.startsWith('r') && x + '!' == 'red!'", x=Colour.RED) is True
    )
    now = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)
    assert (
        value_of("now.getHours() == 9 && now > timestamp(0) && now - now == duration('0s')", now=now) is True
    )
    assert (
        value_of("now + later == timestamp('2026-11-30T10:05:00Z')", now=now, later=timedelta(hours=1))
        is True
    )
    assert value_of("now == timestamp('2026-11-30T09:05:00Z')", now=now.replace(tzinfo=None)) is True


def test_a_macro_variable_may_have_any_name() -> None:
    assert value_of("[1].all(self, self == 1) && [2].exists(args, args == 2)") is True
    assert check(parsed("[1].all(self, self == 1)"), Environment()).diagnostics == ()


def test_a_list_literal_is_made_anew_for_each_evaluation() -> None:
    program = plan(parsed("['a', 'b']"), Environment())
    program.evaluate({}).append("c")
    assert program.evaluate({}) == ["a", "b"]


def test_whole_numbers_are_doubles_where_the_type_says_so() -> None:
    args = ObjectType("args", {"price": Field(DOUBLE), "prices": Field(ListType(DOUBLE))})
    program = plan(
        parsed("args.price * 1.5 == 3.0 && args.prices.all(p, p / 2.0 > 0.4)"), Environment({"args": args})
    )
    given = {"price": 2, "prices": [1, 2.5]}
    assert program.evaluate({"args": given}) is True
    assert given == {"price": 2, "prices": [1, 2.5]}
    assert given["price"].__class__ is int


class TestBudget:
    """Small conditions over large arguments end, and take no memory to speak of."""

    MANY = tuple(range(1_001))

    def test_macros_may_visit_many_elements_but_not_any_number(self) -> None:
        assert value_of("x.exists(a, a == 1000)", x=self.MANY) is True
        assert len(self.MANY) ** 2 > MAX_STEPS
        limited("x.all(a, x.all(b, b >= 0))", x=self.MANY)

    def test_what_a_macro_does_for_each_element_counts(self) -> None:
        assert value_of("x.all(a, a in x)", x=self.MANY) is True
        limited("x.all(a, a in x)", x=tuple(range(3_000)))
        limited("x.exists(a, text.contains('b'))", x=self.MANY, text="a" * 2_000_000)
        limited("x.exists(a, text == other)", x=self.MANY, text="a" * 2_000_000, other="a" * 1_999_999 + "b")

    def test_what_grows_counts(self) -> None:
        limited("x.map(a, text + 'b') == []", x=self.MANY, text="a" * 1_000_000)
        limited("x.map(a, y + [a]) == []", x=self.MANY, y=list(range(10_000)))
        doubled = parsed("text")
        for _ in range(12):
            doubled = bind(parsed("text + text"), {"text": doubled})
        with pytest.raises(CelError) as caught:
            agreed(doubled, Environment(), {"text": "a" * 1_000_000})
        assert caught.value.kind is ErrorKind.LIMIT


def limited(text: str, /, **variables: Any) -> None:
    with pytest.raises(CelError) as caught:
        value_of(text, **variables)
    assert caught.value.kind is ErrorKind.LIMIT


class TestLet:
    def test_it_is_evaluated_once_and_only_when_used(self) -> None:
        reads: list[str] = []

        class Counting(dict[str, Any]):
            def __getitem__(self, key: str) -> Any:
                reads.append(key)
                return super().__getitem__(key)

        big = parsed("args.amount > 10")
        rule = plan(bind(parsed("skip || (big && big)"), {"big": big}), Environment())
        assert rule.evaluate(Counting(skip=False, args={"amount": 11})) is True
        assert reads.count("args") == 1
        reads.clear()
        assert rule.evaluate(Counting(skip=True)) is True
        assert reads == ["skip"]

    def test_its_error_counts_where_it_is_used(self) -> None:
        broken = parsed("args.x == 1")
        assert agreed(bind(parsed("broken || true"), {"broken": broken}), Environment(), {"args": {}}) is True
        with pytest.raises(CelError) as caught:
            agreed(bind(parsed("broken && broken"), {"broken": broken}), Environment(), {"args": {}})
        assert caught.value.excerpt is broken.excerpt

    def test_one_that_could_not_be_read_fails(self) -> None:
        broken = parse(Excerpt.whole("1 +"))
        assert plan(bind(parsed("broken || true"), {"broken": broken}), Environment()).evaluate({}) is True
        for rule in (bind(parsed("broken"), {"broken": broken}), broken):
            with pytest.raises(CelError):
                agreed(rule, Environment(), {})

    def test_it_may_use_others_and_macro_variables_hide_it(self) -> None:
        one = parsed("2")
        two = bind(parsed("one * one"), {"one": one})
        rule = bind(parsed("two == 4 && [1].all(two, two == 1)"), {"two": two})
        assert plan(rule, Environment()).evaluate({}) is True

    def test_fields_of_it_can_be_taken(self) -> None:
        rule = bind(parsed("box.a == 1"), {"box": parsed("{'a': 1}")})
        assert plan(rule, Environment()).evaluate({}) is True

    def test_depth_adds_up(self) -> None:
        deep = parsed("!" * 200 + "x")
        bound = bind(parsed("!" * 100 + "deep"), {"deep": deep})
        assert bound.ast is None
        assert [d.code for d in bound.diagnostics] == ["cel-limit"]


class TestWatch:
    def test_every_part_that_was_evaluated_is_seen_in_source_order(self) -> None:
        condition = 'args.amount > 1000 && !("finance" in subject.roles)'
        variables = {"args": {"amount": 2000}, "subject": {"roles": ["hr"]}}
        watched = plan(parsed(condition), Environment()).watch(variables)
        assert watched.value is True
        assert watched.error is None
        assert [(seen.text, seen.value) for seen in watched.observed] == [
            ("args.amount > 1000", True),
            ("args.amount", 2000),
            ('"finance" in subject.roles', False),
            ("subject.roles", ["hr"]),
        ]
        assert watched.observed[1].span.text == "args.amount"

    def test_what_was_not_evaluated_is_not_seen(self) -> None:
        watched = plan(parsed("a.b == 1 && c.d == 2"), Environment()).watch({"a": {"b": 2}})
        assert [seen.text for seen in watched.observed] == ["a.b == 1", "a.b"]

    def test_errors_are_seen_where_they_happen(self) -> None:
        watched = plan(parsed("a.b == 1 || a.c == 2"), Environment()).watch({"a": {"c": 2}})
        assert watched.value is True
        assert [(seen.text, seen.error is not None) for seen in watched.observed] == [
            ("a.b == 1", True),
            ("a.b", True),
            ("a.c == 2", False),
            ("a.c", False),
        ]
        failed = plan(parsed("a.b == 1"), Environment()).watch({"a": {}})
        assert failed.error is not None
        assert failed.error.message == "no field `b`"

    def test_a_let_is_seen_by_its_name_and_inside(self) -> None:
        rule = bind(parsed("big && true"), {"big": parsed("x > 1")})
        watched = plan(rule, Environment({"x": BOOL})).watch({"x": 2})
        assert [(seen.text, seen.value) for seen in watched.observed] == [
            ("big", True),
            ("x > 1", True),
            ("x", 2),
        ]
