"""What sub-agents do is remembered of the conversation at the top: counted there, asked there, and told apart."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code, Effect, Gateway, Session
from gateway.answering import Answer, Verdict
from tests.remembering.world import CLERK, SHOP, World, approve, call, person

TEAM = (
    SHOP.replace(
        'agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]',
        """agents:
  - {name: clerk, tools: ["*"], tenants: ["*"]}
  - {name: helper, tools: ["*"], tenants: ["*"]}
  - {name: brief, tools: ["*"], tenants: ["*"], max_steps: 3}
  - {name: runner, tools: [run], tenants: ["*"]}""",
    )
    .replace('  - tools: ["*"]\n    permissions', '  - tools: ["*", "!keep"]\n    permissions')
    .replace(
        "tools:\n  - {name: look",
        """tools:
  - {name: run, risk: LOW, inspect: {id: shell}}
  - {name: keep, risk: LOW, permissions: [], parameters: {type: object, required: [id, text], properties: {id: {type: string, x-role: path}, text: {type: string, x-role: content}}}}
  - {name: look""",
    )
)
LIMITS = """
limits:
  - {id: saves, tools: [save], per: session, rate: 3/h}
  - {id: again, tools: [sign], repeats: 2}
"""


def data(session: Session, parent: dict[str, Any]) -> dict[str, Any]:
    """A child as a host passes it to another process."""
    return {**parent, "id": session.id, "agent": session.agent, "parent": parent}


def test_siblings_may_give_their_calls_the_same_ids() -> None:  # A7
    gateway = World(text=TEAM).gateway()
    one, other = gateway.child(CLERK, "helper", "h-1"), gateway.child(CLERK, "helper", "h-2")
    for session in (CLERK, one, other, gateway.child(one, "helper", "h-3")):
        assert gateway.before(call("save"), session).proceeds
    assert gateway.before(call("save", id="b"), other).code is Code.CALL_ID_REUSED
    assert gateway.after(call("save"), one, "mine").result == "mine"
    assert gateway.before(call("save"), one).response == "mine"
    assert gateway.before(call("save"), other).code is Code.OUTCOME_UNKNOWN
    assert gateway.before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_child_that_comes_again_in_another_process_is_the_same() -> None:  # A6
    world = World(text=TEAM)
    made = world.gateway().child(CLERK, "helper")
    assert world.gateway().before(call("save"), made).proceeds
    world.gateway().after(call("save"), data(made, CLERK), {"saved": 7})
    assert world.gateway().before(call("save"), data(made, CLERK)).response == {"saved": 7}


def test_names_of_a_chain_that_look_alike_together_are_told_apart() -> None:
    gateway = World(text=TEAM).gateway()
    tricky = gateway.child(CLERK, "helper", 'a", "b')
    assert gateway.before(call("save"), tricky).proceeds
    assert gateway.before(
        call("save"), gateway.child(gateway.child(CLERK, "helper", "a"), "helper", "b")
    ).proceeds
    whole = gateway.child(CLERK, "helper", "whole")
    assert gateway.before(call("save"), whole).proceeds
    gateway.after(call("save"), whole, "small")
    assert gateway.read_result("c-1", 0, 100, CLERK) is None


def test_a_childs_long_result_is_the_childs() -> None:  # A11
    gateway = World(text=TEAM).gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    gateway.before(call("look"), child)
    assert gateway.after(call("look"), child, "x" * 50_000).truncated
    excerpt = gateway.read_result("c-1", 40_000, 100, child)
    assert excerpt is not None
    assert (excerpt.text, excerpt.total) == ("x" * 100, 50_000)
    assert gateway.read_result("c-1", 0, 100, CLERK) is None


def test_limits_of_a_conversation_are_its_childrens_too() -> None:  # C12 D6
    gateway = World(text=TEAM + LIMITS).gateway()
    one, other = gateway.child(CLERK, "helper"), gateway.child(CLERK, "helper")
    assert gateway.before(call("save", "c-1"), CLERK).proceeds
    assert gateway.before(call("save", "c-2"), one).proceeds
    assert gateway.before(call("save", "c-3"), other).proceeds
    for session in (one, other, gateway.child(other, "helper"), CLERK):
        assert gateway.before(call("save", "c-9"), session).code is Code.RATE_LIMIT
    assert gateway.before(call("save", "c-9"), {**CLERK, "id": "s-2"}).proceeds


def test_the_same_call_of_several_children_is_a_repetition() -> None:
    gateway = World(text=TEAM + LIMITS).gateway()
    for _ in range(2):
        assert gateway.before(call("sign"), gateway.child(CLERK, "helper")).proceeds
    assert gateway.before(call("sign"), gateway.child(CLERK, "helper")).code is Code.REPEATED


def test_steps_of_children_are_steps_of_the_turn() -> None:  # C12
    gateway = World(text=TEAM).gateway()
    brief = {**CLERK, "agent": "brief"}
    one, other = gateway.child(brief, "helper", "h-1"), gateway.child(brief, "helper", "h-2")
    for session in (brief, one, other):
        for name in ("c-1", "c-2"):
            assert gateway.before({**call("look", name), "iteration": 1}, session).proceeds
    for session in (brief, one, gateway.child(one, "clerk", "h-3")):
        refused = gateway.before({**call("look", "c-9"), "iteration": 2}, session)
        assert refused.code is Code.STEP_LIMIT


def test_a_childs_question_is_answered_for_its_conversation() -> None:  # A9 A10
    world = World(text=TEAM)
    one, other = (world.gateway().child(CLERK, "helper", name) for name in ("h-1", "h-2"))
    asked = world.gateway().before(call("pay"), one)
    assert asked.effect is Effect.ASK
    request = approve(world.gateway(), asked.approval, CLERK)
    assert (request.session, request.agent, request.call_id) == ("s-1", "helper", "c-1")
    assert world.gateway().before(call("pay"), other).code is Code.CONFIRM
    assert world.gateway().before(call("pay"), CLERK).code is Code.CONFIRM
    assert world.gateway().before(call("pay"), data(one, CLERK)).proceeds


def test_that_a_childs_call_has_happened_can_be_said() -> None:  # A6
    gateway = World(text=TEAM).gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    gateway.before(call("save"), child)
    asked = gateway.before(call("save"), child).approval
    assert asked is not None
    gateway.resume(asked["id"], Answer(Verdict.HAPPENED, result="saved"), person("u-2"))
    assert gateway.before(call("save"), child).response == "saved"


@pytest.mark.parametrize(
    "changes",
    [{"agent": "clerk"}, {"parent": {**CLERK, "id": "s-3"}}, {"parent": {**CLERK, "agent": "helper"}}],
    ids=["agent", "conversation", "agent above"],
)
def test_a_child_stays_whose_it_is(changes: dict[str, Any]) -> None:  # C12
    world = World(text=TEAM)
    child = data(world.gateway().child(CLERK, "helper", "h-1"), CLERK)
    assert world.gateway().before(call("look"), child).proceeds
    for gateway in (world.gateway(), world.gateway()):
        refused = gateway.before(call("look", "c-2"), {**child, **changes})
        assert refused.code is Code.SESSION_MISMATCH
        assert gateway.tools({**child, **changes}).visible == ()


def test_a_child_does_not_come_back_without_its_parent() -> None:  # C12
    world = World(text=TEAM)
    child = world.gateway().child({**CLERK, "agent": "runner"}, "helper", "h-1")
    assert world.gateway().before(call("run", id="ls"), child).proceeds
    orphan = {**CLERK, "id": "h-1", "agent": "helper"}
    assert world.gateway().before(call("look", "c-2"), orphan).code is Code.SESSION_MISMATCH


def test_a_made_up_parent_of_a_known_conversation_is_refused() -> None:  # C12
    world = World(text=TEAM)
    assert world.gateway().before(call("run", id="ls"), {**CLERK, "agent": "runner"}).proceeds
    forged = {**CLERK, "id": "h-1", "agent": "helper", "parent": CLERK}
    assert world.gateway().before(call("look"), forged).code is Code.SESSION_MISMATCH


@pytest.mark.parametrize("nameless", ["child", "parent"])
def test_a_chain_in_which_one_has_no_id_has_no_calls_in_common(nameless: str) -> None:
    gateway = World(text=TEAM).gateway()
    parent = {**CLERK, "id": ""} if nameless == "parent" else CLERK
    child = {**parent, "id": "" if nameless == "child" else "h-1", "agent": "helper", "parent": parent}
    for _ in range(2):
        assert gateway.before(call("save"), child).proceeds
        assert gateway.after(call("save"), child, "mine").result == "mine"


def test_what_a_child_writes_is_known_when_another_runs_it() -> None:
    gateway = World(text=TEAM).gateway()
    here = {**CLERK, "cwd": "/srv/app", "home": "/home/u"}
    one, other = gateway.child(here, "helper"), gateway.child(here, "runner")
    assert gateway.before(call("run", "r-1", id="sh job.sh"), here).code is not Code.PATTERN
    written = {"tool": "keep", "id": "k-1", "arguments": {"id": "/srv/app/job.sh", "text": WIPE}}
    assert gateway.before(written, one).proceeds
    for session in (here, other):
        assert gateway.before(call("run", "r-2", id="sh job.sh"), session).code is Code.PATTERN


WIPE = "git push --force origin main"


def test_a_plan_of_a_child_is_confirmed_for_the_child() -> None:
    gateway: Gateway = World(text=TEAM).gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    plan = gateway.plan([call("pay"), call("wire", "c-2")], child)
    gateway.resume_plan(plan.id, Answer(Verdict.APPROVE), person("u-2"))
    assert gateway.before(call("pay"), CLERK).code is Code.CONFIRM
    assert gateway.before(call("pay"), child).proceeds
