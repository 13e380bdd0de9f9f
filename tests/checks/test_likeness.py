"""Which names are taken for a misspelling of another one, and which are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.checks.likeness import misspelt, same_letters


@pytest.mark.parametrize(
    ("doubtful", "likely"),
    [
        ("Form-Design", "form-design"),  # case
        ("form_design", "form-design"),  # separators
        ("form design", "form-design"),
        ("formDesign", "form-design"),
        ("form-designs", "form-design"),  # plurals
        ("category", "categories"),
        ("process", "processes"),
        ("aproval-process", "approval-process"),  # a letter that stands twice
        ("comments", "commments"),
        ("invioce", "invoice"),  # letters that changed places
        ("knowlege", "knowledge"),  # a letter too few, in a long word
        ("reporrting", "reporting"),
        ("data-interfece", "data-interface"),  # another letter
        ("administretion", "administration"),
    ],
)
def test_a_slip_is_seen_whichever_of_two_names_is_the_rarer(doubtful: str, likely: str) -> None:
    assert list(misspelt({likely: 3, doubtful: 1})) == [(doubtful, likely)]
    assert list(misspelt({doubtful: 1, likely: 3})) == [(doubtful, likely)]
    assert list(misspelt({doubtful: 3, likely: 1})) == [(likely, doubtful)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("form-design", "form-data"),
        ("form-design", "form-design-run"),
        ("data-model", "data-interface"),
        ("orders", "borders"),
        ("contract", "contact"),
        ("content", "context"),
        ("shipping", "shopping"),
        ("messages", "massages"),
        ("discover", "discovery"),
        ("reception", "deception"),
        ("manager", "managers-office"),
        ("region-1", "region-2"),
        ("statistics-2025", "statistics-2026"),
        ("news", "new"),
        ("in", "on"),
        ("", "a"),
        ("生产订单管理系统设置一组", "生产订单管理系统设置二组"),  # one sign is a word here
    ],
)
def test_names_that_can_both_be_meant_are_left_alone(one: str, other: str) -> None:
    for uses in ({one: 3, other: 1}, {one: 1, other: 3}, {one: 1, other: 1}):
        assert list(misspelt(uses)) == []


def test_of_two_names_used_as_often_the_later_is_doubtful_and_a_slip_says_nothing() -> None:
    assert list(misspelt({"Orders": 2, "order": 2})) == [("order", "Orders")]
    assert list(misspelt({"knowledge": 1, "knowlege": 1})) == []


def test_one_letter_in_the_last_word_counts_from_a_length_that_can_be_chosen() -> None:
    uses = {"form:update": 2, "form:updete": 1}
    assert list(misspelt(uses)) == []
    assert list(misspelt(uses, last=5)) == [("form:updete", "form:update")]
    assert list(misspelt({"contract:read": 2, "contact:read": 1}, last=5)) == []
    assert list(misspelt({"form:get": 2, "form:set": 1}, last=5)) == []


def test_the_same_letters_are_told_from_a_plural() -> None:
    assert same_letters("infra:form-design", "infra.formDesign")
    assert not same_letters("order:read", "orders:read")


def test_of_many_names_that_are_alike_each_is_held_against_one_only() -> None:
    letters = "approval-process"
    names = {"".join(c.upper() if n >> i & 1 else c for i, c in enumerate(letters)): 1 for n in range(20_000)}
    found = list(misspelt(names))
    assert len(found) == len(names) - 1
    assert {likely for _, likely in found} == {letters}


@given(st.dictionaries(st.text("abcAB-_ s", max_size=12), st.integers(1, 3), max_size=12))
def test_the_likely_name_is_never_the_rarer_one_and_each_name_is_doubted_once(uses: dict[str, int]) -> None:
    found = list(misspelt(uses))
    assert len({doubtful for doubtful, _ in found}) == len(found)
    for doubtful, likely in found:
        assert doubtful != likely
        assert uses[doubtful] <= uses[likely]
