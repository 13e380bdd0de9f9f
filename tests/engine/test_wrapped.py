"""Meta-tools: the inner call passes every step, and nothing of it is lost. Row C14 as far as built."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Basis, Code, Decision, Effect, Obligation, Step
from gateway.diagnostic import PolicyError
from tests.engine.build import compiled, gateway, session

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


NESTED = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: outer, wraps: {tool: args.call.tool, arguments: args.call.with.input}, risk: LOW, permissions: [], parameters: {type: object, properties: {call: {type: object, additionalProperties: true}, with: {type: object, additionalProperties: true}}}}
  - {name: texted, wraps: {tool: args.tool, arguments: args.input}, risk: LOW, permissions: [], parameters: {type: object, required: [tool], properties: {tool: {type: string}, input: {type: string}}}}
  - {name: unfit, wraps: {tool: args.tool, arguments: args.input}, risk: LOW, permissions: [], parameters: {type: object, properties: {tool: {}, input: {}}}}
  - {name: plain, risk: LOW, permissions: []}
  - {name: grave, risk: HIGH, permissions: []}
  - {name: watched, risk: LOW, permissions: [], parameters: {type: object, required: [n], properties: {n: {type: integer, default: 3}, text: {type: string}}}}
rules:
  - {id: first, tools: [grave], effect: ask, approval: {by: [chief]}}
  - {id: second, tools: [grave], effect: ask, approval: {by: [finance]}}
  - {id: hint, tools: [watched], when: args.n > 1, effect: allow, context: Small numbers are quicker.}
  - {id: trial, tools: [watched], when: args.n > 1, effect: deny, monitor: true}
  - {id: outside, tools: [outer], when: has(args.call) && has(args.call.tool) && args.call.tool == "plain" && has(args.call.with) && args.call.with.input.size() > 0, effect: deny}
"""


def nested(tool: str, arguments: Any, text: str = NESTED, **options: Any) -> Decision:
    return gateway(text, **options).before({"tool": tool, "arguments": arguments}, session())


def test_an_inner_call_that_changes_nothing_leaves_the_arguments_alone() -> None:
    given = {"call": {"tool": "plain"}}
    decision = nested("outer", given, supports=())
    assert decision.proceeds
    assert decision.arguments == given


def test_defaults_of_the_inner_call_are_written_where_nothing_stood() -> None:
    decision = nested("outer", {"call": {"tool": "watched"}})
    assert decision.arguments == {"call": {"tool": "watched", "with": {"input": {"n": 3}}}}
    assert decision.obligations == (Obligation.FINAL_ARGUMENTS,)
    kept = nested("outer", {"call": {"tool": "watched", "x": 1, "with": {"y": 2, "input": {"text": "t"}}}})
    assert kept.arguments == {
        "call": {"tool": "watched", "x": 1, "with": {"y": 2, "input": {"text": "t", "n": 3}}}
    }


def test_an_inner_call_that_is_written_as_text_stays_text() -> None:
    unchanged = nested("texted", {"tool": "watched", "input": '{"n": 1}'}, supports=())
    assert unchanged.proceeds
    assert unchanged.arguments == {"tool": "watched", "input": '{"n": 1}'}
    changed = nested("texted", {"tool": "watched", "input": '{"text": "é"}'})
    assert changed.arguments == {"tool": "watched", "input": '{"text": "é", "n": 3}'}
    assert nested("texted", {"tool": "watched", "input": "{"}).code is Code.ARGUMENTS_UNREADABLE


def test_a_confirmation_of_the_inner_call_demands_no_named_approver() -> None:
    who: dict[str, Any] = {"subject": {"permissions": ["pay"]}}
    call = {"tool": "background", "arguments": {"tool": "delete", "input": {}}}
    decision = gateway(TEXT, supports=[Obligation.FINAL_ARGUMENTS]).before(call, session(**who))
    assert (decision.effect, decision.code, decision.obligations) == (Effect.ASK, Code.CONFIRM, ())
    assert decision.approval is not None
    assert decision.approval["demands"] == []


def test_every_demand_of_the_inner_ask_is_a_demand_of_the_whole() -> None:
    decision = nested("outer", {"call": {"tool": "grave"}})
    assert decision.effect is Effect.ASK
    assert decision.obligations == (Obligation.NAMED_APPROVER,)
    assert decision.approval is not None
    assert decision.approval["demands"] == [
        {"rule": "first", "by": ["chief"]},
        {"rule": "second", "by": ["finance"]},
    ]
    unable = nested("outer", {"call": {"tool": "grave"}}, supports=[Obligation.FINAL_ARGUMENTS])
    assert unable.code is Code.OBLIGATION_UNSUPPORTED


def test_context_and_what_is_watched_of_the_inner_call_are_kept() -> None:  # C4
    decision = nested("outer", {"call": {"tool": "watched"}})
    assert decision.context == ("Small numbers are quicker.",)
    assert [finding.rule for finding in decision.monitored] == ["trial"]


def test_a_call_that_names_no_inner_tool_is_refused() -> None:  # C14
    for arguments in ({}, {"tool": ""}, {"tool": 7}, {"tool": None}, {"tool": ["plain"]}):
        decision = nested("unfit", arguments)
        assert (decision.effect, decision.code) == (Effect.DENY, Code.ARGUMENTS_UNREADABLE)
        assert "`args.tool` names no inner tool" in decision.detail
    assert nested("unfit", {"tool": "plain", "input": 7}).code is Code.ARGUMENTS_UNREADABLE


def test_four_calls_may_be_wrapped_and_no_more() -> None:
    arguments: Any = {"tool": "pay", "input": {"amount": 1}}
    for _ in range(3):
        arguments = {"tool": "background", "input": arguments}
    assert wrapped(arguments["tool"], arguments["input"]).proceeds
    deeper = wrapped("background", arguments)
    assert (deeper.effect, deeper.code) == (Effect.DENY, Code.ARGUMENTS_UNREADABLE)
    assert "more than 4 calls" in deeper.detail


def test_rules_see_the_arguments_as_the_inner_call_leaves_them() -> None:  # E2
    text = (
        TEXT
        + '  - {id: whose, tools: [background], when: args.input.?user_id.orValue("") == "u-1", effect: deny}\n'
    )
    call = {"tool": "background", "arguments": {"tool": "recall", "input": {"user_id": "somebody"}}}
    assert gateway(text).before(call, session()).rule == "whose"


def test_a_refusal_of_the_inner_call_is_a_finding_about_the_outer_one() -> None:  # C14
    decision = wrapped("purge", {})
    assert [finding.step for finding in decision.findings] == [Step.EVALUATION]
    assert decision.arguments == {"tool": "purge", "input": {}}


@pytest.mark.parametrize(
    ("paths", "code"),
    [
        ("{tool: args.n, arguments: args.input}", "wrong-type"),
        ("{tool: args.tool, arguments: args.n}", "wrong-type"),
        ("{tool: args.tool.name, arguments: args.input}", "unknown-name"),
    ],
)
def test_paths_that_lead_to_no_inner_call_do_not_load(paths: str, code: str) -> None:
    text = TEXT.replace("wraps: {tool: args.tool, arguments: args.input}", f"wraps: {paths}").replace(
        "properties: {tool: {enum", "properties: {n: {type: integer}, tool: {enum"
    )
    with pytest.raises(PolicyError) as caught:
        compiled(text)
    assert [d.code for d in caught.value.diagnostics] == [code]
