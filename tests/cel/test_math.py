"""`math`: what it gives at the edges of numbers, and what the checker says of its calls."""

from __future__ import annotations

import time
from enum import IntEnum
from typing import Any

import pytest

from gateway.cel import DYN, INT, CelError, Environment, ErrorKind, ListType, UInt, check, parse, plan
from gateway.cel.types import DOUBLE, UINT
from gateway.diagnostic import Excerpt
from tests.cel.test_evaluate import lines, value_of

ENVIRONMENT = Environment(
    {"i": INT, "d": DOUBLE, "u": UINT, "n": DYN, "l": ListType(INT), "m": ListType(DYN)}
)


@pytest.mark.parametrize("text", lines("math.txt"))
def test_it_is_true(text: str) -> None:
    assert check(parse(Excerpt.whole(text)), Environment()).diagnostics == ()
    assert value_of(text) is True


@pytest.mark.parametrize("line", lines("math_errors.txt"))
def test_it_fails(line: str) -> None:
    kind, text = line.split(" | ", 1)
    assert check(parse(Excerpt.whole(text)), Environment(), expects=None).diagnostics == ()
    with pytest.raises(CelError) as caught:
        value_of(text)
    assert caught.value.kind is ErrorKind(kind)


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
        ("math.greatest([])", "list(never)"),
        ("math.greatest(['a'])", "list(string)"),
        ("math.greatest({1: 2})", "map(int, int)"),
        ("math.greatest(null)", "null"),
    ],
)
def test_what_is_no_number_is_refused_when_it_is_checked(call: str, given: str) -> None:
    (found,) = check(parse(Excerpt.whole(call)), ENVIRONMENT, expects=None).diagnostics
    assert found.message == f"`math.greatest` can't take ({given})"
    assert found.help == "it is `math.greatest(number, …)` or `math.greatest(list(number))`"


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
