"""Patterns tried together hold for the same texts as each for itself; a path counts from its directory on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.glob import fits
from gateway.inspect.globs import globs
from tests.inspect.places import INSPECTOR, PLACE

PATTERN = st.text("ab*/", max_size=5)


@given(st.lists(PATTERN, max_size=4), st.text("ab/", max_size=6))
def test_together_as_one_by_one(patterns: list[str], text: str) -> None:
    assert globs(tuple(patterns)).fit(text) == any(fits(pattern, text) for pattern in patterns)


@pytest.mark.parametrize(
    ("text", "stopped"),
    [
        ("cd /dev && cat x > sda", True),
        ("cat x > /dev/../dev/sda", True),
        ("cat x > /dev//sda", True),
        ("cat x > sda", False),
        ("cat x > dev/sda", False),
        ("cd ~ && echo x >> .bashrc", True),
        ("echo x >> .bashrc", False),
    ],
)
def test_a_path_counts_from_its_directory_on(text: str, *, stopped: bool) -> None:
    assert bool(INSPECTOR.shell(text, PLACE).matches) is stopped
