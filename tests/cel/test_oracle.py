"""Our answers against those of cel-python: wherever they differ, the difference is one of those that are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import DYN, Environment, parse
from gateway.diagnostic import Excerpt
from gateway.second_opinion.asking import Asking
from gateway.second_opinion.opinion import Comparing

INTS = st.sampled_from(["0", "1", "-2", "7", "i", "j", "o.n"])
TEXTS = st.sampled_from(["''", "'a'", "'abc'", "s", "o.t"])


def _ints(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "%"]), inner)


NUMBERS = st.recursive(INTS, _ints, max_leaves=4) | st.builds("size({})".format, TEXTS)
STRINGS = TEXTS | st.builds("({} + {})".format, TEXTS, TEXTS)
COMPARED = (
    st.builds("({} {} {})".format, NUMBERS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), NUMBERS)
    | st.builds("({} {} {})".format, STRINGS, st.sampled_from(["==", "!=", "<", ">"]), STRINGS)
    | st.builds("{}.{}({})".format, TEXTS, st.sampled_from(["startsWith", "endsWith", "contains"]), TEXTS)
    | st.builds("({} in [{}, {}])".format, NUMBERS, INTS, INTS)
    | st.builds(
        "l.{}(x, x {} {})".format,
        st.sampled_from(["all", "exists", "exists_one"]),
        st.sampled_from(["<", "=="]),
        INTS,
    )
    | st.sampled_from(["has(o.n)", "has(o.z)", "b", "true", "false"])
)
MIXED = st.builds(
    "({} {} {})".format,
    INTS | TEXTS | st.sampled_from(["b", "d", "l", "o", "null", "1.0", "2u"]),
    st.sampled_from(["==", "!=", "<", ">=", "in"]),
    INTS | TEXTS | st.sampled_from(["b", "d", "l", "o", "[1, 'a', 1.0]", "null"]),
) | st.sampled_from(["has(o.z.y)", "has(s.x)", "string(l) == s", "l[d] == 2", "s.all(x, x != s)"])


def _conditions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return (
        st.builds("({} {} {})".format, inner, st.sampled_from(["&&", "||"]), inner)
        | st.builds("!{}".format, inner)
        | st.builds("({} ? {} : {})".format, inner, inner, inner)
    )


VALUES: dict[str, Any] = {
    "i": 3,
    "j": -4,
    "s": "ab",
    "b": True,
    "d": 1.0,
    "l": [1, 2, 3],
    "o": {"n": 5, "t": "abc"},
}
ANYTHING = Environment(dict.fromkeys(VALUES, DYN))


@pytest.fixture(scope="module")
def comparing() -> Iterator[Comparing]:
    with Asking(whole=3600) as asking:
        yield Comparing(asking)


@settings(max_examples=80, deadline=None)
@given(st.recursive(COMPARED, _conditions, max_leaves=5))
def test_both_say_the_same(comparing: Comparing, text: str) -> None:
    assert comparing.narrowed(parse(Excerpt.whole(text)), ANYTHING, VALUES) is None


@settings(max_examples=80, deadline=None)
@given(st.recursive(COMPARED | MIXED, _conditions, max_leaves=5))
def test_every_difference_is_known(comparing: Comparing, text: str) -> None:
    difference = comparing.narrowed(parse(Excerpt.whole(text)), ANYTHING, VALUES)
    assert difference is None or difference.known is not None, difference
