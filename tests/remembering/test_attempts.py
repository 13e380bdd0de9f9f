"""What limits take for one call: through meta-tools, questions, refusals and dry runs (C5, D5, E7)."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code, Effect, Gateway
from tests.remembering.world import CLERK, World, approve, call, person

HEAD = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]%s}]
defaults:
  - tools: ["*"]
    permissions: []
  - tools: [look, save, pay]
    parameters: {type: object, required: [id], properties: {id: {type: string}}}
  - tools: [via, reads_via]
    parameters:
      type: object
      required: [tool, input]
      properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}
tools:
  - {name: look, risk: READ_ONLY}
  - {name: save, risk: MEDIUM}
  - {name: pay, risk: HIGH}
  - {name: via, risk: MEDIUM, wraps: {tool: args.tool, arguments: args.input}}
  - {name: reads_via, risk: READ_ONLY, wraps: {tool: args.tool, arguments: args.input}}
rules: [{id: never, tools: [save], when: args.id == "never", effect: deny}]
"""
EVERY = '{id: any, tools: ["*"], per: session, rate: %d/h}'
LOOPS = '{id: loops, tools: ["*"], repeats: 2}'
DRY = {**CLERK, "dry_run": True}


def limited(*limits: str, steps: str = "") -> Gateway:
    """A gateway with these limits."""
    text = HEAD % (steps and f", max_steps: {steps}")
    return World(text=text + "limits:\n" + "".join(f"  - {limit}\n" for limit in limits)).gateway()


def codes(gateway: Gateway, *calls: dict[str, Any], session: dict[str, Any] = CLERK) -> list[Code]:
    return [gateway.before(one, session).code for one in calls]


def equal(tool: str, count: int, **arguments: str) -> list[dict[str, Any]]:
    """Equal calls, each with an id of its own."""
    return [call(tool, f"{tool}-{number}", **arguments) for number in range(count)]


def wrapped(tool: str, name: str, by: str = "via", **arguments: str) -> dict[str, Any]:
    return {"tool": by, "id": name, "arguments": {"tool": tool, "input": {"id": "a", **arguments}}}


def test_a_call_that_another_wraps_counts_once_under_a_limit_about_both() -> None:
    # It counted twice in one apply, so the last free place was lost and ended in STATE_UNAVAILABLE.
    gateway = limited(EVERY % 2)
    calls = [wrapped("save", f"w-{number}", id=str(number)) for number in range(3)]
    assert codes(gateway, *calls) == [Code.ALLOWED, Code.ALLOWED, Code.RATE_LIMIT]


def test_a_refusal_by_a_limit_about_both_is_told_once() -> None:
    gateway = limited(EVERY % 1)
    refused = [gateway.before(wrapped("save", f"w-{number}"), CLERK) for number in range(2)][1]
    assert [finding.code for finding in refused.findings] == [Code.RATE_LIMIT]


def test_calls_are_counted_by_tool_where_the_limit_says_so() -> None:
    gateway = limited('{id: any, tools: ["*"], per: tool, rate: 1/h}')
    calls = [wrapped("save", "a"), wrapped("look", "b"), call("save", "c")]
    assert codes(gateway, *calls) == [Code.ALLOWED, Code.RATE_LIMIT, Code.RATE_LIMIT]


def test_the_same_call_is_stopped_through_a_meta_tool_too() -> None:  # C5
    # Its two notes under one key contradicted each other, and every such call ended in STATE_UNAVAILABLE.
    gateway = limited(LOOPS)
    calls = [wrapped("save", f"w-{number}") for number in range(3)]
    assert codes(gateway, *calls) == [Code.ALLOWED, Code.ALLOWED, Code.REPEATED]


@pytest.mark.parametrize("last", [call("save", "last"), wrapped("save", "last")])
def test_a_call_is_the_same_with_a_meta_tool_and_without(last: dict[str, Any]) -> None:
    gateway = limited(LOOPS)
    assert codes(gateway, call("save", "a"), wrapped("save", "b"), last)[2] is Code.REPEATED


def test_a_meta_tool_that_alone_is_limited_counts_its_own_calls() -> None:
    gateway = limited("{id: loops, tools: [via], repeats: 2}")
    calls = [wrapped("save", f"w-{number}") for number in range(3)]
    assert codes(gateway, *calls, call("save", "s")) == [
        Code.ALLOWED,
        Code.ALLOWED,
        Code.REPEATED,
        Code.ALLOWED,
    ]


def test_an_inner_call_that_is_refused_again_and_again_is_stopped() -> None:
    gateway = limited("{id: loops, tools: [save], repeats: 2}")
    calls = [wrapped("save", f"w-{number}", id="never") for number in range(3)]
    assert [finding.code for finding in gateway.before(calls[0], CLERK).findings] == [Code.RULE]
    assert codes(gateway, calls[1]) == [Code.RULE]
    last = gateway.before(calls[2], CLERK)
    assert {finding.code for finding in last.findings} == {Code.RULE, Code.REPEATED}


def test_a_call_that_a_rule_refuses_again_and_again_is_stopped() -> None:  # C5
    gateway = limited(LOOPS)
    decisions = [gateway.before(one, CLERK) for one in equal("save", 3, id="never")]
    assert [len(one.findings) for one in decisions] == [1, 1, 2]


def test_a_call_that_only_asks_is_stopped_too() -> None:  # C5
    # What was asked about was not counted, so a model could ask for ever.
    assert codes(limited(LOOPS), *equal("pay", 4)) == [Code.CONFIRM] * 2 + [Code.REPEATED] * 2


def test_a_step_that_only_asks_is_a_step() -> None:  # D5
    calls = [call("pay", f"p-{number}", id=str(number)) for number in range(3)]
    assert codes(limited(LOOPS, steps="2"), *calls) == [Code.CONFIRM, Code.CONFIRM, Code.STEP_LIMIT]


def test_what_is_no_call_of_the_tool_is_not_counted() -> None:
    gateway = limited(LOOPS)
    calls = [{"tool": "save", "id": f"c-{number}", "arguments": {}} for number in range(4)]
    assert codes(gateway, *calls) == [Code.ARGUMENT_INVALID] * 4
    assert codes(gateway, *equal("save", 2)) == [Code.ALLOWED] * 2


def test_an_approved_call_is_no_repetition_of_itself() -> None:
    gateway = limited(LOOPS)
    asked = [gateway.before(one, CLERK) for one in equal("pay", 2)]
    for one in asked:
        approve(gateway, one.approval, person("u-2"))
    assert codes(gateway, *equal("pay", 3)) == [Code.ALLOWED, Code.ALLOWED, Code.REPEATED]


def test_an_approved_call_is_none_after_others_either() -> None:
    gateway = limited(LOOPS)
    first = gateway.before(call("pay", "first"), CLERK)
    assert codes(gateway, call("save", "between"), *equal("pay", 2)) == [Code.ALLOWED] + [Code.CONFIRM] * 2
    approve(gateway, first.approval, person("u-2"))
    assert gateway.before(call("pay", "first"), CLERK).code is Code.ALLOWED


def test_an_approved_meta_call_is_no_repetition_of_itself() -> None:
    gateway = limited(LOOPS)
    asked = [gateway.before(wrapped("pay", f"w-{number}"), CLERK) for number in range(2)]
    for one in asked:
        approve(gateway, one.approval, person("u-2"))
    assert codes(gateway, *(wrapped("pay", f"w-{n}") for n in range(2))) == [Code.ALLOWED] * 2


def test_a_plan_counts_nothing() -> None:
    gateway = limited(LOOPS, steps="2")
    plan = gateway.plan(equal("pay", 2), CLERK)
    assert plan.id
    assert codes(gateway, *equal("save", 2)) == [Code.ALLOWED] * 2


def test_what_reads_runs_in_a_dry_run_and_counts() -> None:
    # Limits were left out of dry runs altogether, though what only reads really runs there.
    gateway = limited(EVERY % 2)
    calls = [call("look", f"l-{number}", id=str(number)) for number in range(3)]
    assert codes(gateway, *calls, session=DRY) == [Code.ALLOWED, Code.ALLOWED, Code.RATE_LIMIT]


def test_the_same_call_is_stopped_in_a_dry_run_too() -> None:
    gateway = limited(LOOPS, steps="9")
    assert codes(gateway, *equal("look", 3), session=DRY) == [Code.ALLOWED, Code.ALLOWED, Code.REPEATED]


def test_what_is_only_pretended_is_held_against_limits_and_counts_nothing() -> None:  # B11
    gateway = limited(EVERY % 1, LOOPS)
    assert codes(gateway, *equal("save", 4), session=DRY) == [Code.DRY_RUN] * 4
    assert gateway.before(call("save", "real"), CLERK).proceeds
    assert codes(gateway, *equal("save", 1), session=DRY) == [Code.RATE_LIMIT]


def test_what_a_reading_meta_tool_only_pretends_counts_nothing() -> None:
    gateway = limited(EVERY % 1)
    calls = [wrapped("save", f"w-{number}", by="reads_via") for number in range(2)]
    assert codes(gateway, *calls, session=DRY) == [Code.DRY_RUN] * 2
    denied = gateway.before(wrapped("save", "w-3", by="reads_via", id="never"), DRY)
    assert denied.effect is Effect.DENY
    assert denied.changes == ()
