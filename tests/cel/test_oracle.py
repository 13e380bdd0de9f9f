"""Our answers against those of cel-python: wherever they differ, the difference is one of those that are known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.cel import parse
from gateway.diagnostic import Excerpt
from gateway.second_opinion.asking import Asking
from gateway.second_opinion.opinion import Comparing
from tests.cel.oracle_expressions import ANYTHING, COMPARED, MIXED, VALUES, conditions


@pytest.fixture(scope="module")
def comparing() -> Iterator[Comparing]:
    with Asking(whole=3600) as asking:
        yield Comparing(asking)


@settings(max_examples=80, deadline=None)
@given(st.recursive(COMPARED, conditions, max_leaves=5))
def test_both_say_the_same(comparing: Comparing, text: str) -> None:
    assert comparing.narrowed(parse(Excerpt.whole(text)), ANYTHING, VALUES) is None


@settings(max_examples=80, deadline=None)
@given(st.recursive(COMPARED | MIXED, conditions, max_leaves=5))
def test_every_difference_is_known(comparing: Comparing, text: str) -> None:
    difference = comparing.narrowed(parse(Excerpt.whole(text)), ANYTHING, VALUES)
    assert difference is None or difference.known is not None, difference
