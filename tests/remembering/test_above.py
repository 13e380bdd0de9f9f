"""What is about a conversation is about its sub-agents: no condition that reads the session is escaped by being a child's."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code, Gateway, Session
from tests.remembering.world import CLERK, SHOP, World, call

AGENTS = """agents:
  - {name: clerk, tools: ["*"], tenants: ["*"], max_steps: 2}
  - {name: helper, tools: ["*"], tenants: ["*"]}
  - {name: free, tools: ["*"], tenants: ["*"]}"""
TEAM = SHOP.replace('agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]', AGENTS).replace(
    "{confirm_from: HIGH}", "{confirm_from: HIGH, types: {session.facts: {open: bool}}}"
)
FREE = {**CLERK, "id": "f-1", "agent": "free"}


def world(*parts: str, steps: str = ", max_steps: 2") -> World:
    return World(text=TEAM.replace(", max_steps: 2", steps) + "\n".join(parts))


def codes(gateway: Gateway, tool: str, session: Any, *names: str, **arguments: Any) -> list[Code]:
    return [gateway.before(call(tool, name, **arguments), session).code for name in names]


def kid(turn: int | str, parent: dict[str, Any] = CLERK, name: str = "h-1") -> dict[str, Any]:
    """A child whose host names turns of its own."""
    return {**parent, "id": name, "agent": "helper", "turn": {"id": turn}, "parent": parent}


@pytest.mark.parametrize(
    "condition",
    [
        """when: 'session.agent == "clerk"'""",
        """unless: 'session.agent != "clerk"'""",
        """when: 'agent.name == "clerk"'""",
        """when: 'session.id == "s-1"'""",
        """agents: [clerk], when: 'session.id == "s-1"'""",
    ],
)
def test_a_child_was_not_counted_by_a_limit_whose_condition_reads_the_session(condition: str) -> None:
    # C12 D6
    gateway = world(
        f"limits:\n  - {{id: l, tools: [save], per: session, rate: 2/h, {condition}}}", steps=""
    ).gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    assert codes(gateway, "save", child, "c-1", "c-2", "c-3") == [
        Code.ALLOWED,
        Code.ALLOWED,
        Code.RATE_LIMIT,
    ]
    assert codes(gateway, "save", gateway.child(child, "free", "h-2"), "c-4") == [Code.RATE_LIMIT]
    assert codes(gateway, "save", CLERK, "c-5") == [Code.RATE_LIMIT]
    assert codes(gateway, "save", FREE, "c-1", "c-2", "c-3") == [Code.ALLOWED] * 3


def test_a_limit_about_a_child_alone_is_none_of_its_parent() -> None:
    limit = """limits: [{id: l, tools: [save], per: session, rate: 1/h, when: 'session.agent == "helper"'}]"""
    gateway = world(limit, steps="").gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    assert codes(gateway, "save", child, "c-1", "c-2") == [Code.ALLOWED, Code.RATE_LIMIT]
    assert codes(gateway, "save", CLERK, "c-1") == [Code.ALLOWED]


@pytest.mark.parametrize("value", ["session.id", "session.agent", '[session.agent, session.id].join("/")'])
def test_each_new_child_was_counted_by_a_value_of_its_own(value: str) -> None:  # C12 D6
    limit = f"limits:\n  - id: l\n    tools: [save]\n    per: {{cel: '{value}'}}\n    rate: 2/h"
    gateway = world(limit, steps="").gateway()
    tried = [gateway.child(CLERK, "helper", f"h-{number}") for number in range(3)]
    assert [code for one in tried for code in codes(gateway, "save", one, "c-1")] == [
        Code.ALLOWED,
        Code.ALLOWED,
        Code.RATE_LIMIT,
    ]
    assert codes(gateway, "save", CLERK, "c-1") == [Code.RATE_LIMIT]


def test_a_child_counts_under_its_own_value_too() -> None:
    limit = "limits: [{id: l, tools: [save], per: {cel: session.agent}, rate: 2/h}]"
    gateway = world(limit, steps="").gateway()
    assert codes(gateway, "save", gateway.child(CLERK, "helper", "h-1"), "c-1", "c-2") == [Code.ALLOWED] * 2
    other = gateway.child(FREE, "helper", "h-2")
    assert codes(gateway, "save", other, "c-1") == [Code.RATE_LIMIT]


def test_a_child_took_less_of_a_budget_than_its_parent_would() -> None:  # D6
    budget = """limits:
  - {id: b, tools: [save], per: session, amount: 'session.agent == "clerk" ? 6 : 1', budget: 10/1h}"""
    gateway = world(budget, steps="").gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    assert codes(gateway, "save", child, "c-1", "c-2") == [Code.ALLOWED, Code.BUDGET]


def test_a_limit_that_can_not_be_evaluated_above_is_about_the_child() -> None:
    limit = "limits: [{id: l, tools: [save], per: session, rate: 1/h, unless: 'session.facts.open == true'}]"
    gateway = world(limit, steps="").gateway()
    child = {**CLERK, "id": "h-1", "agent": "helper", "facts": {"open": True}, "parent": CLERK}
    assert codes(gateway, "save", child, "c-1", "c-2") == [Code.ALLOWED, Code.RATE_LIMIT]
    other = {**FREE, "facts": {"open": True}}
    assert codes(gateway, "save", other, "c-1", "c-2") == [Code.ALLOWED] * 2


def test_each_turn_that_a_child_names_began_the_empty_rounds_anew() -> None:  # D6
    gateway = world("limits: [{id: l, tools: [look], empty_rounds: 2}]", steps="").gateway()
    for number in range(2):
        asked = {**call("look", f"c-{number}"), "iteration": 0}
        assert gateway.before(asked, kid(number)).proceeds
        gateway.after(asked, kid(number), [])
    assert gateway.before({**call("look", "c-9"), "iteration": 0}, kid(9)).code is Code.NOTHING_NEW


def test_repetitions_of_a_child_were_not_counted_where_a_condition_reads_the_session() -> None:  # D6
    limit = "limits: [{id: l, tools: [save], repeats: 2, when: 'session.agent == \"clerk\"'}]"
    gateway = world(limit, steps="").gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    assert codes(gateway, "save", child, "c-1", "c-2", "c-3") == [Code.ALLOWED, Code.ALLOWED, Code.REPEATED]


FORCED = """
arguments:
  - {id: most, tools: [save], when: 'session.agent == "clerk"', set: {amount: "5"}}
  - {id: own, tools: [sign], set: {id: session.agent}}
  - {id: shut, tools: [slow], when: 'session.agent == "helper"', set: {amount: "1"}, otherwise: deny}
results:
  - {id: phones, tools: [look], when: 'session.agent == "clerk"', redact: [{field: "**.phone"}]}
  - {id: mails, tools: [look], when: 'session.facts.open != true', redact: [{field: "**.mail"}]}
"""


def test_what_is_set_for_a_conversation_was_the_childs_own_to_write() -> None:  # E2 C12
    gateway = world(FORCED, steps="").gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    grandchild = gateway.child(child, "free", "h-2")
    for session in (CLERK, child, grandchild):
        decision = gateway.before(call("save", amount=7), session)
        assert decision.arguments == {"id": "a", "amount": 5}
        shown = {tool.name: tool for tool in gateway.tools(session).visible}
        assert "amount" not in shown["save"].parameters["properties"]
    assert gateway.before(call("save", amount=7), FREE).arguments == {"id": "a", "amount": 7}
    trace = gateway.explain(call("save", "c-2", amount=7), child).decision.trace
    (line,) = (entry for entry in trace if entry.rule == "most")
    assert "for the agent `clerk` above" in line.text


@pytest.mark.parametrize(
    ("tool", "code"),
    [("sign", Code.FORCED_ARGUMENT_CONFLICT), ("slow", Code.FORCED_ARGUMENT_UNAVAILABLE)],
)
def test_what_is_set_to_something_else_above_refuses_a_child(tool: str, code: Code) -> None:  # E2
    gateway = world(FORCED, steps="").gateway()
    child = gateway.child(CLERK, "helper", "h-1")
    refused = gateway.before(call(tool), child)
    assert refused.code is code
    assert "for the agent clerk above" in refused.detail
    assert tool not in {one.name for one in gateway.tools(child).visible}
    assert gateway.before(call(tool), {**CLERK, "id": "s-2", "agent": "helper"}).proceeds


def test_a_result_was_shown_to_a_child_that_its_parent_does_not_see() -> None:  # C12
    gateway = world(FORCED, steps="").gateway()
    found = {"phone": "123", "mail": "a@b.c"}
    blank = {"phone": "(redacted)", "mail": "(redacted)"}
    parent = {**CLERK, "facts": {"open": False}}
    open_child = Session.of({**FREE, "facts": {"open": True}})
    for session in (parent, gateway.child(parent, "helper", "h-1")):
        decision = gateway.before(call("look"), session)
        assert gateway.after(call("look"), session, found, decision).result == blank
    decision = gateway.before(call("look"), open_child)
    assert gateway.after(call("look"), open_child, found, decision).result == found


def test_a_filter_that_can_not_be_told_above_withholds_the_childs_result() -> None:
    gateway = world(FORCED, steps="").gateway()
    child = {**FREE, "id": "h-1", "agent": "helper", "facts": {"open": True}, "parent": FREE}
    decision = gateway.before(call("look"), child)
    assert gateway.after(call("look"), child, {"mail": "a@b.c"}, decision).code is Code.RESULT_WITHHELD


def test_turns_that_a_child_names_were_turns_of_the_conversation() -> None:  # C12
    gateway = world("limits: [{id: t, tools: [look], per: turn, rate: 1/h}]").gateway()
    steps = [gateway.before({**call("save", f"c-{n}"), "iteration": 0}, kid(n)).code for n in range(3)]
    assert steps == [Code.ALLOWED, Code.ALLOWED, Code.STEP_LIMIT]
    gateway = world("limits: [{id: t, tools: [look], per: turn, rate: 1/h}]", steps="").gateway()
    looks = [gateway.before(call("look", f"c-{n}"), kid(n)).code for n in range(2)]
    assert looks == [Code.ALLOWED, Code.RATE_LIMIT]
    assert gateway.before(call("look", "c-5"), CLERK).code is Code.RATE_LIMIT


def test_a_turn_of_the_conversation_is_the_turn_of_its_children() -> None:
    gateway = world("limits: [{id: t, tools: [look], per: turn, rate: 1/h}]", steps="").gateway()
    for turn in range(2):
        parent = {**CLERK, "turn": {"id": turn}}
        child = gateway.child(parent, "helper", "h-1")
        assert codes(gateway, "look", child, "c-1", "c-2") == [Code.ALLOWED, Code.RATE_LIMIT]


def test_calls_of_parent_and_children_with_the_same_id_were_one_call() -> None:  # D6
    gateway = world("limits: [{id: c, tools: [save], per: call, rate: 1/h}]", steps="").gateway()
    children = [gateway.child(CLERK, "helper", name) for name in ("h-1", "h-2")]
    for session in (Session.of(CLERK), *children, Session.of(kid("t-1"))):
        assert gateway.before(call("save"), session).code is Code.ALLOWED
