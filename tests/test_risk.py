"""Risk levels: their order, and what an unreadable one counts as."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.risk import RiskLevel, parse_or_high

ASCENDING = ["READ_ONLY", "LOW", "MEDIUM", "HIGH", "IRREVERSIBLE"]


def test_severities_are_explicit() -> None:  # B10
    assert [RiskLevel(name).severity for name in ASCENDING] == [0, 1, 2, 3, 4]
    assert [level.value for level in RiskLevel] == ASCENDING


@pytest.mark.parametrize(("lower", "higher"), list(itertools.combinations(ASCENDING, 2)))
def test_comparison_follows_severity(lower: str, higher: str) -> None:  # B10
    low, high = RiskLevel(lower), RiskLevel(higher)
    assert low < high
    assert low <= high
    assert high > low
    assert high >= low
    assert not high < low
    assert not low >= high


@pytest.mark.parametrize("level", list(RiskLevel))
def test_a_level_equals_only_itself(level: RiskLevel) -> None:
    assert [other for other in RiskLevel if other <= level and other >= level] == [level]


@pytest.mark.parametrize("name", ASCENDING)
def test_a_name_and_a_level_are_read_alike(name: str) -> None:  # B10
    assert parse_or_high(name) is parse_or_high(RiskLevel(name)) is RiskLevel(name)


@pytest.mark.parametrize(
    "value", [None, "", "read_only", " READ_ONLY", "READ_ONLY\n", "READ-ONLY", "0", 0, 1, False, [], {}]
)
def test_what_can_not_be_read_is_high(value: object) -> None:  # B10
    assert parse_or_high(value) is RiskLevel.HIGH


@given(st.from_type(object) | st.text() | st.recursive(st.none() | st.integers(), st.lists))
def test_every_value_has_a_level_and_an_unknown_one_is_high(value: object) -> None:  # B10
    level = parse_or_high(value)
    assert isinstance(level, RiskLevel)
    known = isinstance(value, RiskLevel) or (isinstance(value, str) and value in ASCENDING)
    assert known or level >= RiskLevel.HIGH
