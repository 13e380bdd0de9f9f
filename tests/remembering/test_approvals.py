"""A person's answer counts for one call with its very arguments, once, and for what they were asked (A9, A10)."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Basis, Code, Effect
from gateway.answering import Answer, ApprovalError, Verdict
from gateway.approvals import Status
from tests.remembering.world import CLERK, SHOP, World, approve, call, person

REJECT = Answer(Verdict.REJECT, "the supplier is new")


def asked(world: World, made: dict[str, Any], session: dict[str, Any] = CLERK) -> dict[str, Any]:
    decision = world.gateway().before(made, session)
    assert decision.effect is Effect.ASK
    assert decision.approval is not None
    return dict(decision.approval)


def test_an_approved_call_runs_once() -> None:  # A10
    world = World()
    request = asked(world, call("pay"))
    assert approve(world.gateway(), request, person("u-2")).status is Status.APPROVED
    decision = world.gateway().before(call("pay"), CLERK)
    assert (decision.effect, decision.basis) == (Effect.ALLOW, Basis.APPROVAL)
    again = world.gateway().before(call("pay"), CLERK)
    assert again.code is Code.OUTCOME_UNKNOWN  # it may have happened
    assert not again.proceeds


def test_asking_again_approves_nothing() -> None:  # A10
    world = World()
    first = asked(world, call("pay"))
    assert asked(world, call("pay"))["id"] == first["id"]


def test_the_request_says_what_would_run_and_why() -> None:  # A9
    world = World()
    made = {**call("wire", amount=500), "iteration": 3}
    request = asked(world, made)
    assert request["tool"] == "wire"
    assert request["call_id"] == "c-1"
    assert request["iteration"] == 3
    assert request["arguments"] == {"id": "a", "amount": 500}
    assert sorted(request["reasons"]) == ["CONFIRM", "large"]
    assert request["type"] == "call"
    assert request["prompt"].startswith("A person must confirm")
    assert request["expires"] == int(world.now.timestamp() * 1e6) + 30 * 60 * 1_000_000


@pytest.mark.parametrize(
    "other",
    [call("pay", "c-2"), call("pay", "c-1", amount=2), call("wire", "c-1")],
    ids=["another call", "other arguments", "another tool"],
)
def test_an_approval_is_for_one_call_with_its_arguments(other: dict[str, Any]) -> None:  # A10
    world = World()
    approve(world.gateway(), asked(world, call("pay")), person("u-2"))
    assert not world.gateway().before(other, CLERK).proceeds


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "s-2"},
        {"subject": {**CLERK["subject"], "id": "u-9"}},
        {"tenant": "beta", "subject": {**CLERK["subject"], "tenant": "beta"}},
    ],
    ids=["session", "subject", "tenant"],
)
def test_an_approval_is_for_one_conversation(changes: dict[str, Any]) -> None:
    world = World()
    approve(world.gateway(), asked(world, call("pay")), person("u-2"))
    assert not world.gateway().before(call("pay"), {**CLERK, **changes}).proceeds


def test_a_rejected_call_stays_rejected_and_the_model_reads_why() -> None:  # A10
    world = World()
    request = asked(world, call("pay"))
    assert world.gateway().resume(request["id"], REJECT, person("u-2")).status is Status.REJECTED
    decision = world.gateway().before(call("pay"), CLERK)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.APPROVAL_REJECTED)
    assert "the supplier is new" in decision.message
    with pytest.raises(ApprovalError, match="answered before"):
        approve(world.gateway(), request, person("u-3"))


def test_nobody_agrees_whom_the_rule_does_not_name() -> None:
    world = World()
    request = asked(world, call("wire", amount=500))
    with pytest.raises(ApprovalError, match="one of finance other than who asked"):
        approve(world.gateway(), request, person("u-2", "sales"))
    with pytest.raises(ApprovalError, match="one of finance other than who asked"):
        approve(world.gateway(), request, person("u-1", "finance"))
    assert approve(world.gateway(), request, person("u-2", "finance")).status is Status.APPROVED
    assert world.gateway().before(call("wire", amount=500), CLERK).proceeds


def test_every_demand_must_be_met() -> None:
    world = World()
    request = asked(world, call("wire", amount=5000))
    assert approve(world.gateway(), request, person("u-2", "finance")).status is Status.PENDING
    assert not world.gateway().before(call("wire", amount=5000), CLERK).proceeds
    with pytest.raises(ApprovalError, match="agreed already"):
        approve(world.gateway(), request, person("u-2", "board"))
    assert approve(world.gateway(), request, person("u-3", "board")).status is Status.APPROVED
    assert world.gateway().before(call("wire", amount=5000), CLERK).proceeds


def test_one_who_holds_both_roles_meets_both_demands() -> None:
    world = World()
    request = asked(world, call("wire", amount=5000))
    assert approve(world.gateway(), request, person("u-2", "finance", "board")).status is Status.APPROVED


@pytest.mark.parametrize(
    "who",
    [
        person("u-2", authenticated=False),
        {**person("u-2"), "subject": None},
        {**person("u-2"), "tenant": "beta"},
        {**person("u-2"), "visiting": "beta"},
    ],
    ids=["not signed in", "nobody", "another tenant", "visiting"],
)
def test_who_answers_must_be_known(who: dict[str, Any]) -> None:
    world = World()
    request = asked(world, call("pay"))
    with pytest.raises(ApprovalError):
        approve(world.gateway(), request, who)
    assert not world.gateway().before(call("pay"), CLERK).proceeds


def test_another_tenant_has_no_such_request() -> None:
    world = World()
    request = asked(world, call("pay"))
    who = person("u-2", tenant="beta") | {"tenant": "beta"}
    with pytest.raises(ApprovalError, match="no request"):
        approve(world.gateway(), request, who)


def test_a_question_that_nobody_answers_in_time_grants_nothing() -> None:
    world = World()
    request = asked(world, call("wire", amount=500))
    world.pass_by(minutes=31)
    with pytest.raises(ApprovalError, match="not answered in time"):
        approve(world.gateway(), request, person("u-2", "finance"))
    decision = world.gateway().before(call("wire", amount=500), CLERK)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.APPROVAL_EXPIRED)
    assert "u-2" not in decision.message + decision.detail


def test_the_last_moment_counts() -> None:
    world = World()
    request = asked(world, call("wire", amount=500))
    world.pass_by(minutes=30)
    approve(world.gateway(), request, person("u-2", "finance"))
    world.pass_by(minutes=10)
    assert world.gateway().before(call("wire", amount=500), CLERK).proceeds


def test_an_approval_that_is_not_used_in_time_lapses() -> None:
    world = World()
    approve(world.gateway(), asked(world, call("wire", amount=500)), person("u-2", "finance"))
    world.pass_by(minutes=10, seconds=1)
    decision = world.gateway().before(call("wire", amount=500), CLERK)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.APPROVAL_EXPIRED)


def test_a_reason_that_was_not_asked_about_is_asked_again() -> None:
    world = World()
    first = asked(world, call("sign", id="odd"))
    approve(world.gateway(), first, person("u-2"))
    stricter = SHOP + '  - {id: odder, tools: [sign], when: args.id == "odd", effect: ask}\n'
    decision = world.gateway(stricter).before(call("sign", id="odd"), CLERK)
    assert decision.effect is Effect.ASK
    assert decision.approval is not None
    assert decision.approval["reasons"] == ["odd", "odder"]
    with pytest.raises(ApprovalError, match="took the place"):
        approve(world.gateway(stricter), first, person("u-3"))


def test_a_reason_less_is_covered() -> None:
    world = World()
    approve(world.gateway(), asked(world, call("wire", amount=500)), person("u-2", "finance"))
    milder = SHOP.replace("confirm_from: HIGH", "confirm_from: IRREVERSIBLE")
    assert world.gateway(milder).before(call("wire", amount=500), CLERK).proceeds


def test_a_demand_more_is_asked_about() -> None:
    world = World()
    approve(world.gateway(), asked(world, call("sign", id="odd")), person("u-2"))
    stricter = SHOP.replace('"odd", effect: ask}', '"odd", effect: ask, approval: {by: [board]}}')
    assert world.gateway(stricter).before(call("sign", id="odd"), CLERK).effect is Effect.ASK


def test_an_approval_of_a_tool_is_none_of_another_that_took_its_name() -> None:
    world = World()
    approve(world.gateway(), asked(world, call("pay")), person("u-2"))
    changed = SHOP.replace("{name: pay, risk: HIGH}", "{name: pay, risk: HIGH, description: Pays twice.}")
    assert world.gateway(changed).before(call("pay"), CLERK).effect is Effect.ASK


def test_a_denial_is_never_approved() -> None:
    world = World()
    approve(world.gateway(), asked(world, call("pay")), person("u-2"))
    closed = SHOP + "  - {id: closed, tools: [pay], effect: deny}\n"
    assert world.gateway(closed).before(call("pay"), CLERK).effect is Effect.DENY


def test_the_same_answer_twice_changes_nothing() -> None:
    world = World()
    request = asked(world, call("pay"))
    approve(world.gateway(), request, person("u-2"))
    assert approve(world.gateway(), request, person("u-2")).status is Status.APPROVED
    assert world.gateway().before(call("pay"), CLERK).proceeds
    assert approve(world.gateway(), request, person("u-2")).status is Status.USED
    assert not world.gateway().before(call("pay"), CLERK).proceeds


@pytest.mark.parametrize("name", ["", "a-1", "a-" + "0" * 32 + "-1", "a-" + "0" * 32 + "-0", "x" * 10_000])
def test_ids_that_are_no_request(name: str) -> None:
    with pytest.raises(ApprovalError):
        World().gateway().resume(name, REJECT, person("u-2"))


def test_a_call_that_can_not_be_shown_whole_can_not_be_approved() -> None:
    world = World()
    request = asked(world, call("pay", id="x" * 200_000))
    with pytest.raises(ApprovalError, match="shown whole"):
        approve(world.gateway(), request, person("u-2"))
    assert world.gateway().resume(request["id"], REJECT, person("u-2")).status is Status.REJECTED


def unknown(world: World) -> dict[str, Any]:
    world.gateway().before(call("save"), CLERK)
    request = asked(world, call("save"))
    assert request["type"] == "outcome-unknown"
    return request


def test_an_unknown_outcome_that_is_approved_runs_again_once() -> None:  # A6
    world = World()
    approve(world.gateway(), unknown(world), person("u-2"))
    assert world.gateway().before(call("save"), CLERK).proceeds
    again = world.gateway().before(call("save"), CLERK)
    assert (again.effect, again.code) == (Effect.ASK, Code.OUTCOME_UNKNOWN)


def test_an_unknown_outcome_that_has_happened_does_not_run() -> None:  # A6
    world = World()
    answer = Answer(Verdict.HAPPENED, result={"saved": 7})
    assert world.gateway().resume(unknown(world)["id"], answer, person("u-2")).status is Status.USED
    again = world.gateway().before(call("save"), CLERK)
    assert (again.code, again.response) == (Code.ALREADY_COMPLETED, {"saved": 7})


def test_an_unknown_outcome_that_is_given_up_does_not_run() -> None:  # A6
    world = World()
    world.gateway().resume(unknown(world)["id"], Answer(Verdict.REJECT), person("u-2"))
    assert world.gateway().before(call("save"), CLERK).code is Code.APPROVAL_REJECTED


def test_what_has_happened_is_said_by_those_who_may_agree_and_in_time() -> None:
    world = World()
    wire = call("wire", amount=500)
    approve(world.gateway(), asked(world, wire), person("u-2", "finance"))
    assert world.gateway().before(wire, CLERK).proceeds
    answer = Answer(Verdict.HAPPENED, result="told")
    request = asked(world, wire)
    with pytest.raises(ApprovalError, match="one of finance"):
        world.gateway().resume(request["id"], answer, person("u-2"))
    world.pass_by(minutes=31)
    with pytest.raises(ApprovalError, match="not answered in time"):
        world.gateway().resume(request["id"], answer, person("u-2", "finance"))
    assert world.gateway().before(wire, CLERK).code is Code.APPROVAL_EXPIRED
    later = world.gateway().before(call("wire", "c-1", amount=501), CLERK)
    assert later.code is Code.CALL_ID_REUSED


def test_only_an_unknown_outcome_can_have_happened() -> None:
    world = World()
    request = asked(world, call("pay"))
    with pytest.raises(ApprovalError, match="outcome is unknown"):
        world.gateway().resume(request["id"], Answer(Verdict.HAPPENED, result=1), person("u-2"))


def test_without_a_store_nothing_is_remembered() -> None:
    world = World()
    gateway = world.gateway()
    gateway._keeper = None
    with pytest.raises(ApprovalError, match="no store"):
        gateway.resume("a-" + "0" * 32 + "-1", REJECT, person("u-2"))
