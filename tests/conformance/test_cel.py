"""The cases of the specification pass, but for those with a reason; the runner tells right answers from wrong ones."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conformance.cel import (
    CASES,
    README,
    ROOT,
    Known,
    Report,
    known_misses,
    read,
    run,
    with_table,
)

SAMPLE = ROOT / "tests" / "data" / "cel" / "sample.jsonl"


@pytest.fixture(scope="module")
def report() -> Report:
    return run(read(CASES), known_misses())


def test_every_miss_has_a_reason(report: Report) -> None:
    assert [str(miss) for miss in report.misses if miss.known is None] == []
    assert report.total.total() == 1733


def test_every_known_miss_is_still_one(report: Report) -> None:
    found = {miss.known for miss in report.misses}
    assert [one for one in known_misses() if one not in found] == [], "take these lines out of misses.txt"


def test_the_table_of_the_readme_is_that_of_the_cases(report: Report) -> None:
    page = README.read_text(encoding="utf-8")
    assert "<!-- table: conformance -->" in page
    assert with_table(page, report) == page, "run `python -m tests.conformance.cel --table`"


def test_right_and_wrong_answers_are_counted() -> None:
    command = [sys.executable, "-m", "tests.conformance.cel", str(SAMPLE)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[-1] == "5 of 10 passed"
    assert [line.split() for line in lines[:2]] == [["misses", "0/5"], ["own", "5/5"]]
    assert lines[2:-1] == [
        "misses/wrong/value: value: 1 (nobody knows why)",
        "misses/wrong/no_error: no error, but 1 (nobody knows why)",
        "misses/wrong/type: type: int (nobody knows why)",
        "misses/wrong/unreadable: parse: expected a value, found the end (nobody knows why)",
        "misses/wrong/unchecked: check: nothing is named `nobody` (nobody knows why)",
    ]


def test_a_miss_is_given_the_first_reason_that_fits() -> None:
    known = (Known("misses/wrong/type", "for one"), Known("misses/*", "for all"), Known("own/*", "for none"))
    found = run(read(SAMPLE), known)
    reasons = [miss.known.reason if miss.known else "" for miss in found.misses]
    assert reasons == ["for all", "for all", "for one", "for all", "for all"]
    assert list(found.table())[2:] == [
        "| `own` | 5 of 5 | |",
        "| `misses` | 0 of 5 | for all; for one |",
        "| all | 5 of 10 | |",
    ]
