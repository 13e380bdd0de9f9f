"""Every pattern does what its examples say, and does not refuse its own advice; B23."""

from __future__ import annotations

import re

import pytest

from gateway.diagnostic import PolicyError
from gateway.inspect.pattern import Pattern, clues
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
def test_every_pattern_can_be_found(pattern: Pattern) -> None:
    assert clues(pattern.match)


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
    assert diagnostic.message == "there is no pack `gti`"
    assert diagnostic.help == "did you mean `git`?"
