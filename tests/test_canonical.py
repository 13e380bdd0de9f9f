"""One spelling for each JSON value: that of RFC 8785, and more digits where that has none for a number."""

from __future__ import annotations

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from gateway.call import normal_arguments, same
from gateway.canonical import canonical, digest

MOST = 2**53 - 1
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
NUMBERS = st.integers(-MOST, MOST) | st.floats(allow_nan=False, allow_infinity=False)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_it_is_the_spelling_of_the_standard(value: Any) -> None:
    assert canonical(value).encode() == rfc8785.dumps(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_laid_out_as_ecmascript_does(value: float) -> None:
    assert canonical(value).encode() == rfc8785.dumps(value)
    assert float(json.loads(canonical(value))) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (9007199254740993, "9007199254740993"),
        (-(2**63), "-9223372036854775808"),
        ({"\U0001f600": 1, "￿": 2}, '{"\U0001f600":1,"￿":2}'),
        ({"b": 1, "a": [True, None, "x"]}, '{"a":[true,null,"x"],"b":1}'),
        (1e21, "1e+21"),
        (1e-7, "1e-7"),
        (0.000001, "0.000001"),
        (-0.0, "0"),
        ("\x1f\n\x7f\u2028", '"\\u001f\\n\x7f\u2028"'),
    ],
)
def test_spellings(value: Any, expected: str) -> None:
    assert canonical(value) == expected


SMALL: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(-1e18, 1e18) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(SMALL, SMALL)
def test_two_normal_values_have_one_digest_only_where_they_are_the_same(a: Any, b: Any) -> None:
    one, other = normal_arguments({"x": a}), normal_arguments({"x": b})
    assert (digest(one) == digest(other)) is same(one, other)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_has_none(value: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        canonical([value])


def test_what_is_no_json_has_none() -> None:
    with pytest.raises(TypeError, match="bytes"):
        canonical({"x": b""})
