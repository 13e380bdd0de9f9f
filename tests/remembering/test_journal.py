"""A call is let run once; what it came to answers it when it comes again (A6, A7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway import Code, Effect, Gateway
from gateway.call import ToolCall
from gateway.decision import Step
from gateway.journal import Entered, Progress, journal_key
from gateway.session import Session
from gateway.state import Put
from gateway.stores import open_store
from tests.remembering.world import CLERK, SHOP, World, call


def test_a_call_that_has_ended_is_answered_with_its_result() -> None:  # A6
    world = World()
    assert world.gateway().before(call("save"), CLERK).proceeds
    review = world.gateway().after(call("save"), CLERK, {"saved": 7})
    assert (review.code, review.result) == (Code.REVIEWED, {"saved": 7})
    again = world.gateway().before(call("save"), CLERK)
    assert (again.effect, again.code) == (Effect.RESPOND, Code.ALREADY_COMPLETED)
    assert again.response == {"saved": 7}
    assert "2026-12-01 12:00:00 UTC" in again.message


def test_a_call_that_failed_is_answered_with_its_failure() -> None:
    world = World()
    gateway = world.gateway()
    gateway.before(call("save"), CLERK)
    gateway.after(call("save"), CLERK, ValueError("no such form"))
    again = gateway.before(call("save"), CLERK)
    assert (again.effect, again.code) == (Effect.RESPOND, Code.ALREADY_COMPLETED)
    assert "no such form" in str(again.response)
    assert "failed" in again.message


def test_a_call_that_was_started_and_never_ended_is_asked_about() -> None:  # A6
    world = World()
    assert world.gateway().before(call("save"), CLERK).proceeds
    again = world.gateway().before(call("save"), CLERK)
    assert (again.effect, again.code) == (Effect.ASK, Code.OUTCOME_UNKNOWN)
    assert again.approval is not None
    assert again.approval["reasons"] == ["OUTCOME_UNKNOWN"]


def test_nobody_to_ask_about_an_unknown_outcome_is_a_refusal() -> None:
    world = World()
    alone = {**CLERK, "can_ask": False}
    assert world.gateway().before(call("save"), alone).proceeds
    again = world.gateway().before(call("save"), alone)
    assert (again.effect, again.code) == (Effect.DENY, Code.NOBODY_TO_ASK)


def test_what_only_reads_runs_again() -> None:
    world = World()
    assert world.gateway().before(call("look"), CLERK).proceeds
    assert world.gateway().before(call("look"), CLERK).proceeds


def test_the_same_id_with_other_arguments_is_refused() -> None:  # A7
    world = World()
    assert world.gateway().before(call("save"), CLERK).proceeds
    other = world.gateway().before(call("save", id="b"), CLERK)
    assert (other.effect, other.code) == (Effect.DENY, Code.CALL_ID_REUSED)
    tool = world.gateway().before(call("sign"), CLERK)
    assert (tool.effect, tool.code) == (Effect.DENY, Code.CALL_ID_REUSED)


def test_another_id_with_equal_arguments_is_a_new_call() -> None:  # A7
    world = World()
    assert world.gateway().before(call("save"), CLERK).proceeds
    world.gateway().after(call("save"), CLERK, "done")
    assert world.gateway().before(call("save", "c-2"), CLERK).proceeds


def test_spellings_of_the_same_arguments_are_the_same_call() -> None:
    world = World()
    assert (
        world.gateway()
        .before({"tool": "save", "id": "c", "arguments": '{"amount": 2.0, "id": "a"}'}, CLERK)
        .proceeds
    )
    world.gateway().after({"tool": "save", "id": "c", "arguments": {"id": "a", "amount": 2}}, CLERK, "done")
    again = world.gateway().before({"tool": "save", "id": "c", "arguments": {"id": "a", "amount": 2}}, CLERK)
    assert again.code is Code.ALREADY_COMPLETED


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "s-2"},
        {"id": "s-2", "subject": {**CLERK["subject"], "id": "u-2"}},
        {"tenant": "beta", "subject": {**CLERK["subject"], "tenant": "beta"}},
        {"turn": {"id": "t-2"}},
    ],
    ids=["session", "subject", "tenant", "turn"],
)
def test_an_id_is_one_of_its_conversation(changes: dict[str, Any]) -> None:
    world = World()
    assert world.gateway().before(call("save"), CLERK).proceeds
    assert world.gateway().before(call("save"), {**CLERK, **changes}).proceeds


def test_ids_that_are_made_up_never_come_again() -> None:
    world = World()
    nameless = {"tool": "save", "arguments": {"id": "a"}}
    assert world.gateway().before(nameless, CLERK).proceeds
    assert world.gateway().before(nameless, CLERK).proceeds
    assert world.gateway().after(nameless, CLERK, "done").code is Code.REVIEWED


def test_conversations_without_an_id_have_no_calls_in_common() -> None:
    world = World()
    nameless = {**CLERK, "id": ""}
    assert world.gateway().before(call("save"), nameless).proceeds
    assert world.gateway().after(call("save"), nameless, "mine").result == "mine"
    another = world.gateway().before(call("save"), nameless)
    assert another.proceeds
    assert another.response is None


def test_a_dry_run_leaves_the_journal_alone() -> None:
    world = World()
    rehearsal = {**CLERK, "dry_run": True}
    assert world.gateway().before(call("save"), rehearsal).code is Code.DRY_RUN
    assert world.gateway().before(call("save", id="other"), rehearsal).code is Code.DRY_RUN
    assert world.gateway().before(call("save"), CLERK).proceeds


def test_a_refused_call_leaves_no_entry() -> None:
    world = World()
    assert world.gateway().before(call("save", id=7), CLERK).code is Code.ARGUMENT_INVALID
    assert world.gateway().before(call("save"), CLERK).proceeds


def test_the_result_of_a_call_that_was_not_let_run_is_not_shown() -> None:
    world = World()
    review = world.gateway().after(call("save"), CLERK, {"secret": 1})
    assert review.code is Code.RESULT_WITHHELD
    assert "let run" in review.text
    assert "secret" not in str(review.result)


@pytest.mark.parametrize("ran", [call("save", id="b"), call("sign")], ids=["arguments", "tool"])
def test_what_ran_is_what_was_let_run(ran: dict[str, Any]) -> None:
    world = World()
    world.gateway().before(call("save"), CLERK)
    review = world.gateway().after(ran, CLERK, {"saved": 7})
    assert review.code is Code.EXECUTED_OTHER_ARGUMENTS
    assert "saved" not in str(review.result)
    assert world.gateway().before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_final_arguments_are_what_was_let_run_too() -> None:
    world = World()
    decision = world.gateway().before(call("save"), CLERK)
    assert decision.arguments == {"id": "a", "amount": 1}
    ran = {"tool": "save", "id": "c-1", "arguments": decision.arguments}
    assert world.gateway().after(ran, CLERK, "done").code is Code.REVIEWED


def test_a_second_result_changes_nothing() -> None:
    world = World()
    world.gateway().before(call("save"), CLERK)
    world.gateway().after(call("save"), CLERK, "first")
    world.gateway().after(call("save"), CLERK, "second")
    assert world.gateway().before(call("save"), CLERK).response == "first"


def test_an_entry_that_can_not_be_read_is_no_entry_of_another_call() -> None:
    world = World()
    key = journal_key(ToolCall.of(call("save")), Session.of(CLERK))
    for broken in (b"", b"{}", b"[]", b'{"progress": "gone"}', b"\xff"):
        entry = world.store.read((key,)).entries.get(key)
        world.store.apply((Put(key, broken, 0 if entry is None else entry.version),))
        decision = world.gateway().before(call("save"), CLERK)
        assert (decision.effect, decision.code) == (Effect.DENY, Code.STATE_UNAVAILABLE)
        assert world.gateway().after(call("save"), CLERK, "done").code is Code.RESULT_UNRECORDED


def test_entries_are_packed_and_unpacked() -> None:
    entered = Entered(Progress.STARTED, "save", "r", "f", "d-1", 7, 2)
    assert Entered.of(entered.packed()) == entered


def test_explaining_changes_nothing_and_knows_what_came_before() -> None:
    world = World()
    gateway = world.gateway()
    assert gateway.explain(call("save"), CLERK).decision.proceeds
    assert gateway.before(call("save"), CLERK).proceeds
    assert gateway.explain(call("save"), CLERK).decision.code is Code.OUTCOME_UNKNOWN
    gateway.after(call("save"), CLERK, "done")
    explained = gateway.explain(call("save"), CLERK).decision
    assert explained.code is Code.ALREADY_COMPLETED
    (line,) = (entry for entry in explained.trace if entry.step is Step.JOURNAL)
    assert line.state == "refused"


def test_no_agent_reads_or_changes_the_store(tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        SHOP.replace(
            "tools:\n  - {name: look",
            "tools:\n  - {name: run, risk: LOW, inspect: {id: shell}}\n"
            "  - {name: read, risk: READ_ONLY, inspect: {id: path}}\n  - {name: look",
        )
    )
    place = tmp_path / "data" / "store.db"
    gateway = Gateway.load(policy, store=open_store(f"sqlite://{place}"))
    here = {**CLERK, "cwd": str(tmp_path), "roots": [str(tmp_path)], "home": "/home/dev"}
    for text in (f"cat {place}", f"rm -r {place.parent}", f"cp x {place}-wal", "sqlite3 data/store.db .dump"):
        assert gateway.before(call("run", text, id=text), here).code is Code.GUARD, text
    assert gateway.before(call("read", "r", id=str(place)), here).code is Code.GUARD
    assert gateway.before(call("run", "ok", id="ls docs"), here).proceeds


def test_what_is_old_is_let_go_of() -> None:
    world = World()
    gateway = world.gateway()
    gateway.before(call("save"), CLERK)
    gateway.after(call("save"), CLERK, "done")
    assert gateway.before(call("save"), CLERK).code is Code.ALREADY_COMPLETED
    world.pass_by(days=31)
    for number in range(600):
        gateway.before(call("look", f"n-{number}"), CLERK)
    assert gateway.before(call("save"), CLERK).proceeds
