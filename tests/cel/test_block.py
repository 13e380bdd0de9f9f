"""`cel.block`: values that are evaluated when they are first used, once, and in the right scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gateway.cel import BOOL, INT, CelError, Environment, ErrorKind, Outcome, check, outcomes, parse, plan
from gateway.cel.functions import STANDARD, Library
from gateway.cel.functions.signature import Function, Overload, Style
from gateway.diagnostic import Excerpt
from gateway.relaxation.spelled import spelled
from tests.cel.test_evaluate import value_of


def counting() -> tuple[Environment, Callable[[], int]]:
    """An environment whose `tick(n)` fails for numbers below zero, and how often it was called."""
    calls: list[int] = []

    def tick(number: int) -> int:
        calls.append(number)
        if number < 0:
            raise CelError(ErrorKind.INVALID, "below zero")
        return number

    function = Function("tick", Style.GLOBAL, (Overload((INT,), INT, tick),), "It counts.", "tick(1) == 1")
    return Environment({"x": INT, "b": BOOL}, Library(*STANDARD, function)), lambda: len(calls)


@pytest.mark.parametrize(
    ("text", "value", "calls"),
    [
        ("cel.block([tick(-1)], true)", True, 0),
        ("cel.block([tick(1), tick(2)], cel.index(1) + cel.index(1))", 4, 1),
        ("cel.block([tick(1), cel.index(0) + 1], cel.index(1) + cel.index(0))", 3, 1),
        ("cel.block([tick(-1)], cel.index(0) > 0 || cel.index(0) < 0 || true)", True, 1),
        ("cel.block([tick(7)], [1, 2].map(i, cel.index(0) + i))", [8, 9], 1),
        ("[1, 2].map(i, cel.block([tick(i) * 10], cel.index(0) + cel.index(0)))", [20, 40], 2),
        ("[1, -1].exists(i, cel.block([tick(i)], cel.index(0) == 1))", True, 1),
        ("[-1, 1].exists(i, cel.block([tick(i)], cel.index(0) == 1))", True, 2),
        ("cel.block([1], cel.block([2, cel.index(0) + 1], cel.index(1)))", 3, 0),
        ("cel.block([1], cel.block([cel.index(0) + 1], cel.index(0)))", 2, 0),
        ("cel.block([], 5)", 5, 0),
        ("[1, 2].map(cel.iterVar(0, 0), cel.bind(cel.accuVar(0, 0), cel.iterVar(0, 0), cel.accuVar(0, 0)))", [1, 2], 0),
    ],
)  # fmt: skip
def test_values_are_evaluated_once_and_only_where_they_are_used(text: str, value: Any, calls: int) -> None:
    environment, count = counting()
    parsed = parse(Excerpt.whole(text))
    assert check(parsed, environment, expects=None).diagnostics == ()
    program = plan(parsed, environment)
    assert program.evaluate({}) == value
    assert count() == calls
    assert program.watch({}).value == value
    assert program.evaluate({}) == value


def test_the_error_of_a_value_stands_where_the_value_does() -> None:
    text = "cel.block([1, 10 / 0], cel.index(0) == cel.index(1))"
    with pytest.raises(CelError) as caught:
        value_of(text)
    assert caught.value.kind is ErrorKind.DIVIDE_BY_ZERO
    assert caught.value.span is not None
    assert caught.value.span.text == "10 / 0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cel.block(x, 1)", "`cel.block` takes a list of values: `cel.block([…], …)`"),
        ("cel.block([?x], 1)", "a value of `cel.block` can't be optional"),
        ("cel.index(x)", "`cel.index` takes numbers from 0, written out"),
        ("cel.index(-1)", "`cel.index` takes numbers from 0, written out"),
        ("cel.iterVar(0, true)", "`cel.iterVar` takes numbers from 0, written out"),
    ],
)
def test_a_block_that_is_none_is_refused(text: str, message: str) -> None:
    (found,) = parse(Excerpt.whole(text)).diagnostics
    assert found.message == message


@pytest.mark.parametrize(
    "text",
    ["cel.index(0)", "cel.block([1], cel.index(1))", "cel.block([cel.index(0)], 1)", "cel.iterVar(0, 0)"],
)
def test_what_no_block_has_is_no_name(text: str) -> None:
    (found,) = check(parse(Excerpt.whole(text)), Environment(), expects=None).diagnostics
    assert found.code == "cel-name"


def test_the_types_of_values_are_known() -> None:
    text = "cel.block([1, 'a'], cel.index(0) + cel.index(1))"
    (found,) = check(parse(Excerpt.whole(text)), Environment(), expects=None).diagnostics
    assert found.message == "`+` can't take int and string"


@pytest.mark.parametrize(
    ("text", "booleans"),
    [
        ("cel.block([1 / 0 == 1], true)", {Outcome.TRUE}),
        ("cel.block([1 / 0 == 1], cel.index(0) || true)", {Outcome.TRUE}),
        ("cel.block([1 / 0 == 1], cel.index(0))", {Outcome.ERROR}),
        ("cel.block([b], cel.index(0))", {Outcome.TRUE, Outcome.FALSE}),
        ("cel.block([10 / x == 1], cel.index(0))", set(Outcome)),
        ("cel.block([10 / x == 1], b)", {Outcome.TRUE, Outcome.FALSE}),
    ],
)
def test_only_errors_of_values_that_are_used_are_foreseen(text: str, booleans: set[Outcome]) -> None:
    parsed = parse(Excerpt.whole(text))
    assert outcomes(parsed, Environment({"x": INT, "b": BOOL}), {}).booleans == booleans


def test_a_block_is_not_taken_for_the_same_as_a_binding_which_may_fail() -> None:
    block, again, binding = (
        spelled(parse(Excerpt.whole(text)))
        for text in ("cel.block([1 / x], b)", "cel.block( [ 1/x ] , b )", "cel.bind(a, 1 / x, b)")
    )
    assert block == again
    assert block != binding


def test_values_that_use_each_other_may_not_be_deeper_than_an_expression() -> None:
    deep = "!" * 100
    short = f"cel.block([{deep}b, {deep}cel.index(0)], cel.index(1))"
    parsed = parse(Excerpt.whole(short))
    assert parsed.ast is not None
    assert plan(parsed, Environment({"b": BOOL})).evaluate({"b": True}) is True
    long = f"cel.block([{deep}b, {deep}cel.index(0), {deep}cel.index(1)], cel.index(2))"
    (found,) = parse(Excerpt.whole(long)).diagnostics
    assert found.code == "cel-limit"
