"""What a killed process leaves behind is asked about, and never runs by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.steps import remembering
from tests.acceptance.crash import World, run


def world(folder: Path) -> World:
    return World(f"sqlite://{folder}/state/store.db?synchronous=normal", folder / "effects")


def test_a_worker_that_is_killed_leaves_nothing_undecided(tmp_path: Path) -> None:  # A6
    made = world(tmp_path)
    run(made, 16, 1)
    assert (made.kills, made.violations) == (16, [])
    assert made.questions > 0


def test_without_a_journal_it_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remembering, "_started", lambda ctx, decision: ())
    made = world(tmp_path)
    run(made, 6, 1)
    assert made.violations
