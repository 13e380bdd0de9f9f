"""Lists of patterns: what is said to be covered is, and what is said to be beyond has a name that shows it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.glob import Glob, select
from gateway.relaxation.globs import beyond, certainly_beyond, covers, least

PATTERNS = st.lists(st.text("ab*/", min_size=1, max_size=4).filter(lambda p: p.count("/") < 2), max_size=3)
NAMES = [a + b + c for a in ("", "a", "b", "ab") for b in ("", "/") for c in ("", "a", "b", "ba", "zq7-")]


@given(PATTERNS, PATTERNS)
def test_a_name_that_only_the_new_patterns_match_is_never_missed(old: list[str], new: list[str]) -> None:
    gained = [name for name in NAMES if select(new, [name]) and not select(old, [name])]
    if gained:
        assert beyond(old, new)
    assert set(certainly_beyond(old, new)) <= set(beyond(old, new))


@given(PATTERNS)
def test_the_least_patterns_select_the_same(patterns: list[str]) -> None:
    assert select(least(patterns), NAMES) == select(patterns, NAMES)


@pytest.mark.parametrize(
    ("wide", "narrow"), [("*", "a*"), ("a*", "ab"), ("a*", "a*b"), ("*b", "a*b"), ("x/*", "x/a*"), ("a", "a")]
)
def test_a_pattern_covers_another(wide: str, narrow: str) -> None:
    assert covers(wide, narrow)
    assert wide == narrow or not covers(narrow, wide)


@pytest.mark.parametrize(("wide", "narrow"), [("*", "x/*"), ("a*", "*a"), ("a*b", "a*"), ("*/*", "*")])
def test_a_pattern_does_not_cover_another(wide: str, narrow: str) -> None:
    assert not covers(wide, narrow)


def test_a_pattern_that_is_certainly_beyond_is_shown_by_a_name() -> None:
    assert certainly_beyond(["a*"], ["*"]) == ["*"]
    assert certainly_beyond(["a*"], ["ab", "b"]) == ["b"]
    assert beyond(["a*", "b*"], ["*"]) == ["*"]


def test_exclusions_are_kept() -> None:
    assert least(["b", "*", "a", "!c", "!c"]) == ["*", "!c"]
    assert Glob("*").matches("b")
