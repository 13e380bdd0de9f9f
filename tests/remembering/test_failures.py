"""Whatever fails in the store ends in something stricter, with a code."""

from __future__ import annotations

import pytest

from tests.remembering.failing import CASES, Work, outcome, rows
from tests.test_readme import README

WANTED = {
    "before": "deny, `STATE_UNAVAILABLE`",
    "nameless": "deny, `STATE_UNAVAILABLE`",
    "again": "deny, `STATE_UNAVAILABLE`",
    "over": "deny, `STATE_UNAVAILABLE`",
    "paid": "deny, `STATE_UNAVAILABLE`",
    "after": "`RESULT_UNRECORDED`: nothing of the result is shown, the entry stays open",
    "overriding": "`Unavailable` is raised; the entry stays open, and a person is asked",
    "overridden": "deny, `STATE_UNAVAILABLE`",
    "answered": "`Unavailable` is raised; the question stays as it was",
}
WORKS = list(dict.fromkeys(case[3] for case in CASES))


@pytest.mark.parametrize(
    ("method", "number", "work"),
    [case[1:] for case in CASES],
    ids=[f"{case[3].__name__}-{case[1]}" for case in CASES],
)
def test_a_store_that_fails_lets_nothing_run(method: str, number: int, work: Work) -> None:
    assert outcome(method, number, work) == WANTED[work.__name__]


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.__name__)
def test_each_of_them_does_without_the_failure_what_it_should(work: Work) -> None:
    assert outcome("none", 0, work) != WANTED[work.__name__]


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.__name__)
@pytest.mark.parametrize("method", ["read", "apply", "counted", "generation", "listed"])
def test_whichever_call_to_the_store_fails_nothing_is_laxer(method: str, work: Work) -> None:
    fine = {outcome("none", 0, work), *WANTED.values()}
    assert {outcome(method, number, work) for number in range(12)} <= fine


def test_the_table_of_the_readme_says_so() -> None:
    for row in rows():
        assert f"| {' | '.join(row)} |" in README, "a row of the table"
