"""Several calls are shown and confirmed together; each may then run once (B25)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gateway import Code, Effect, Gateway, Manifest
from gateway.answering import Answer, ApprovalError, Verdict
from gateway.approvals import Status
from gateway.call import CallError
from gateway.state import Key, Kind, Put, Unavailable
from tests.engine.build import compiled
from tests.managing.office import Office, session
from tests.recording.world import Failing, Kept
from tests.recording.world import gateway as recording
from tests.remembering.world import CLERK, NOON, SHOP, World, approve, call, person

CALLS = [call("look", "c-1"), call("pay", "c-2"), call("save", "c-3"), call("wire", "c-4", amount=500)]
YES, NO = Answer(Verdict.APPROVE), Answer(Verdict.REJECT, "not now")
FINANCE = person("u-2", "finance")


def test_a_plan_is_confirmed_once_and_each_call_runs_once() -> None:  # B25
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    assert [one.effect for one in plan.decisions] == [Effect.ALLOW, Effect.ASK, Effect.ALLOW, Effect.ASK]
    assert plan.prompt.splitlines()[0].startswith("1. A person must confirm: `pay`")
    assert plan.prompt.splitlines()[1].startswith("2. A person must confirm: `wire`")
    requests = world.gateway().resume_plan(plan.id, YES, FINANCE)
    assert [one.status for one in requests] == [Status.APPROVED] * 2
    gateway = world.gateway()
    for one in CALLS:
        assert gateway.before(one, CLERK).proceeds
    assert gateway.before(CALLS[1], CLERK).code is Code.OUTCOME_UNKNOWN


def test_confirming_twice_lets_nothing_run_twice() -> None:  # B25
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    world.gateway().resume_plan(plan.id, YES, FINANCE)
    assert world.gateway().before(CALLS[1], CLERK).proceeds
    again = world.gateway().resume_plan(plan.id, YES, FINANCE)
    assert [one.status for one in again] == [Status.USED, Status.APPROVED]
    assert not world.gateway().before(CALLS[1], CLERK).proceeds


def test_planning_lets_nothing_run_and_counts_nothing() -> None:
    world = World(text=SHOP + "limits: [{id: saves, tools: [save], per: subject, rate: 1/h}]\n")
    for _ in range(3):
        world.gateway().plan(CALLS, CLERK)
    assert world.gateway().before(CALLS[2], CLERK).proceeds
    assert world.gateway().before(CALLS[1], CLERK).effect is Effect.ASK


def test_the_same_plan_asks_the_same_question() -> None:
    world = World()
    assert world.gateway().plan(CALLS, CLERK).id == world.gateway().plan(CALLS, CLERK).id
    assert world.gateway().plan(CALLS[:2], CLERK).id != world.gateway().plan(CALLS, CLERK).id


def test_a_rejected_plan_rejects_each_call() -> None:
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    world.gateway().resume_plan(plan.id, NO, person("u-2"))
    decision = world.gateway().before(CALLS[3], CLERK)
    assert decision.code is Code.APPROVAL_REJECTED
    assert "not now" in decision.message
    assert world.gateway().before(CALLS[2], CLERK).proceeds


def test_who_may_not_agree_to_one_call_agrees_to_none() -> None:
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    with pytest.raises(ApprovalError, match="one of finance"):
        world.gateway().resume_plan(plan.id, YES, person("u-2"))
    assert world.gateway().before(CALLS[1], CLERK).effect is Effect.ASK


def test_another_call_than_the_one_in_the_plan_is_not_covered() -> None:
    world = World()
    world.gateway().resume_plan(world.gateway().plan(CALLS, CLERK).id, YES, FINANCE)
    assert world.gateway().before(call("pay", "c-2", amount=9), CLERK).effect is Effect.ASK
    assert world.gateway().before(call("pay", "c-9"), CLERK).effect is Effect.ASK


def test_a_call_that_is_asked_about_anew_takes_the_plan_with_it() -> None:
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    world.gateway().before(call("pay", "c-2", amount=9), CLERK)
    with pytest.raises(ApprovalError, match="took the place"):
        world.gateway().resume_plan(plan.id, YES, FINANCE)
    assert world.gateway().before(CALLS[3], CLERK).effect is Effect.ASK


def test_a_plan_with_a_refused_call_asks_nobody() -> None:
    world = World()
    plan = world.gateway().plan([*CALLS, call("save", "c-5", id=7)], CLERK)
    assert plan.id == ""
    assert [one.code for one in plan.refused] == [Code.ARGUMENT_INVALID]


def test_a_plan_that_asks_nothing_has_no_question() -> None:
    assert World().gateway().plan([CALLS[0], CALLS[2]], CLERK).id == ""


def test_a_plan_is_not_answered_in_time() -> None:
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    world.pass_by(minutes=31)
    with pytest.raises(ApprovalError, match="not answered in time"):
        world.gateway().resume_plan(plan.id, YES, FINANCE)
    assert world.gateway().before(CALLS[1], CLERK).effect is Effect.ASK
    assert world.gateway().before(CALLS[3], CLERK).code is Code.APPROVAL_EXPIRED


def test_a_call_of_a_plan_may_be_answered_by_itself() -> None:
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    approve(world.gateway(), plan.decisions[1].approval, person("u-3"))
    assert world.gateway().before(CALLS[1], CLERK).proceeds


def test_plans_that_are_none() -> None:
    gateway = World().gateway()
    for calls in ([], [CALLS[0], CALLS[0]], [call("look", f"c-{n}") for n in range(101)]):
        with pytest.raises(CallError):
            gateway.plan(calls, CLERK)
    for name in ("", "p-1", "x" * 9999):
        with pytest.raises(ApprovalError, match="no plan"):
            gateway.resume_plan(name, YES, FINANCE)
    with pytest.raises(ApprovalError, match="by itself"):
        gateway.resume_plan("p-1", Answer(Verdict.HAPPENED), FINANCE)
    with pytest.raises(Unavailable, match="no store"):
        gateway.anew().plan(CALLS, CLERK)


@pytest.mark.parametrize("changes", [{"id": ""}, {"dry_run": True}])
def test_a_plan_belongs_to_a_conversation_that_can_come_again(changes: dict[str, Any]) -> None:
    with pytest.raises(CallError, match="belongs to a conversation"):
        World().gateway().plan(CALLS, {**CLERK, **changes})


@pytest.mark.parametrize("kept", [b"[]", b"7", b"\xff", b"[" * 100_000])
def test_a_plan_that_can_not_be_read_is_no_answer(kept: bytes) -> None:
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    world.store.apply((Put(Key("acme", Kind.PLAN, plan.id), kept, None),))
    with pytest.raises(Unavailable):
        world.gateway().resume_plan(plan.id, YES, FINANCE)
    assert world.gateway().before(CALLS[1], CLERK).effect is Effect.ASK


def test_another_tenant_has_no_such_plan() -> None:
    world = World()
    plan = world.gateway().plan(CALLS, CLERK)
    who = person("u-2", "finance", tenant="beta") | {"tenant": "beta"}
    with pytest.raises(ApprovalError, match="no plan"):
        world.gateway().resume_plan(plan.id, YES, who)


def test_a_plan_promised_what_the_host_can_not_carry_out() -> None:
    made = compiled(SHOP)
    world = World()
    manifest = Manifest(path="test.yaml", **made.summary)
    gate = Gateway(made.engine, manifest, clock=lambda: NOON, store=world.store, supports=frozenset())
    for one in (CALLS[2], CALLS[3]):
        (planned,) = gate.plan([one], CLERK).decisions
        assert planned.code is Code.OBLIGATION_UNSUPPORTED
        assert gate.before(one, CLERK).code is planned.code


LIMITS = "limits: [{id: some, tools: [save, pay, wire], per: subject, rate: 2/h}, {id: loops, tools: [look], repeats: 2}]\n"


def test_a_plan_promised_more_calls_than_its_limit_lets_run() -> None:
    world = World(text=SHOP + LIMITS)
    calls = [call("save", "c-1"), call("pay", "c-2"), call("wire", "c-3", amount=500)]
    plan = world.gateway().plan(calls, CLERK)
    assert [one.code for one in plan.decisions] == [Code.ALLOWED, Code.CONFIRM, Code.RATE_LIMIT]
    assert plan.id == "", "nobody is asked for what can't all run"
    assert "2026-12-01 13:00:00 UTC" in plan.refused[0].message
    fewer = world.gateway().plan(calls[:2], CLERK)
    assert fewer.id
    world.gateway().resume_plan(fewer.id, YES, FINANCE)
    assert [world.gateway().before(one, CLERK).effect for one in calls] == [
        Effect.ALLOW,
        Effect.ALLOW,
        Effect.DENY,
    ]


def test_a_plan_did_not_see_that_its_calls_are_one_and_the_same() -> None:
    world = World(text=SHOP + LIMITS)
    plan = world.gateway().plan([call("look", f"c-{number}") for number in range(3)], CLERK)
    assert [one.code for one in plan.decisions] == [Code.ALLOWED, Code.ALLOWED, Code.REPEATED]


def test_planning_a_question_that_waits_already_counts_as_well() -> None:
    world = World(text=SHOP + LIMITS)
    calls = [call("pay", f"c-{number}") for number in range(3)]
    for one in calls:
        assert world.gateway().before(one, CLERK).effect is Effect.ASK
    plan = world.gateway().plan(calls, CLERK)
    assert [one.effect for one in plan.decisions] == [Effect.ASK, Effect.ASK, Effect.DENY]


def test_a_plan_did_not_show_what_would_be_done() -> None:
    world = World()
    long = "harmless " * 200 + "and all to eve"
    plan = world.gateway().plan(
        [call("pay", "c-1", id=long), call("pay", "c-2", id="a\u202eb\n3. harmless")], CLERK
    )
    lines = plan.prompt.splitlines()
    assert [line.split()[0] for line in lines] == ["1.", "arguments:", "2."]
    assert "and all to eve" in lines[1]
    assert r'{"id": "a\u202eb\n3. harmless", "amount": 1}' in lines[2]


def test_a_plan_that_can_not_be_shown_whole_is_not_approved() -> None:
    world = World()
    plan = world.gateway().plan([call("pay", "c-1"), call("pay", "c-2", id="x" * 100_001)], CLERK)
    assert plan.prompt.splitlines()[-1] == "   It is too long to be shown whole, so it can't be approved."
    assert len(plan.prompt) < 2_000
    with pytest.raises(ApprovalError, match="shown whole"):
        world.gateway().resume_plan(plan.id, YES, FINANCE)
    assert not world.gateway().before(call("pay", "c-1"), CLERK).proceeds


def test_nothing_told_which_calls_a_plan_was_about() -> None:
    kept = Kept()
    gate = recording(kept, store=World().store)
    plan = gate.plan(CALLS, CLERK)
    gate.resume_plan(plan.id, YES, FINANCE)
    told = [(row["kind"], row.get("call"), row.get("effect"), row["request"]) for row in kept.rows]
    assert told == [
        ("plan", "c-1", "allow", plan.id),
        ("plan", "c-2", "ask", plan.id),
        ("plan", "c-3", "allow", plan.id),
        ("plan", "c-4", "ask", plan.id),
        ("approval", None, None, plan.id),
    ]
    gate.plan([CALLS[0]], CLERK)
    assert "request" not in kept.rows[-1]


def test_a_plan_that_can_not_be_recorded_is_none() -> None:
    with pytest.raises(Unavailable, match="the record of the plan can't be written: the disk is full"):
        recording(Failing(1), store=World().store).plan(CALLS, CLERK)


def test_a_plan_was_decided_without_what_the_tenant_overrides(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.done("override", tool="read", enabled=False)
    clerk = session("acme", "clerk", "kim", "row:read")
    (planned,) = office.gateway.plan([{"tool": "read", "id": "c-1"}], clerk).decisions
    assert planned.code is Code.TOOL_DISABLED
