"""Several calls are shown and confirmed together; each may then run once (B25)."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code, Effect
from gateway.answering import Answer, ApprovalError, Verdict
from gateway.approvals import Status
from gateway.call import CallError
from gateway.state import Key, Kind, Put, Unavailable
from tests.remembering.world import CLERK, SHOP, World, approve, call, person

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
