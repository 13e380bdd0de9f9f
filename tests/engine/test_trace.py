"""Explaining: each step and rule says what came of it, with the values that it saw."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Code, Step, TraceEntry
from tests.engine.build import PAY, SHOP, gateway, session, with_rules

RULES = with_rules(
    "{id: big, tools: [order_pay], when: args.amount > 50, unless: '\"chief\" in subject.roles', effect: ask}",
    "{id: broken, tools: [order_pay], when: session.facts.limit / (1 - 1) == 1, effect: deny, monitor: true}",
    "{id: grant, tools: [order_pay], when: session.facts.limit / (1 - 1) == 1, effect: allow}",
    "{id: grants, tools: [order_pay, order_delete], when: session.can_ask, effect: allow, lifts: [big]}",
    "{id: small, tools: [order_pay], when: args.amount < 50, effect: deny}",
    "{id: mine, tools: [order_pay], when: session.facts.limit / (1 - 1) == 1, effect: ask}",
)

Seen = tuple[int, str, str | None]


def trace(
    tool: str, arguments: Any = None, text: str = SHOP, **changes: Any
) -> tuple[tuple[TraceEntry, ...], list[Seen]]:
    call = {"id": "c", "tool": tool, "arguments": arguments or {}}
    entries = gateway(text).explain(call, session(**changes)).decision.trace
    return entries, [(entry.step.value, entry.state, entry.rule) for entry in entries]


PASSED: list[Seen] = [(number, "passed", None) for number in (1, 2, 3, 4, 5)]


def test_each_step_of_an_allowed_call_passed() -> None:
    entries, seen = trace("search", {"query": "x"})
    assert seen == [*PASSED, (8, "passed", None)]
    assert entries[-1].text == "risk READ_ONLY, `confirm_from: HIGH`"


@pytest.mark.parametrize(
    ("number", "tool", "arguments", "changes", "code"),
    [
        (1, "search", {}, {"tenant": None}, Code.NO_TENANT),
        (2, "order_purge", {}, {}, Code.TOOL_NOT_BOUND),
        (2, "unknown", {}, {}, Code.TOOL_NOT_FOUND),
        (2, "remote_only", {}, {"channel": "external"}, Code.REQUIREMENT_MISSING),
        (3, "order_pay", PAY, {"subject": {"permissions": []}}, Code.PERMISSION_DENIED),
        (4, "search", "{", {}, Code.ARGUMENTS_UNREADABLE),
        (5, "order_row", {"table": "t"}, {}, Code.RESOURCE_PERMISSION_DENIED),
        (5, "order_row", {"table": "*"}, {}, Code.RESOURCE_PERMISSION_DENIED),
        (5, "search", {}, {}, Code.ARGUMENT_INVALID),
    ],
)  # fmt: skip
def test_a_refusal_stands_at_its_step_and_nothing_below_is_reached(
    number: int, tool: str, arguments: Any, changes: dict[str, Any], code: Code
) -> None:  # B1
    entries, seen = trace(tool, arguments, **changes)
    below: list[Seen] = [(n, "not reached", None) for n in range(number + 1, 6)]
    assert seen == [
        *PASSED[: number - 1],
        (number, "refused", None),
        *below,
        (7, "not reached", None),
        (8, "not reached", None),
    ]
    assert entries[number - 1].text.startswith(f"{code}: ")


def test_each_refusal_carries_its_step_and_no_arguments() -> None:
    for tool, arguments, changes, step in (
        ("search", {"query": "x"}, {"agent": "ghost"}, Step.IDENTITY),
        ("unknown", {}, {}, Step.TOOL),
        ("order_purge", {}, {}, Step.TOOL),
        ("remote_only", {}, {"channel": "external"}, Step.TOOL),
        ("order_pay", PAY, {"subject": {"permissions": []}}, Step.PERMISSIONS),
        ("search", "{", {}, Step.ARGUMENTS),
        ("order_row", {"table": "t"}, {}, Step.RESOURCE),
        ("order_row", {"table": "*"}, {}, Step.RESOURCE),
        ("search", {"query": ""}, {}, Step.RESOURCE),
    ):
        decision = gateway().before({"tool": tool, "arguments": arguments}, session(**changes))
        assert [finding.step for finding in decision.findings] == [step]
        assert decision.arguments is None
    assert gateway("version: 1\n").before({"tool": "x"}, session()).findings[0].step is Step.READY


def test_each_rule_says_whether_it_held_and_what_it_saw() -> None:
    entries, seen = trace("order_pay", PAY, RULES, facts={"limit": 1})
    assert seen == [
        *PASSED,
        (7, "held against", "big"),
        (7, "monitored", "broken"),
        (7, "error", "grant"),
        (7, "passed", "grants"),
        (7, "held against", "mine"),
        (7, "passed", "small"),
        (8, "passed", None),
        (9, "passed", "grants"),
        (9, "lifted", "big"),
    ]
    by_rule = {entry.rule: entry for entry in reversed(entries) if entry.step is Step.EVALUATION}
    assert by_rule["big"].text.startswith("ask rule holds (test.yaml:")
    assert by_rule["small"].text.startswith("deny rule does not hold (test.yaml:")
    assert by_rule["broken"].text.startswith("deny rule can't be evaluated: divide by zero (test.yaml:")
    assert by_rule["mine"].text.startswith("ask rule can't be evaluated: divide by zero (test.yaml:")
    observed = {seen.text: seen.value for seen in by_rule["big"].observed}
    assert observed["args.amount"] == "100"
    assert observed["subject.roles"] == '["sales"]'
    failed = {seen.text: seen.value for seen in by_rule["broken"].observed}
    assert "error: divide by zero" in failed.values()


def test_a_long_value_is_cut_and_nothing_hides_in_it() -> None:
    text = with_rules('{id: r, tools: [search], when: args.query == "x", effect: deny}')

    def shown(query: str) -> str:
        entries, _ = trace("search", {"query": query}, text)
        (rule,) = [entry for entry in entries if entry.rule == "r"]
        return {seen.text: seen.value for seen in rule.observed}["args.query"]

    assert shown("é" * 118) == '"' + "é" * 118 + '"'
    assert shown("é" * 119) == '"' + "é" * 119 + "…"
    assert "\u202e" not in shown("a\u202eb")


def test_a_confirmation_is_held_against_and_can_be_lifted() -> None:
    entries, seen = trace("order_delete", {"id": "7"})
    assert seen == [*PASSED, (8, "held against", None)]
    assert entries[-1].text == "risk IRREVERSIBLE, `confirm_from: HIGH`"
    entries, seen = trace("order_delete", {"id": "7"}, RULES)
    assert seen[-2:] == [(9, "passed", "grants"), (9, "lifted", None)]
    assert entries[-2].text.startswith("the allow rule `grants` (test.yaml:")
    assert entries[-1].text.startswith("CONFIRM: ")


def test_a_threshold_that_is_met_exactly_is_held_against() -> None:
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: MEDIUM")
    assert trace("order_pay", PAY, text)[1][-1] == (8, "held against", None)


def test_inspection_counts_what_it_found() -> None:
    def text(command: str, policy: str = SHOP) -> tuple[str, str]:
        entries, _ = trace("run", {"command": command}, policy)
        (one,) = [entry for entry in entries if entry.text.startswith("inspected")]
        assert one.step is Step.EVALUATION
        return one.state, one.text

    assert text("ls") == ("passed", "inspected `command` as shell: no findings")
    assert text("rm -rf /") == ("held against", "inspected `command` as shell: 1 finding (`fs.delete.root`)")
    state, several = text("rm -rf /; git push --force origin main")
    assert (state, several) == (
        "held against",
        "inspected `command` as shell: 2 findings (`fs.delete.root`, `git.push.force`)",
    )


def test_a_dry_run_says_what_it_would_have_done() -> None:
    entries, seen = trace("order_pay", PAY, dry_run=True)
    assert seen == [*PASSED, (8, "passed", None), (11, "held against", None)]
    assert entries[-1].text == 'dry run: would have Pay 100 to "DE1"'


def test_nobody_to_ask_is_the_last_line() -> None:
    entries, seen = trace("order_delete", {"id": "7"}, can_ask=False)
    assert seen[-1] == (13, "refused", None)
    assert entries[-1].text.startswith("NOBODY_TO_ASK: would have been asked: CONFIRM: ")
    assert trace("order_delete", {"id": "7"})[1][-1] == (8, "held against", None)


def test_only_an_explained_decision_has_a_trace() -> None:
    assert gateway().before({"tool": "search", "arguments": {"query": "x"}}, session()).trace == ()


WRAPPING = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: outer, wraps: {tool: args.tool, arguments: args.input}, risk: LOW, permissions: [], parameters: {type: object, required: [tool], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}}
  - {name: fine, risk: LOW, permissions: []}
  - {name: grave, risk: HIGH, permissions: []}
"""


def test_an_inner_call_is_one_line() -> None:
    entries, seen = trace("outer", {"tool": "fine", "input": {}}, WRAPPING)
    assert seen == [*PASSED, (7, "passed", None), (8, "passed", None)]
    assert entries[5].text == "inner call of `fine`: allow ALLOWED"
    entries, seen = trace("outer", {"tool": "grave", "input": {}}, WRAPPING)
    assert seen == [*PASSED, (7, "held against", None), (8, "passed", None)]
    assert entries[5].text == "inner call of `grave`: ask CONFIRM"


def test_a_watched_rule_that_does_not_count_passed() -> None:
    text = with_rules(
        "{id: a, tools: [search], when: turn.ambiguous, effect: deny, monitor: true}",
        "{id: b, tools: [search], when: session.facts.limit / (1 - 1) == 1, effect: allow, monitor: true}",
        "{id: c, tools: [search], when: '!turn.ambiguous', effect: allow, monitor: true}",
        "{id: d, tools: [search], when: '!turn.ambiguous', effect: ask, monitor: true}",
    )
    _, seen = trace("search", {"query": "x"}, text, turn={"ambiguous": False}, facts={"limit": 1})
    assert seen[5:] == [
        (7, "passed", "a"),
        (7, "error", "b"),
        (7, "monitored", "c"),
        (7, "monitored", "d"),
        (8, "passed", None),
    ]


def test_an_obligation_that_the_host_can_t_meet_is_the_last_line() -> None:
    call = {"tool": "search", "arguments": {"query": "x"}}
    entries = gateway(supports=()).explain(call, session()).decision.trace
    assert (entries[-1].step, entries[-1].state) == (Step.ANSWER, "refused")
    assert entries[-1].text == "OBLIGATION_UNSUPPORTED: the host does not support `final-arguments`"


def test_a_placeholder_comes_from_its_own_step() -> None:  # B11
    decision = gateway().before({"tool": "order_pay", "arguments": PAY}, session(dry_run=True))
    assert [finding.step for finding in decision.findings] == [Step.DRY_RUN]


def test_what_is_watched_for_now_is_counted_too() -> None:
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: HIGH\n  monitor_until: 2027-01-01")
    entries, _ = trace("run", {"command": "rm -rf /"}, text)
    assert any(
        entry.text == "inspected `command` as shell: 1 finding (`fs.delete.root`)" for entry in entries
    )


SETTING = """
version: 1
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: t, risk: READ_ONLY, permissions: [], parameters: {type: object, properties: {a: {}, b: {}, c: {}}}}
arguments:
  - {id: both, tools: [t], set: {b: "2", a: "1"}}
  - {id: elsewhere, tools: [t], channels: [external], set: {a: "1"}}
  - {id: never, tools: [t], when: session.dry_run, set: {a: "1"}}
  - {id: own, tools: [t], unless: session.dry_run, set: {c: "3"}}
"""


def test_each_entry_that_sets_arguments_says_so_and_no_other() -> None:  # E2
    entries, seen = trace("t", {"a": 9}, SETTING)
    assert seen[3:6] == [(4, "passed", "both"), (4, "passed", "own"), (4, "passed", None)]
    assert entries[3].text.startswith("`a`, `b` set by the policy, whatever the model wrote (test.yaml:")
    assert entries[4].text.startswith("`c` set by the policy, ")
    assert trace("t", {"a": 9}, SETTING.replace("dry_run, set: {a", "can_ask, set: {a"))[1][4] == (
        4,
        "passed",
        "never",
    )


@pytest.mark.parametrize("part", ["when", "unless"])
def test_a_condition_that_is_no_truth_value_is_explained(part: str) -> None:
    rule = f"{{id: r, tools: [search], {part}: session.facts.limit, effect: deny}}"
    text = with_rules(rule).replace("limit: int", "limit: dyn")
    entries, seen = trace("search", {"query": "x"}, text, facts={"limit": 5})
    assert seen[5] == (7, "held against", "r")
    assert entries[5].text.startswith(
        "deny rule can't be evaluated: the condition is neither true nor false (test.yaml:"
    )
    (one,) = (
        gateway(text)
        .before({"tool": "search", "arguments": {"query": "x"}}, session(facts={"limit": 5}))
        .errors
    )
    assert one == "r: the condition is neither true nor false"


def test_what_was_held_against_an_inner_call_is_not_counted_as_inspected() -> None:
    text = WRAPPING.replace("input: {type", "command: {type: string}, input: {type")
    text = text.replace("arguments: args.input}", "arguments: args.input}, inspect: {command: shell}")
    entries, _ = trace("outer", {"tool": "grave", "input": {}, "command": "ls"}, text)
    (one,) = [entry for entry in entries if entry.text.startswith("inspected")]
    assert (one.state, one.text) == ("passed", "inspected `command` as shell: no findings")
    text += "rules: [{id: watch, tools: [fine], effect: deny, monitor: true}]\n"
    entries, _ = trace("outer", {"tool": "fine", "input": {}, "command": "ls"}, text)
    (one,) = [entry for entry in entries if entry.text.startswith("inspected")]
    assert (one.state, one.text) == ("passed", "inspected `command` as shell: no findings")
