"""Every pattern does what its examples say, and does not refuse its own advice; B23."""

from __future__ import annotations

import re

import pytest

from gateway.diagnostic import PolicyError
from gateway.inspect.clues import clues
from gateway.inspect.found_in import found_in
from gateway.inspect.guard import Access
from gateway.inspect.kind import Kind
from gateway.inspect.pattern import Pattern
from gateway.patterns import PACKS, load_packs
from tests.inspect.places import INSPECTOR, PATTERNS, PLACE, inspected

by_id = pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.id)


@by_id
def test_examples(pattern: Pattern) -> None:  # B23
    for example in pattern.matches:
        assert pattern.id in {m.pattern for m in inspected(example).matches}, example
    for example in pattern.misses:
        assert pattern.id not in {m.pattern for m in inspected(example).matches}, example


@by_id
def test_what_a_pattern_advises_passes(pattern: Pattern) -> None:
    advised = re.findall(r"`([^`]+)`", pattern.alternative)
    assert advised
    for text in advised:
        assert INSPECTOR.shell(text, PLACE).matches == ()
        assert INSPECTOR.sql(text, None, PLACE).matches == ()


@by_id
def test_what_was_advised_led_round_the_tool_that_was_refused(pattern: Pattern) -> None:
    kinds = {example.kind for example in pattern.matches}
    assert not kinds <= {Kind.URL, Kind.PATH} or "curl" not in pattern.alternative
    for text in re.findall(r"`([^`]+)`", pattern.alternative):
        if kinds == {Kind.URL}:
            assert INSPECTOR.inspect(Kind.URL, text, PLACE, Access.READ).matches == ()
        elif kinds == {Kind.PATH} and " " not in text:
            assert INSPECTOR.path(text, PLACE, Access.WRITE).matches == ()


@by_id
def test_every_pattern_can_be_found(pattern: Pattern) -> None:
    assert clues(pattern.match)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git push --force-with-lease origin main", True),
        ("git push --force-with-lease origin +topic:refs/heads/main", True),
        ("git push --force-with-lease origin HEAD:release/2.1", True),
        ("git push --force-with-lease origin main:topic", False),
        ("git push --force-with-lease origin refs/heads/topic", False),
    ],
)
def test_a_refspec_is_compared_by_the_branch_that_it_changes(text: str, expected: bool) -> None:
    assert ("git.push.shared" in {m.pattern for m in INSPECTOR.shell(text, PLACE).matches}) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("npm i x --registry https://registry.npmjs.org", False),
        ("npm i x --registry https://npm.example.com", True),
        ("npm i x --registry https://registry.npmjs.org --registry https://npm.example.com", True),
    ],
)
def test_an_exception_of_a_list_holds_for_one_value_only(text: str, expected: bool) -> None:
    assert ("supply.install.source" in {m.pattern for m in INSPECTOR.shell(text, PLACE).matches}) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git checkout main", False),
        ("git checkout main --", False),
        ("git checkout -- main", True),
        ("git checkout -b x --", False),
    ],
)
def test_what_stands_behind_the_end_of_options(text: str, expected: bool) -> None:
    assert ("git.discard" in {m.pattern for m in INSPECTOR.shell(text, PLACE).matches}) is expected


def test_ids_and_packs() -> None:
    ids = [pattern.id for pattern in PATTERNS]
    assert len(set(ids)) == len(ids)
    assert {pattern.pack for pattern in PATTERNS} <= set(PACKS)
    assert {p.id for p in PATTERNS} >= {"git.push.force", "git.reset.hard", "db.drop", "db.truncate"}


def test_packs_load_alone_and_once() -> None:
    assert {p.pack for p in load_packs(["git"])} == {"git"}
    assert load_packs(["git", "git"]) == load_packs(["git"])
    assert load_packs([]) == ()


def test_an_unknown_pack() -> None:
    with pytest.raises(PolicyError) as error:
        load_packs(["gti", "files"])
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "unknown-pack"
    assert diagnostic.message == "there is no pack `gti`"
    assert diagnostic.help == "did you mean `git`?"


def test_two_packs_with_one_pattern(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = load_packs(["git"])
    monkeypatch.setattr("gateway.patterns._pack", lambda name: (twice, ()))
    with pytest.raises(PolicyError) as error:
        load_packs(["git", "files"])
    assert {diagnostic.code for diagnostic in error.value.diagnostics} == {"duplicate-pattern"}
    assert len(error.value.diagnostics) == len(twice)


@by_id
def test_a_pattern_is_found_in_no_kind_but_those_that_are_told(pattern: Pattern) -> None:
    told = {each.id: found_in(each) for each in PATTERNS}
    for kind in Kind:
        for example in pattern.matches[:2]:
            matches = INSPECTOR.inspect(kind, example.text, PLACE, Access.WRITE).matches
            assert all(kind in told[match.pattern] for match in matches if match.kind == "pattern"), example
    assert {example.kind for example in pattern.matches} <= told[pattern.id]
