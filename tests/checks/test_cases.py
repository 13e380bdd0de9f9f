"""What is proved of conditions by their cases, held against what the evaluator says of every value that matters."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import Environment, parse, plan
from gateway.cel.types import BOOL, DOUBLE, INT, STRING
from gateway.checks.cases import cases, contradiction, follows, implied, opposite_cases
from gateway.checks.held import spelled_again
from gateway.diagnostic import Excerpt

ENVIRONMENT = Environment({"n": INT, "r": DOUBLE, "s": STRING, "b": BOOL, "t": STRING})
NUMBERS = (-1, 0, 1, 2, 3, 4)
FRACTIONS = (-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5)
TEXTS = ("", "a", "ab", "b", "ba", "abab", "c")
NUMERALS = ("NaN", "0", "0.5", "2")
WHOLE = frozenset({"n"})

ATOMS = st.one_of(
    st.builds(
        "{} {} {}".format,
        st.just("n"),
        st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
        st.integers(0, 3),
    ),
    st.builds(
        "{} {} {}".format,
        st.just("r"),
        st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
        st.sampled_from([0.0, 1.0, 1.5, 2.0]),
    ),
    st.builds(
        "double(t) {} {}".format,
        st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
        st.sampled_from([0.0, 1.0]),
    ),
    st.builds('s == "{}"'.format, st.sampled_from(TEXTS)),
    st.builds('s in ["{}", "{}"]'.format, st.sampled_from(TEXTS), st.sampled_from(TEXTS)),
    st.builds("n in [{}, {}]".format, st.integers(0, 3), st.integers(0, 3)),
    st.builds(
        's.{}("{}")'.format,
        st.sampled_from(["startsWith", "endsWith", "contains"]),
        st.sampled_from(["a", "b", "ab"]),
    ),
    st.sampled_from(["b", "b == true", "b == false", "true", "false"]),
)
CONDITIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        st.builds("!({})".format, inner),
    ),
    max_leaves=6,
)
VALUES = [
    {"n": n, "r": r, "s": s, "b": b, "t": t}
    for n, r, s, b, t in product(NUMBERS, FRACTIONS, TEXTS, (True, False), NUMERALS)
]


def spelling(text: str) -> str:
    return spelled_again(parse(Excerpt.whole(text)), {})


def outcomes(text: str) -> list[bool]:
    """What the condition comes to for each of the values; nothing here can fail."""
    evaluate = plan(parse(Excerpt.whole(text)), ENVIRONMENT).exact
    return [evaluate(values) for values in VALUES]


@settings(max_examples=300, deadline=None)
@given(CONDITIONS)
def test_the_cases_of_a_condition_are_those_in_which_it_is_true(text: str) -> None:
    found, others = cases(spelling(text)), opposite_cases(spelling(text))
    if found is None or others is None:
        return
    true = outcomes(text)
    if all(contradiction(case, WHOLE) for case in found):
        assert not any(true), text
    if all(contradiction(case, WHOLE) for case in others):
        assert all(true), text


@settings(max_examples=400, deadline=None)
@given(CONDITIONS, CONDITIONS)
def test_what_follows_is_true_wherever_the_other_is(one: str, other: str) -> None:
    narrow, wide = spelling(one), spelling(other)
    some, all_ = cases(narrow), cases(wide)
    if some and all_ and (follows(some, all_, WHOLE) or implied(narrow, wide)):
        assert all(second for first, second in zip(outcomes(one), outcomes(other), strict=True) if first), (
            one,
            other,
        )


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("n > 2", "n > 1"),
        ("n > 2", "n >= 3"),
        ("n >= 3", "n > 2"),
        ("n < 2", "n <= 1"),
        ("n == 2", "n > 1"),
        ("n > 1 && n < 4", "n in [2, 3]"),
        ("n > 1 && n < 4", "n != 1"),
        ('s == "ab"', 's.startsWith("a")'),
        ('s.startsWith("ab")', 's.startsWith("a")'),
        ('s.startsWith("ab")', 's.contains("b")'),
        ('s.startsWith("b")', '!s.startsWith("a")'),
        ('s in ["a", "ab"]', 's in ["a", "ab", "b"]'),
        ('!s.contains("a")', '!s.startsWith("ab")'),
        ("b && n > 1", "b || n > 7"),
        ("b", "b == true"),
        ("n > 3 || n < 1", "n != 2"),
    ],
)
def test_what_is_seen_to_follow(narrow: str, wide: str) -> None:
    some, all_ = cases(spelling(narrow)), cases(spelling(wide))
    assert some is not None
    assert all_ is not None
    assert follows(some, all_, WHOLE)


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("r > 2.0", "r >= 2.5"),
        ("n > 1", "n > 2"),
        ('s.contains("ab")', 's.startsWith("ab")'),
        ('s.startsWith("a")', '!s.endsWith("b")'),
        ("n > 1", "b"),
        ("n != 2", "n > 3"),
        ("b || n > 1", "b"),
        ("true", "b"),
    ],
)
def test_what_does_not_follow(narrow: str, wide: str) -> None:
    some, all_ = cases(spelling(narrow)), cases(spelling(wide))
    assert some is not None
    assert all_ is not None
    assert not follows(some, all_, WHOLE)


def test_what_can_not_be_read_has_no_cases() -> None:
    assert cases("n >") is None
    assert cases(" && ".join(f"(a{n} || b{n})" for n in range(7))) is None
