"""Patterns that are kept are found by the same clues and decide alike; what only people read is left out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gateway.cache.packed import packed, unpacked
from gateway.compile import compile_policy
from gateway.files import read_files
from gateway.guarded import guard_for
from gateway.inspect.clued import clued
from gateway.inspect.clues import clues
from gateway.inspect.pattern import branches as branches_of
from gateway.load import policy_of

POLICIES = Path(__file__).parents[2] / "policies" / "coding-agent"


def test_each_clue_leads_to_the_same_patterns_without_titles_and_examples() -> None:
    compiled = compile_policy(policy_of(read_files(POLICIES)), guard_for(POLICIES))
    assert len(compiled.patterns) > 100
    kept = unpacked(packed(compiled), lambda: guard_for(POLICIES)).engine.inspector()._clued
    for known, unpacked_ones in (
        (clued(compiled.patterns), kept),
        (clued(compiled.patterns).of_paths, kept.of_paths),
    ):
        for clue in {
            clue
            for pattern in compiled.patterns
            for branch in branches_of(pattern.match)
            for clue in clues(branch) or ("",)
        }:
            wanted = [
                (replace(trial.pattern, title="", matches=(), misses=()), branches)
                for trial, branches in known.of([clue])
            ]
            assert [(trial.pattern, branches) for trial, branches in unpacked_ones.of([clue])] == wanted
    assert kept.of(["program git"])[0][0] is kept.of(["program git"])[0][0]
