"""Meta-tools: the inner call passes every step, and nothing of it is lost. Row C14 as far as built."""

from __future__ import annotations

from typing import Any

from gateway.decision import Basis, Code, Decision, Effect, Obligation
from tests.engine.build import gateway, session

TEXT = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: [background, pay, delete, recall], tenants: ["*"]}]
tools:
  - {name: background, wraps: {tool: args.tool, arguments: args.input}, risk: LOW, permissions: [], parameters: {type: object, required: [tool, input], properties: {tool: {enum: [pay, delete, recall, purge, background]}, input: {type: object, additionalProperties: true}}}}
  - {name: pay, risk: LOW, permissions: [pay], parameters: {type: object, required: [amount], properties: {amount: {type: integer}}}}
  - {name: delete, risk: HIGH, permissions: []}
  - {name: purge, risk: LOW, permissions: []}
  - {name: recall, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [user_id], properties: {user_id: {type: string}}}}
arguments:
  - {id: own, tools: [recall], set: {user_id: subject.id}}
rules:
  - {id: large, tools: [pay], when: args.amount > 10, effect: deny}
  - {id: look, tools: [pay], when: args.amount > 5, effect: ask}
  - {id: grant, tools: [background], effect: allow, lifts: [look]}
"""


def wrapped(tool: Any, arguments: Any, **changes: Any) -> Decision:
    call = {"tool": "background", "arguments": {"tool": tool, "input": arguments}}
    changes.setdefault("subject", {"permissions": ["pay"]})
    return gateway(TEXT).before(call, session(**changes))


def test_the_inner_call_passes_every_step() -> None:  # C14
    assert wrapped("pay", {"amount": 1}).proceeds
    assert wrapped("pay", {"amount": 11}).rule == "large"
    assert wrapped("pay", {"amount": "x"}).code is Code.ARGUMENT_INVALID
    assert wrapped("pay", {"amount": 1}, subject={"permissions": []}).code is Code.PERMISSION_DENIED
    assert wrapped("purge", {}).code is Code.TOOL_NOT_BOUND
    assert wrapped("purge", {}).outside_code == "TOOL_NOT_FOUND"
    assert wrapped("delete", {}).code is Code.CONFIRM
    assert wrapped("delete", {}, can_ask=False).effect is Effect.DENY


def test_it_wraps_only_what_its_declaration_allows() -> None:  # C14
    assert wrapped("search", {}).code is Code.ARGUMENT_INVALID


def test_an_outer_grant_lifts_nothing_of_the_inner_call() -> None:
    decision = wrapped("pay", {"amount": 6})
    assert (decision.effect, decision.rule) == (Effect.ASK, "look")


def test_an_outer_grant_is_no_grant_for_the_inner_call() -> None:
    assert wrapped("pay", {"amount": 1}).basis is Basis.DEFAULT


def test_forced_arguments_of_the_inner_call_are_in_the_final_arguments() -> None:  # E2
    decision = wrapped("recall", {"user_id": "somebody"})
    assert decision.arguments == {"tool": "recall", "input": {"user_id": "u-1"}}
    assert decision.obligations == (Obligation.FINAL_ARGUMENTS,)


def test_wrapping_without_end_is_refused() -> None:
    arguments: Any = {"tool": "pay", "input": {"amount": 1}}
    for _ in range(2):
        arguments = {"tool": "background", "input": arguments}
    assert wrapped("background", arguments).proceeds
    for _ in range(10):
        arguments = {"tool": "background", "input": arguments}
    assert wrapped("background", arguments).effect is Effect.DENY


def test_a_dry_run_pretends_the_inner_write() -> None:  # B11
    assert wrapped("pay", {"amount": 1}, dry_run=True).effect is Effect.RESPOND
