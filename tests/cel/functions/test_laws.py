"""Laws that the libraries keep, on values that nobody thought of: against Python's own, or against each other."""

from __future__ import annotations

import decimal
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gateway.cel import DYN, CelError, Environment, Timestamp, UInt, parse
from gateway.cel.functions.decimals import parse_decimal
from gateway.cel.functions.format import _shortest
from gateway.cel.operators import contained, equal
from gateway.diagnostic import Excerpt
from tests.cel.both_ways import agreed

ENVIRONMENT = Environment(dict.fromkeys("abcdn", DYN))

TEXTS = st.text(alphabet='abé😀 \n"\\,\x85', max_size=8)
SIMPLE: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.integers(0, 3).map(UInt)
    | st.sampled_from([0.0, -0.0, 1.0, 2.5, float("nan"), 2.0**53])
    | st.sampled_from([2**53, 2**53 + 1])
    | TEXTS
    | st.binary(max_size=2)
    | st.integers(0, 2).map(Timestamp)
    | st.sampled_from(["1", "1.0", "1.00", "0.1"]).map(parse_decimal)
)
VALUES = st.recursive(
    SIMPLE,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", 1, 2]), inner, max_size=2)
    ),
    max_leaves=4,
)
LISTS = st.lists(VALUES, max_size=5)


def value_of(text: str, **variables: Any) -> Any:
    return agreed(parse(Excerpt.whole(text)), ENVIRONMENT, variables)


@given(LISTS, LISTS)
def test_sets_take_as_equal_what_the_language_does(a: list[Any], b: list[Any]) -> None:
    contains = all(contained(element, a) for element in b)
    assert value_of("sets.contains(a, b)", a=a, b=b) is contains
    within = all(contained(element, b) for element in a)
    assert value_of("sets.equivalent(a, b)", a=a, b=b) is (contains and within)
    assert value_of("sets.intersects(a, b)", a=a, b=b) is any(contained(element, a) for element in b)


@given(LISTS)
def test_distinct_keeps_the_first_of_what_is_equal(a: list[Any]) -> None:
    kept: list[Any] = []
    for element in a:
        if not any(equal(element, other) for other in kept):
            kept.append(element)
    found = value_of("a.distinct()", a=a)
    assert [id(element) for element in found] == [id(element) for element in kept]


@given(TEXTS, TEXTS, st.integers(-1, 9))
def test_places_in_texts_are_where_they_were_found(a: str, b: str, n: int) -> None:
    first, last = value_of("a.indexOf(b)", a=a, b=b), value_of("a.lastIndexOf(b)", a=a, b=b)
    assert (first, last) == (a.find(b), a.rfind(b))
    if 0 <= n <= len(a):
        assert value_of("a.lastIndexOf(b, n)", a=a, b=b, n=n) == a.rfind(b, 0, n + len(b))
        assert value_of("a.substring(0, n) + a.substring(n) == a", a=a, n=n)
    if first >= 0:
        assert value_of("a.substring(n, n + size(b)) == b", a=a, b=b, n=first)


@given(TEXTS, st.text(alphabet="ab,é", min_size=1, max_size=2), st.integers(-1, 4))
def test_what_is_split_can_be_joined(a: str, b: str, n: int) -> None:
    parts = value_of("a.split(b, n)", a=a, b=b, n=n)
    assert len(parts) <= n or n < 0
    if n:
        assert value_of("c.join(b) == a", a=a, b=b, c=parts)
    assert value_of("a.split('').join() == a && a.reverse().reverse() == a", a=a)
    assert value_of("base64.decode(base64.encode(bytes(a))) == bytes(a)", a=a)


@given(st.lists(st.integers(-5, 5)))
def test_what_is_sorted_is_in_order_and_all_there(a: list[int]) -> None:
    assert value_of("a.sort()", a=a) == sorted(a)
    assert value_of("a.sortBy(x, -x)", a=a) == sorted(a, key=lambda x: -x)
    assert value_of("a.sortBy(x, x * x)", a=a) == sorted(a, key=lambda x: x * x)


AMOUNTS = st.decimals(-(10**9), 10**9, places=3).map(str)
EXACT = decimal.Context(prec=80, rounding=decimal.ROUND_HALF_EVEN)


@given(AMOUNTS, AMOUNTS, st.integers(0, 6))
def test_decimals_are_those_of_python(a: str, b: str, n: int) -> None:
    one, other = decimal.Decimal(a), decimal.Decimal(b)
    for symbol, expected in (
        ("+", EXACT.add(one, other)),
        ("-", EXACT.subtract(one, other)),
        ("*", EXACT.multiply(one, other)),
    ):
        found = value_of(f"string(decimal(a) {symbol} decimal(b))", a=a, b=b)
        assert decimal.Decimal(found) == expected
    assert value_of("decimal(a) < decimal(b)", a=a, b=b) is (one < other)
    assert value_of("decimal(a) == decimal(b)", a=a, b=b) is (one == other)
    if other:
        quotient = EXACT.divide(one, other).quantize(decimal.Decimal(1).scaleb(-n), context=EXACT)
        assert (
            decimal.Decimal(value_of("string(decimal(a).quotient(decimal(b), n))", a=a, b=b, n=n)) == quotient
        )
    assert decimal.Decimal(value_of("'%.1f'.format([decimal(a)])", a=a)) == one.quantize(
        decimal.Decimal("0.1"), context=EXACT
    )


@given(st.lists(AMOUNTS, max_size=6))
def test_decimals_that_are_equal_hash_alike(a: list[str]) -> None:
    numbers = [*map(parse_decimal, a), *(parse_decimal(f"{text}00") for text in a)]
    for one in numbers:
        for other in numbers:
            assert one != other or hash(one) == hash(other)
    assert len(set(numbers)) == len({decimal.Decimal(text) for text in a})


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_written_so_that_it_reads_back(number: float) -> None:
    text = _shortest(number)
    assert "e" not in text
    assert float(text) == number


@given(st.text(alphabet="%sdfxXobe.123q ", max_size=8), LISTS)
def test_any_format_gives_a_text_or_an_error(a: str, b: list[Any]) -> None:
    try:
        assert isinstance(value_of("a.format(b)", a=a, b=b), str)
    except CelError as error:
        assert error.message
