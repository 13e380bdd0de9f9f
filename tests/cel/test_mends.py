"""What the help of a condition that does not check says to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cel.test_checker import wrong

DATA = Path(__file__).parents[1] / "data" / "cel" / "mends.txt"
CASES = [
    tuple(line.split(" | ", 2)) for line in DATA.read_text().splitlines() if line and not line.startswith("#")
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[2])
def test_the_help_says_what_to_write(case: tuple[str, str, str]) -> None:
    place, help_, text = case
    assert [(found, told) for _, found, _, told in wrong(text)] == [(place, help_)]
