"""Trials: a call that a person makes without a model passes all steps, takes a permission, and is recorded. Row D7."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code
from gateway.call import CallError
from gateway.record import Record, Unrecorded
from tests.recording.world import Kept, gateway
from tests.remembering.world import CLERK, World, call

TESTER: dict[str, Any] = {**CLERK, "subject": {**CLERK["subject"], "permissions": ["gateway:try"]}}


def never(arguments: object) -> None:
    """A tool that must not run."""
    pytest.fail("it ran")


def test_a_trial_runs_through_all_steps_and_is_recorded_as_one() -> None:
    kept = Kept()
    ran = gateway(kept).trial(call("save"), TESTER, lambda arguments: f"saved {arguments['id']}")
    assert "saved a" in ran.text
    assert [(row["kind"], row.get("tool"), row.get("call")) for row in kept.rows] == [
        ("trial", "save", "c-1"),
        ("decision", "save", "c-1"),
        ("result", "save", "c-1"),
    ]
    assert (kept.rows[0]["subject"], kept.rows[0]["session"]) == ("u-1", "s-1")


def test_nobody_tries_without_the_permission() -> None:
    kept = Kept()
    ran = gateway(kept).trial(call("look"), CLERK, never)
    assert (ran.decision.code, ran.review) == (Code.PERMISSION_DENIED, None)
    assert "gateway:try" in ran.decision.detail
    assert [row["kind"] for row in kept.rows] == ["trial", "decision"]
    assert gateway(kept).trial(call("look"), {}, never).decision.code is Code.NO_IDENTITY


def test_what_is_asked_about_is_asked_about() -> None:
    ran = World().gateway().trial(call("pay"), TESTER, never)
    assert ran.decision.code is Code.CONFIRM
    assert ran.decision.approval is not None


def test_a_trial_without_an_id_gets_one_that_tells_it() -> None:
    kept = Kept()
    gateway(kept).trial({"tool": "look", "arguments": {"id": "a"}}, TESTER, lambda _: "seen")
    assert {row["call"] for row in kept.rows} == {kept.rows[0]["call"]}
    assert kept.rows[0]["call"].startswith("trial-")


def test_a_trial_that_can_not_be_recorded_does_not_run() -> None:
    class Full:
        def record(self, record: Record) -> None:
            raise Unrecorded("the disk is full")

    ran = gateway(Full()).trial(call("look"), TESTER, never)
    assert ran.decision.code is Code.STATE_UNAVAILABLE


def test_what_can_not_be_read_is_told() -> None:
    with pytest.raises(CallError):
        World().gateway().trial({"arguments": {}}, TESTER, never)
