"""`math`: what it gives at the edges of numbers, and what the checker says of its calls."""

from __future__ import annotations

import math
import time
from ctypes import c_int64, c_uint64
from decimal import ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, ROUND_HALF_UP, Decimal, localcontext
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cel import DYN, INT, CelError, Environment, ErrorKind, ListType, UInt, check, parse, plan
from gateway.cel.types import DOUBLE, UINT
from gateway.cel.values import INT_MAX, INT_MIN, UINT_MAX
from gateway.diagnostic import Excerpt
from tests.cel.functions.test_cases import lines
from tests.cel.test_evaluate import value_of

ENVIRONMENT = Environment(
    {"i": INT, "d": DOUBLE, "u": UINT, "n": DYN, "l": ListType(INT), "m": ListType(DYN)}
)


@pytest.mark.parametrize("line", [line for line in lines("errors.txt") if "math." in line])
def test_what_fails_passes_the_checker(line: str) -> None:
    _, _, text = line.split(" | ", 2)
    assert check(parse(Excerpt.whole(text)), Environment(), expects=None).diagnostics == ()


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("math.greatest(i)", "int"),
        ("math.greatest(i, i, i)", "int"),
        ("math.least(u, u)", "uint"),
        ("math.least(i, d)", "dyn"),
        ("math.least(i, n)", "dyn"),
        ("math.greatest(l)", "int"),
        ("math.greatest(m)", "dyn"),
        ("math.greatest([1.0, 2.0])", "double"),
    ],
)
def test_the_type_is_known_where_all_numbers_have_one(text: str, type_: str) -> None:
    found = check(parse(Excerpt.whole(text)), ENVIRONMENT, expects=None)
    assert (found.diagnostics, str(found.type)) == ((), type_)


@pytest.mark.parametrize(
    ("call", "given"),
    [
        ("math.greatest()", ""),
        ("math.greatest('a')", "string"),
        ("math.greatest(1, 'a')", "int, string"),
        ("math.greatest(1, 2, true)", "int, int, bool"),
        ("math.greatest(1, [2])", "int, list(int)"),
        ("math.greatest([])", "list"),
        ("math.greatest(['a'])", "list(string)"),
        ("math.greatest({1: 2})", "map(int, int)"),
        ("math.greatest(null)", "null"),
    ],
)
def test_what_is_no_number_is_refused_when_it_is_checked(call: str, given: str) -> None:
    (found,) = check(parse(Excerpt.whole(call)), ENVIRONMENT, expects=None).diagnostics
    assert found.message == f"`math.greatest` can't take ({given})"
    assert found.help == "it is `math.greatest(number, …)` or `math.greatest(list(number))`"


@pytest.mark.parametrize(
    ("call", "shown", "help_"),
    [
        ("math.sqrtt(i)", "math.sqrtt", "did you mean `math.sqrt`?"),
        ("optional.off(1)", "optional.off", "did you mean `optional.of`?"),
        ("ip.canonical('::1')", "ip.canonical", "did you mean `ip.isCanonical`?"),
        ("optional.maximum(i)", "optional.maximum", "there are `optional.of`, `optional.ofNonZeroValue`, `optional.none`"),
    ],
)  # fmt: skip
def test_a_function_that_a_library_has_not_is_one_mistake(call: str, shown: str, help_: str) -> None:
    (found,) = check(parse(Excerpt.whole(call)), ENVIRONMENT, expects=None).diagnostics
    assert found.span is not None
    assert (found.code, found.span.text, found.help) == ("cel-name", shown, help_)
    assert found.message == f"there is no function `{shown}`"


def test_a_variable_hides_the_library_of_its_name() -> None:
    for text in ("math.max(1)", "[[1]].all(math, math.max(1))"):
        found = check(parse(Excerpt.whole(text)), Environment({"math": ListType(INT)}), expects=None)
        assert [one.message for one in found.diagnostics] == ["there is no function `max`"]


def test_a_call_without_numbers_fails_as_well_where_nothing_checks_it() -> None:
    with pytest.raises(CelError) as caught:
        value_of("math.least()")
    assert caught.value.kind is ErrorKind.NO_SUCH_OVERLOAD


class Level(IntEnum):
    LOW = 1
    HIGH = 2


def test_numbers_of_hosts_are_taken_as_they_are() -> None:
    assert value_of("math.greatest(a, b)", a=Level.LOW, b=Level.HIGH) == 2
    assert type(value_of("math.greatest(l)", l=(Level.LOW, Level.HIGH))) is int
    assert value_of("math.least(l)", l=frozenset({3, 2})) == 2
    assert type(value_of("math.bitNot(x)", x=UInt(0))) is UInt


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**400])
def test_an_int_of_a_host_beyond_64_bits_is_an_error_and_no_crash(number: int) -> None:
    for text in ("math.sqrt(x)", "math.bitOr(x, 1)", "math.bitXor(1, x)", "math.bitNot(x)", "math.abs(x)"):
        with pytest.raises(CelError) as caught:
            value_of(text, x=number)
        assert caught.value.kind is ErrorKind.OUT_OF_RANGE


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_whole_numbers_are_those_of_exact_arithmetic(number: float) -> None:
    exact = Decimal(number)
    for function, rounding in (
        ("ceil", ROUND_CEILING),
        ("floor", ROUND_FLOOR),
        ("trunc", ROUND_DOWN),
        ("round", ROUND_HALF_UP),
    ):
        with localcontext(prec=400):
            expected = exact.to_integral_value(rounding=rounding)
        found = value_of(f"math.{function}(x)", x=number)
        assert (Decimal(found), math.copysign(1, found)) == (expected, math.copysign(1, number))


@given(st.integers(INT_MIN, INT_MAX), st.integers(INT_MIN, INT_MAX), st.integers(0, 70))
def test_bits_are_those_of_a_machine(one: int, other: int, count: int) -> None:
    pattern = one & UINT_MAX
    assert value_of("math.bitShiftLeft(x, n)", x=one, n=count) == c_int64(pattern << count).value
    assert value_of("math.bitShiftRight(x, n)", x=one, n=count) == c_int64(pattern >> count).value
    assert value_of("math.bitShiftLeft(x, n)", x=UInt(pattern), n=count) == c_uint64(pattern << count).value
    assert value_of("math.bitXor(math.bitXor(x, y), y) == x", x=one, y=other) is True
    assert value_of(
        "math.bitNot(math.bitAnd(x, y)) == math.bitOr(math.bitNot(x), math.bitNot(y))", x=one, y=other
    )


@given(st.lists(st.integers(INT_MIN, INT_MAX), min_size=1))
def test_the_extremes_are_those_of_python(numbers: list[int]) -> None:
    arguments = ", ".join(f"l[{place}]" for place in range(len(numbers)))
    assert value_of(f"[math.least(l), math.greatest({arguments})]", l=numbers) == [min(numbers), max(numbers)]


def test_kinds_are_told_apart_whichever_was_there_first() -> None:
    program = plan(parse(Excerpt.whole("math.greatest(a, b, c)")), Environment())
    for values, best in (((1, 2, 3), 3), ((1.5, 2, UInt(1)), 2), ((1, 2, 2.5), 2.5)):
        assert program.evaluate(dict(zip("abc", values, strict=True))) == best
    with pytest.raises(CelError):
        program.evaluate({"a": 1, "b": True, "c": 2})


def test_long_lists_end_a_condition_early() -> None:
    numbers: list[Any] = [float(n) for n in range(100_000)]
    started = time.process_time()
    with pytest.raises(CelError) as caught:
        value_of("l.all(x, math.greatest(l) >= x)", l=numbers)
    assert caught.value.kind is ErrorKind.LIMIT
    assert time.process_time() - started < 2
    assert value_of("math.greatest(l) == 9999.0", l=numbers[:10_000]) is True
