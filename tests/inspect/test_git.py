"""Arguments of a git tool, which has no `git` in front and may or may not hand them to a shell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.steps.inspection import texts_of
from tests.inspect.places import GUARDED, INSPECTOR, PLACE
from tests.lists import read_list

CASES = read_list("inspect/git.yaml")


@pytest.mark.parametrize("text", CASES["stop"])
def test_stopped(text: str) -> None:
    found = INSPECTOR.git(text, PLACE).matches
    assert found
    for match in found:
        assert match.text == text[match.start : match.end]
        assert match.reason and match.alternative


@pytest.mark.parametrize("text", CASES["pass"])
def test_passes(text: str) -> None:
    assert INSPECTOR.git(text, PLACE).matches == ()


@pytest.mark.parametrize(
    ("text", "offending"),
    [
        ("push --force", "--force"),
        ("push origin +main", "+main"),
        ("-C sub reset --hard", "--hard"),
        ("status; rm -rf /srv", "/srv"),
        # A shell sees a comment here, a tool without one two more words.
        ("push # --force", "push # --force"),
    ],
)
def test_offending_characters(text: str, offending: str) -> None:
    (match,) = INSPECTOR.git(text, PLACE).matches
    assert match.text == offending


def test_the_guard_holds_for_git_tools() -> None:
    (match,) = GUARDED.git("checkout HEAD~3 -- policies/base.yaml", PLACE).matches
    assert match.pattern == "guard"


def test_arguments_that_come_as_a_list_are_read_together() -> None:
    *apart, together = texts_of([["push", "origin", "--force"]], "git")
    assert apart == ["push", "origin", "--force"]
    assert INSPECTOR.git(together, PLACE).matches


@given(st.text(max_size=60))
def test_never_raises_and_stays_within_the_text(text: str) -> None:
    for match in INSPECTOR.git(text, PLACE).matches:
        assert 0 <= match.start <= match.end <= len(text)
        assert match.text == text[match.start : match.end]


@given(
    st.sampled_from(["push --force", "reset --hard", "clean -fd", "branch -D x"]),
    st.sampled_from("\n\t ;&|#>"),
)
def test_what_stands_behind_does_not_disarm(text: str, sign: str) -> None:
    assert INSPECTOR.git(f"{text} {sign} x", PLACE).matches
