"""Sizes and modes as command lines write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.inspect.modes import allowed
from gateway.inspect.sizes import size


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("512", 512),
        ("1k", 1024),
        ("10G", 10 << 30),
        ("1MiB", 1 << 20),
        ("2x1M", 2 << 20),
        ("", 0),
        ("x", 0),
        ("1.5G", 0),
    ],
)
def test_size(text: str, expected: int) -> None:
    assert size(text) == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("755", {"all-read"}),
        ("700", set()),
        ("0777", {"all-read", "all-write"}),
        ("00666", {"all-read", "all-write"}),
        ("4755", {"set-id", "all-read"}),
        ("02700", {"set-id"}),
        ("1777", {"all-read", "all-write"}),
        ("u+s", {"set-id"}),
        ("+s", {"set-id"}),
        ("o-s", set()),
        ("u=rwxs,go=", {"set-id"}),
        ("o+t", set()),
        ("a+w", {"all-write"}),
        ("ugo=rwx", {"all-read", "all-write"}),
        ("g+w,o+r", {"all-read"}),
        ("+x", set()),
        ("go-rwx", set()),
        ("", set()),
    ],
)
def test_mode(mode: str, expected: set[str]) -> None:
    assert allowed(mode) == expected


@given(st.text(max_size=20))
def test_any_text_has_a_size_and_a_mode(text: str) -> None:
    assert size(text) >= 0
    assert allowed(text) <= {"set-id", "all-write", "all-read"}
