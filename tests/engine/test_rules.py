"""Steps 7 to 9: rules, confirmation, lifting. Rows B7, B10, C3, C4, C10, C11, E6."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from gateway.decision import Basis, Class, Code, Effect, Finding
from gateway.diagnostic import PolicyError
from gateway.runtime import Gateway
from tests.engine.build import PAY, SHOP, compiled, decide, gateway, session, with_rules

LARGE = '{id: large, tools: ["order_*"], when: "has(args.amount) && args.amount > 1000", effect: ask, approval: {by: [finance]}, message: Large payments need finance.}'
LARGE_PAY = "{id: large, tools: [order_pay], when: args.amount > 1000, effect: ask, message: Large payments need finance.}"
DENY = "{id: no-pay, tools: [order_pay], when: args.amount > 5000, effect: deny, message: Too much.}"


def test_a_matching_deny_is_final() -> None:  # C3
    text = with_rules(DENY, "{id: grant, tools: [order_pay], effect: allow, lifts: [no-pay]}", LARGE_PAY)
    decision = decide("order_pay", {**PAY, "amount": 6000}, text=text)
    assert (decision.effect, decision.code, decision.rule) == (Effect.DENY, Code.RULE, "no-pay")
    assert "Too much." in decision.message


def test_bounds_are_exact() -> None:
    text = with_rules(LARGE_PAY)
    assert decide("order_pay", {**PAY, "amount": 1000}, text=text).proceeds
    asked = decide("order_pay", {**PAY, "amount": 1001}, text=text)
    assert (asked.effect, asked.code, asked.rule) == (Effect.ASK, Code.RULE, "large")


def test_an_allow_lifts_the_confirmation_and_only_the_asks_that_it_names() -> None:  # C3
    deletion = {"id": "7"}
    assert decide("order_delete", deletion).code is Code.CONFIRM
    granted = with_rules(
        "{id: grant, tools: [order_delete], when: '\"sales\" in subject.roles', effect: allow}"
    )
    decision = decide("order_delete", deletion, text=granted)
    assert (decision.effect, decision.basis) == (Effect.ALLOW, Basis.RULE)
    assert decide("order_delete", deletion, text=granted, subject={"roles": []}).code is Code.CONFIRM
    ask = "{id: look, tools: [order_delete], effect: ask, message: Look.}"
    asked = decide(
        "order_delete", deletion, text=with_rules(ask, "{id: grant, tools: [order_delete], effect: allow}")
    )
    assert (asked.effect, asked.rule) == (Effect.ASK, "look")
    named = with_rules(ask, "{id: grant, tools: [order_delete], effect: allow, lifts: [look]}")
    assert decide("order_delete", deletion, text=named).proceeds


def test_without_any_finding_the_basis_is_the_default() -> None:
    assert decide("search", {"query": "x", "limit": 1}).basis is Basis.DEFAULT


@pytest.mark.parametrize("effect", ["deny", "ask"])
def test_an_error_in_a_strict_rule_counts_as_a_match(effect: str) -> None:
    rule = f"{{id: broken, tools: [search], when: 'session.facts.limit / (1 - 1) == 1', effect: {effect}}}"
    decision = decide("search", {"query": "x"}, text=with_rules(rule), facts={"limit": 1})
    assert (decision.effect.value, decision.rule) == (effect, "broken")
    assert any("broken" in error for error in decision.errors)
    missing = decide("search", {"query": "x"}, text=with_rules(rule), facts={})
    assert missing.effect.value == effect


def test_an_error_in_an_allow_rule_counts_as_a_miss() -> None:
    rule = "{id: grant, tools: [order_delete], when: 'session.facts.limit / (1 - 1) == 1', effect: allow}"
    decision = decide("order_delete", {"id": "7"}, text=with_rules(rule), facts={"limit": 1})
    assert decision.code is Code.CONFIRM


def test_an_error_in_a_respond_rule_denies() -> None:
    rule = "{id: answer, tools: [search], when: 'session.facts.limit / (1 - 1) == 1', effect: respond, response: {items: []}}"
    decision = decide("search", {"query": "x"}, text=with_rules(rule), facts={"limit": 1})
    assert (decision.effect, decision.rule, decision.response) == (Effect.DENY, "answer", None)


def test_an_ask_that_comes_from_an_error_is_not_lifted() -> None:
    ask = "{id: broken, tools: [order_pay], when: 'session.facts.limit / (1 - 1) == 1', effect: ask}"
    grant = "{id: grant, tools: [order_pay], effect: allow, lifts: [broken]}"
    decision = decide("order_pay", PAY, text=with_rules(ask, grant), facts={"limit": 1})
    assert (decision.effect, decision.rule) == (Effect.ASK, "broken")


def test_unless_takes_back_and_its_error_counts_against_the_call() -> None:
    rule = "{id: strict, tools: [search], unless: session.facts.limit > 5, effect: deny}"
    assert decide("search", {"query": "x"}, text=with_rules(rule), facts={"limit": 6}).proceeds
    assert decide("search", {"query": "x"}, text=with_rules(rule), facts={"limit": 5}).rule == "strict"
    assert decide("search", {"query": "x"}, text=with_rules(rule), facts={}).rule == "strict"


def test_a_false_when_absorbs_an_error_in_unless() -> None:
    rule = '{id: strict, tools: [search], when: args.query == "y", unless: session.facts.limit > 5, effect: deny}'
    assert decide("search", {"query": "x"}, text=with_rules(rule), facts={}).proceeds
    absorbed = '{id: strict, tools: [search], when: session.facts.limit > 5, unless: args.query == "x", effect: deny}'
    assert decide("search", {"query": "x"}, text=with_rules(absorbed), facts={}).proceeds


def test_respond_beats_ask_and_carries_its_response() -> None:
    text = with_rules(
        "{id: answer, tools: [order_pay], effect: respond, response: {status: queued}}",
        "{id: look, tools: [order_pay], effect: ask}",
    )
    decision = decide("order_pay", PAY, text=text)
    assert (decision.effect, decision.response) == (Effect.RESPOND, {"status": "queued"})


def test_a_monitored_rule_is_recorded_and_changes_nothing() -> None:
    rule = "{id: trial, tools: [search], effect: deny, monitor: true}"
    decision = decide("search", {"query": "x"}, text=with_rules(rule))
    assert decision.proceeds
    assert [finding.rule for finding in decision.monitored] == ["trial"]
    granted = with_rules("{id: trial, tools: [order_delete], effect: allow, monitor: true}")
    assert decide("order_delete", {"id": "7"}, text=granted).code is Code.CONFIRM


def test_a_monitored_rule_is_enforced_after_its_date() -> None:
    text = with_rules("{id: trial, tools: [search], effect: deny, monitor: true, until: 2026-12-31}")
    last = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert decide("search", {"query": "x"}, text=text, now=last).proceeds
    after = decide("search", {"query": "x"}, text=text, now=datetime(2027, 1, 1, tzinfo=UTC))
    assert (after.effect, after.rule) == (Effect.DENY, "trial")


def test_an_allow_lapses_after_its_date() -> None:
    text = with_rules("{id: grant, tools: [order_delete], effect: allow, until: 2026-12-31}")
    assert decide("order_delete", {"id": "7"}, text=text).proceeds
    after = datetime(2027, 1, 1, tzinfo=UTC)
    assert decide("order_delete", {"id": "7"}, text=text, now=after).code is Code.CONFIRM


def test_monitoring_everything_has_an_end_and_spares_the_assertions() -> None:
    text = with_rules(DENY).replace("confirm_from: HIGH", "confirm_from: HIGH\n  monitor_until: 2026-12-31")
    big = {**PAY, "amount": 9000}
    decision = decide("order_pay", big, text=text)
    assert decision.proceeds
    assert [f.rule for f in decision.monitored] == ["no-pay"]
    assert decide("order_delete", {"id": "7"}, text=text).proceeds
    assert decide("order_pay", big, text=text, subject={"permissions": []}).code is Code.PERMISSION_DENIED
    later = decide("order_pay", big, text=text, now=datetime(2027, 1, 1, tzinfo=UTC))
    assert later.rule == "no-pay"


@pytest.mark.parametrize(
    ("threshold", "tool", "arguments", "asks"),
    [
        ("LOW", "search", {"query": "x"}, False),
        ("LOW", "write_file", {"path": "a"}, True),
        ("MEDIUM", "write_file", {"path": "a"}, False),
        ("MEDIUM", "order_pay", PAY, True),
        ("HIGH", "order_pay", PAY, False),
        ("HIGH", "order_delete", {"id": "7"}, True),
        ("IRREVERSIBLE", "order_delete", {"id": "7"}, True),
    ],
)
def test_risk_at_or_above_the_threshold_is_confirmed(
    threshold: str, tool: str, arguments: dict[str, Any], asks: bool
) -> None:  # B10, C10
    text = SHOP.replace("confirm_from: HIGH", f"confirm_from: {threshold}")
    assert (decide(tool, arguments, text=text).code is Code.CONFIRM) is asks


def test_a_tool_without_risk_counts_as_high() -> None:  # B10
    text = SHOP.replace(
        "{name: order_beta, switch: beta, risk: READ_ONLY,", "{name: order_beta, switch: beta,"
    )
    assert decide("order_beta", text=text).code is Code.CONFIRM


def test_the_confirmation_says_what_the_call_would_do() -> None:
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: MEDIUM")
    message = decide("order_pay", {"amount": 7, "iban": "DE\u202e1\n2"}, text=text).message
    assert "Pay 7 to" in message
    assert "\u202e" not in message
    assert "\n" not in message


def test_read_only_when_lowers_the_enforced_risk_only_where_it_surely_holds() -> None:
    text = SHOP.replace(
        "{name: order_delete, group: orders, risk: IRREVERSIBLE,",
        "{name: order_delete, read_only_when: 'args.id == \"none\" && session.facts.limit > 0', group: orders, risk: IRREVERSIBLE,",
    )
    assert decide("order_delete", {"id": "none"}, text=text, facts={"limit": 1}).proceeds
    assert decide("order_delete", {"id": "7"}, text=text, facts={"limit": 1}).code is Code.CONFIRM
    assert decide("order_delete", {"id": "none"}, text=text, facts={}).code is Code.CONFIRM


def test_nobody_to_ask_is_a_refusal_that_says_so() -> None:  # C11
    decision = decide("order_delete", {"id": "7"}, can_ask=False)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.NOBODY_TO_ASK)
    assert "CONFIRM" in decision.detail
    assert "Nobody can be asked" in decision.message


def test_a_named_approver_is_an_obligation() -> None:
    text = with_rules(LARGE.replace("has(args.amount) && ", "").replace('["order_*"]', "[order_pay]"))
    call = {"tool": "order_pay", "arguments": {**PAY, "amount": 2000}}
    asked = gateway(text).before(call, session())
    assert asked.effect is Effect.ASK
    assert asked.approval is not None
    assert asked.approval["demands"] == [{"rule": "large", "by": ["finance"]}]
    from gateway.decision import Obligation

    assert Obligation.NAMED_APPROVER in asked.obligations
    unable = gateway(text, supports=[Obligation.FINAL_ARGUMENTS]).before(call, session())
    assert (unable.effect, unable.code) == (Effect.DENY, Code.OBLIGATION_UNSUPPORTED)


def test_context_goes_with_the_decision() -> None:  # C4
    rule = '{id: hint, tools: [search], when: args.query == "x", effect: allow, context: Prefer the manual.}'
    assert decide("search", {"query": "x"}, text=with_rules(rule)).context == ("Prefer the manual.",)
    assert decide("search", {"query": "y"}, text=with_rules(rule)).context == ()


def test_a_host_s_own_findings_only_tighten() -> None:  # C3
    own = Finding(Effect.ASK, Code.RULE, "the host wants it", "The host asks.", rule="host")
    decision = decide("search", {"query": "x"}, findings=[own])
    assert (decision.effect, decision.rule) == (Effect.ASK, "host")
    granting = Finding(Effect.ALLOW, Code.ALLOWED, "the host grants it")
    decision = decide("search", {"query": "x"}, findings=[granting])
    assert (decision.effect, decision.code) == (Effect.DENY, Code.POLICY_ERROR)
    posing = Finding(Effect.ASK, Code.RULE, "r", rule="look", kind=Class.OTHER)
    text = with_rules(
        '{id: look, tools: [search], when: args.query == "never", effect: ask}',
        "{id: grant, tools: [search], effect: allow, lifts: [look]}",
    )
    assert decide("search", {"query": "x"}, text=text, findings=[posing]).effect is Effect.ASK


def test_selectors_choose_the_session() -> None:
    text = with_rules(
        "{id: t, tools: [search], tenants: [beta], effect: deny}",
        "{id: a, tools: [search], agents: [reader], effect: deny}",
        "{id: c, tools: [search], channels: [external], effect: deny}",
    )
    call = {"query": "x"}
    assert decide("search", call, text=text).proceeds
    assert decide("search", call, text=text, tenant="beta", subject={"tenant": "beta"}).rule == "t"
    assert decide("search", call, text=text, agent="reader").rule == "a"
    assert decide("search", call, text=text, channel="external").rule == "c"


def test_a_risk_selector_chooses_tools() -> None:
    text = with_rules('{id: writes, tools: ["*"], risk: ">=MEDIUM", effect: deny}')
    assert decide("search", {"query": "x"}, text=text).proceeds
    assert decide("write_file", {"path": "a"}, text=text).proceeds
    assert decide("order_pay", PAY, text=text).rule == "writes"


def test_a_condition_on_the_turn_decides_and_lists_alike() -> None:  # E6
    text = with_rules(
        "{id: precise, tools: [search], unless: 'turn.ambiguous || turn.specificity == \"PRECISE\"', effect: deny}"
    )
    for turn, shown in [
        ({"ambiguous": True, "specificity": "BROAD"}, True),
        ({"ambiguous": False, "specificity": "PRECISE"}, True),
        ({"ambiguous": False, "specificity": "BROAD"}, False),
        ({}, False),
    ]:
        assert decide("search", {"query": "x"}, text=text, turn=turn).proceeds is shown
        listing = gateway(text).tools(session(turn=turn))
        assert ("search" in [tool.name for tool in listing.visible]) is shown


def test_let_names_a_part_of_a_condition() -> None:
    rule = "{id: big, tools: [order_pay], let: {big: args.amount > 1000, foreign: '!args.iban.startsWith(\"DE\")'}, when: big && foreign, effect: deny}"
    text = with_rules(rule)
    assert decide("order_pay", {"amount": 2000, "iban": "DE1"}, text=text).proceeds
    assert decide("order_pay", {"amount": 2000, "iban": "FR1"}, text=text).rule == "big"


def test_roles_are_always_lists() -> None:
    text = with_rules(
        "{id: known, tools: [order_pay], unless: 'roles.recipient.all(r, r.startsWith(\"DE\"))', effect: deny}"
    )
    assert decide("order_pay", PAY, text=text).proceeds
    assert decide("order_pay", {**PAY, "iban": "FR1"}, text=text).rule == "known"


def test_lists_are_named_constants() -> None:
    text = (
        with_rules("{id: only, tools: [order_pay], unless: args.iban in lists.known, effect: deny}")
        + "lists: {known: [DE1]}\n"
    )
    assert decide("order_pay", PAY, text=text).proceeds
    assert decide("order_pay", {**PAY, "iban": "DE2"}, text=text).rule == "only"


@pytest.mark.parametrize("price", [2, 2.0])
def test_a_whole_number_is_a_number(price: float) -> None:
    text = with_rules(
        '{id: half, tools: [order_read], when: "args.price / 4.0 == 0.5", effect: deny}'
    ).replace(
        "properties: {id: {type: string}}}}\n  - {name: order_pay",
        "properties: {id: {type: string}, price: {type: number, default: 1}}}}\n  - {name: order_pay",
    )
    assert decide("order_read", {"id": "1", "price": price}, text=text).rule == "half"
    assert decide("order_read", {"id": "1"}, text=text).proceeds


def test_every_reason_of_the_same_weight_is_said() -> None:
    text = with_rules(
        "{id: a, tools: [order_delete], effect: ask, message: First reason.}",
        "{id: b, tools: [order_delete], effect: ask, message: Second reason.}",
        "{id: c, tools: [order_pay], effect: deny, message: Never.}",
        "{id: d, tools: [order_pay], effect: ask, message: Perhaps.}",
    )
    asked = decide("order_delete", {"id": "7"}, text=text)
    assert asked.effect is Effect.ASK
    for reason in ("First reason.", "Second reason.", "A person must confirm"):
        assert reason in asked.message
    denied = decide("order_pay", PAY, text=text)
    assert "Never." in denied.message
    assert "Perhaps." not in denied.message


def test_conditions_see_the_whole_session_and_call() -> None:
    seen = {
        'has(session.cwd) && session.cwd == "/home/dev/shop"': True,
        'has(session.home) && session.home == "/home/dev"': True,
        'session.roots == ["/home/dev/shop"]': True,
        '"sandbox" in session.capabilities': True,
        'session.modes.web == "auto"': True,
        'session.id == "s-1" && session.tenant == "acme" && session.agent == "clerk"': True,
        'session.channel == "internal" && session.can_ask && !session.dry_run': True,
        'subject.id == "u-1" && subject.tenant == "acme" && subject.kind == "user"': True,
        'subject.authenticated && "sales" in subject.roles && "order:read" in subject.permissions': True,
        'subject.attributes.team == "red"': True,
        'call.id == "c-1" && call.tool == "search"': True,
        'has(call.iteration) && call.iteration == 2': True,
        'has(call.server)': False,
        'agent.name == "clerk" && "search" in agent.tools': True,
        'now == timestamp("2026-12-01T12:00:00Z")': True,
        'tool.name == "search" && subject.id == "u-1"': True,
    }  # fmt: skip
    who = session(capabilities=["sandbox"], modes={"web": "auto"}, subject={"attributes": {"team": "red"}})
    call = {"id": "c-1", "tool": "search", "arguments": {"query": "x"}, "iteration": 2}
    for condition, holds in seen.items():
        text = with_rules(f"{{id: r, tools: [search], when: '{condition}', effect: deny}}")
        decision = gateway(text).before(call, who)
        assert decision.errors == (), condition
        assert (decision.rule == "r") is holds, condition


@pytest.mark.parametrize("key", ["cwd", "home"])
def test_what_the_session_lacks_is_absent_to_conditions(key: str) -> None:
    text = with_rules(f"{{id: r, tools: [search], when: has(session.{key}), effect: deny}}")
    assert decide("search", {"query": "x"}, text=text).rule == "r"
    lacking: dict[str, Any] = {key: None}
    assert decide("search", {"query": "x"}, text=text, **lacking).proceeds
    text = with_rules("{id: r, tools: [search], when: has(call.iteration), effect: deny}")
    assert decide("search", {"query": "x"}, text=text).proceeds


def test_a_condition_that_is_no_truth_value_counts_against_the_call() -> None:
    text = with_rules("{id: r, tools: [search], when: session.facts.limit, effect: deny}").replace(
        "limit: int", "limit: dyn"
    )
    assert decide("search", {"query": "x"}, text=text, facts={"limit": False}).proceeds
    assert decide("search", {"query": "x"}, text=text, facts={"limit": True}).errors == ()
    odd: Any
    for odd in (1, "true", None, []):
        decision = decide("search", {"query": "x"}, text=text, facts={"limit": odd})
        assert decision.rule == "r", odd
        assert decision.errors, odd


@pytest.mark.parametrize(
    ("when", "unless", "matched", "failed"),
    [
        ("true", "false", True, False),
        ("true", "true", False, False),
        ("false", "error", False, False),
        ("error", "true", False, False),
        ("error", "false", True, True),
        ("true", "error", True, True),
        ("error", "error", True, True),
        ("false", "false", False, False),
    ],
)
def test_when_and_unless_absorb_errors_as_and_does(
    when: str, unless: str, matched: bool, failed: bool
) -> None:
    facts = {
        "true": "turn.ambiguous",
        "false": "!turn.ambiguous",
        "error": "session.facts.limit / (1 - 1) > 1",
    }
    rule = f"{{id: r, tools: [search], when: '{facts[when]}', unless: '{facts[unless]}', effect: deny}}"
    text = with_rules(rule)
    decision = decide("search", {"query": "x"}, text=text, turn={"ambiguous": True}, facts={"limit": 1})
    assert (decision.rule == "r") is matched
    assert bool(decision.errors) is failed
    assert all("divide by zero" in error for error in decision.errors)
    hidden = gateway(text).tools(session(turn={"ambiguous": True}, facts={"limit": 1})).hidden
    assert ("search" in [tool.name for tool in hidden]) is matched


def test_an_allow_lifts_only_from_asks_of_rules_and_patterns() -> None:  # C3
    text = with_rules(
        "{id: look, tools: [order_delete], effect: ask}",
        "{id: grant, tools: [order_delete], effect: allow, lifts: [look]}",
    )
    own = Finding(Effect.ASK, Code.CONFIRM, "the host wants it", "The host asks.")
    assert decide("order_delete", {"id": "7"}, text=text).proceeds
    asked = decide("order_delete", {"id": "7"}, text=text, findings=[own])
    assert [finding.reason for finding in asked.findings] == ["the host wants it"]
    denied = Finding(Effect.DENY, Code.RULE, "the host refuses", "No.", rule="look", kind=Class.RULE)
    assert decide("order_delete", {"id": "7"}, text=text, findings=[denied]).effect is Effect.DENY


def test_context_goes_with_any_effect_that_is_enforced() -> None:  # C4
    for effect in ("deny", "ask", "allow", "respond, response: 1"):
        rule = f"{{id: r, tools: [search], effect: {effect}, context: Look it up.}}"
        assert decide("search", {"query": "x"}, text=with_rules(rule)).context == ("Look it up.",), effect
        watched = rule.replace("context:", "monitor: true, context:")
        assert decide("search", {"query": "x"}, text=with_rules(watched)).context == (), effect
    two = with_rules(
        "{id: b, tools: [search], effect: allow, context: Second.}",
        "{id: a, tools: [search], effect: ask, context: First.}",
        "{id: c, tools: [search], effect: ask, context: First.}",
    )
    assert decide("search", {"query": "x"}, text=two).context == ("First.", "Second.")


def test_the_strictest_wins_and_then_the_step_the_class_and_the_id() -> None:
    text = with_rules(
        "{id: b, tools: [order_delete], effect: ask}",
        "{id: a, tools: [order_delete], effect: ask}",
    )
    decision = decide("order_delete", {"id": "7"}, text=text)
    assert [f.rule for f in decision.findings] == ["a", "b", None]
    assert [f.step.value for f in decision.findings] == [7, 7, 8]
    own = Finding(Effect.ASK, Code.RULE, "r", "m", rule="0")
    assert [f.rule for f in decide("order_delete", {"id": "7"}, text=text, findings=[own]).findings] == [
        "a",
        "b",
        "0",
        None,
    ]
    stopped = with_rules("{id: a, tools: [run], effect: deny}", "{id: b, tools: [run], effect: ask}")
    found = decide("run", {"command": "rm -rf /"}, text=stopped)
    assert [f.kind for f in found.findings] == [Class.INSPECTION, Class.RULE, Class.RULE]
    assert [f.effect for f in found.findings] == [Effect.DENY, Effect.DENY, Effect.ASK]


def test_an_approval_s_reasons_are_asks_only() -> None:
    text = with_rules("{id: a, tools: [order_delete], effect: ask}")
    decision = decide("order_delete", {"id": "7"}, text=text)
    assert decision.approval is not None
    assert decision.approval["reasons"] == ["a", "CONFIRM"]
    assert decision.approval["demands"] == []


def test_a_grant_that_does_not_decide_is_no_basis() -> None:
    text = with_rules(
        "{id: grant, tools: [search], effect: allow}", "{id: look, tools: [search], effect: ask}"
    )
    assert decide("search", {"query": "x"}, text=text).basis is Basis.DEFAULT


def test_what_is_refused_for_want_of_somebody_to_ask_keeps_rule_and_errors() -> None:  # C11
    text = with_rules("{id: look, tools: [search], when: session.facts.limit / (1 - 1) == 1, effect: ask}")
    decision = decide("search", {"query": "x"}, text=text, facts={"limit": 1}, can_ask=False)
    assert (decision.code, decision.rule) == (Code.NOBODY_TO_ASK, "look")
    assert decision.errors == ("look: divide by zero",)
    assert decision.detail.startswith("would have been asked: RULE: ")
    assert decision.arguments == {"query": "x", "limit": 10}
    assert decision.obligations == ()


def test_all_reasons_are_said_up_to_five() -> None:
    rules = [f"{{id: r{n}, tools: [search], effect: deny, message: Reason {n}.}}" for n in range(7)]
    message = decide("search", {"query": "x"}, text=with_rules(*rules)).message
    assert [f"Reason {n}." in message for n in range(7)] == [True] * 5 + [False] * 2


@pytest.mark.parametrize("limit", ["5", b"5", True, 2**70, float("nan"), None, [5]])
def test_a_fact_of_another_type_is_an_error_and_not_a_miss(limit: Any) -> None:
    text = with_rules("{id: r, tools: [search], when: session.facts.limit == 7, effect: deny}")
    assert decide("search", {"query": "x"}, text=text, facts={"limit": 5}).proceeds
    decision = decide("search", {"query": "x"}, text=text, facts={"limit": limit})
    assert (decision.effect, decision.rule) == (Effect.DENY, "r")
    assert decision.errors


@pytest.mark.parametrize(
    "rule",
    [
        "{id: r, tools: [search], risk: '>=HIGH', effect: deny}",
        "{id: r, tools: ['sea*', '!search'], effect: deny}",
    ],
)
def test_a_rule_whose_selectors_leave_no_tool_is_not_ready(rule: str) -> None:
    gate = gateway(with_rules(rule))
    assert [d.code for d in gate.manifest.unready] == ["never-matches"]


def test_a_condition_is_checked_even_where_no_tool_is_there_yet() -> None:
    with pytest.raises(PolicyError):
        compiled(with_rules("{id: r, tools: ['later_*'], when: nonsense.foo(), effect: deny}"))
    fine = gateway(with_rules("{id: r, tools: ['later_*'], when: args.anything > 1, effect: deny}"))
    assert fine.manifest.ready


LOGIN = """
version: 1
settings: {confirm_from: LOW, types: {session.facts: {token: string}}}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: login, risk: LOW, permissions: [], parameters: {type: object, required: [user, password, token], properties: {user: {type: string}, password: {type: string, x-sensitive: true}, keys: {type: array, items: {type: string, x-sensitive: true}}, token: {type: string}}}}
arguments:
  - {id: own, tools: [login], set: {token: session.facts.token}}
rules:
  - {id: look, tools: [login], when: 'args.password.size() > 3 && args.password != "x"', effect: ask}
"""


@pytest.mark.parametrize("changes", [{}, {"can_ask": False}, {"dry_run": True}])
def test_neither_secrets_nor_forced_values_are_repeated(changes: dict[str, Any]) -> None:
    call = {"tool": "login", "arguments": {"user": "ann", "password": "hunter2", "keys": ["k-4711"]}}
    who = session(facts={"token": "t0ken-of-the-host"}, **changes)
    explained = gateway(LOGIN).explain(call, who).decision
    for decision in (gateway(LOGIN).before(call, who), explained):
        said = f"{decision.message} {decision.detail} {decision.response} {decision.trace}"
        for secret in ("hunter2", "k-4711", "t0ken-of-the-host"):
            assert secret not in said, secret


def test_whole_numbers_become_doubles_only_where_the_schema_says_number() -> None:
    tools = (
        "  - {name: order_any, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [price], properties: {price: {}}}}\n"
        "  - {name: order_number, risk: READ_ONLY, permissions: [], parameters: {type: object, required: [price], properties: {price: {type: number}}}}\n"
    )
    rule = "{id: half, tools: [order_any, order_number], when: args.price / 4.0 == 0.5, effect: deny}"
    text = with_rules(rule, text=SHOP + tools)
    for price in (2, 2.0):
        decision = decide("order_number", {"price": price}, text=text)
        assert (decision.rule, decision.errors) == ("half", ())
    assert decide("order_number", {"price": 3}, text=text).proceeds
    assert decide("order_any", {"price": 2.5}, text=text).proceeds


def test_a_server_s_tool_is_the_pair_of_names() -> None:
    tool = "  - {name: order_x, risk: READ_ONLY, permissions: []}\n  - {name: github/search, risk: READ_ONLY, permissions: []}\n"
    shop = SHOP.replace('tools: ["order_*",', 'tools: ["github/*", "order_*",')
    rule = '{id: r, tools: ["*"], when: \'has(call.server) && call.server == "github" && call.tool == "search"\', effect: deny}'
    text = with_rules(rule, text=shop + tool)
    call = {"tool": "search", "server": "github", "arguments": {}}
    assert gateway(text).before(call, session()).rule == "r"
    assert decide("order_x", text=text).proceeds


def test_the_same_reason_is_said_once_and_an_empty_one_never() -> None:
    text = with_rules(
        "{id: a, tools: [search], effect: deny, message: Same.}",
        "{id: b, tools: [search], effect: deny, message: Same.}",
    )
    own = Finding(Effect.DENY, Code.RULE, "the host refuses", rule="own")
    message = decide("search", {"query": "x"}, text=text, findings=[own]).message
    assert message.count("Same.") == 1
    assert "Also" not in message


def test_an_answer_needs_no_obligation() -> None:
    text = with_rules("{id: answer, tools: [search], effect: respond, response: 1}")
    call = {"tool": "search", "arguments": {"query": "x"}}
    assert gateway(text, supports=()).before(call, session()).effect is Effect.RESPOND
    refused = with_rules("{id: no, tools: [search], effect: deny}")
    assert gateway(refused, supports=()).before(call, session()).code is Code.RULE


def test_a_lone_star_means_every_tenant() -> None:
    text = with_rules("{id: all, tools: [search], tenants: ['*'], agents: ['*'], effect: deny}").replace(
        "tenants: [acme, beta]", "tenants: [acme, beta, 'a/b']"
    )
    for tenant in ("acme", "a/b"):
        decision = decide("search", {"query": "x"}, text=text, tenant=tenant, subject={"tenant": tenant})
        assert decision.rule == "all"


@pytest.mark.parametrize(
    ("let", "code"),
    [
        ("{subject: '1 == 1'}", "taken-name"),
        ("{args: args.amount > 1}", "taken-name"),
        ("{unused: args.nope > 5}", "cel-name"),
    ],
)
def test_a_let_neither_shadows_nor_hides_a_mistake(let: str, code: str) -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(
            with_rules(f"{{id: r, tools: [order_pay], let: {let}, when: args.amount > 1, effect: deny}}")
        )
    assert code in [d.code for d in caught.value.diagnostics]


def test_a_condition_that_fails_is_evaluated_once() -> None:
    class Counting(dict[str, Any]):
        reads = 0

        def __getitem__(self, key: str) -> Any:
            Counting.reads += 1
            return super().__getitem__(key)

        def get(self, key: str, default: Any = None) -> Any:
            Counting.reads += 1
            return super().get(key, default)

    text = with_rules("{id: r, tools: [search], when: session.facts.limit > 5, effect: deny}")
    text = text.replace(
        "types: {session.facts: {bases: list(string), limit: int},", "types: {session.facts: {limit: dyn},"
    )
    who = session(facts=Counting({"limit": "x"}))
    once = Gateway.before(gateway(text), {"tool": "search", "arguments": {"query": "x"}}, who)
    assert once.rule == "r"
    assert Counting.reads <= 2


@pytest.mark.parametrize(
    ("condition", "wrong"),
    [
        ('session.channel == "Internal"', '"Internal"'),
        ('subject.kind != "admin"', '"admin"'),
        ('tool.risk in ["HIGH", "HIHG"]', '"HIHG"'),
        ('args.speed == "fats"', '"fats"'),
    ],
)
def test_a_text_that_a_field_never_is_does_not_load(condition: str, wrong: str) -> None:
    text = with_rules(f"{{id: r, tools: [order_read], when: '{condition}', effect: deny}}").replace(
        "properties: {id: {type: string}}}}\n  - {name: order_pay",
        "properties: {id: {type: string}, speed: {enum: [fast, slow], default: slow}}}}\n  - {name: order_pay",
    )
    with pytest.raises(PolicyError) as caught:
        compiled(text)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "cel-type"
    assert diagnostic.span is not None
    assert diagnostic.span.text == wrong


def test_an_attribute_of_another_type_than_declared_is_an_error_and_no_miss() -> None:
    text = with_rules(
        "{id: r, tools: [search], when: subject.attributes.level == 4, effect: deny}",
        "{id: s, tools: [search], when: 'subject.attributes.team == \"x\"', effect: deny}",
    ).replace("turn: {", "subject.attributes: {level: int, team: string}, turn: {")

    def found(**attributes: Any) -> tuple[str | None, bool]:
        decision = decide("search", {"query": "x"}, text=text, subject={"attributes": attributes})
        return decision.rule, bool(decision.errors)

    assert found(level=3, team="y") == (None, False)
    assert found(level=4, team="y") == ("r", False)
    assert found(level="4", team="y") == ("r", True)
    assert found(level=3, team="x") == ("s", False)


def test_an_ask_without_demands_demands_nothing() -> None:
    decision = decide("order_pay", PAY, text=with_rules("{id: r, tools: [order_pay], effect: ask}"))
    assert [finding.approval for finding in decision.findings] == [{}]
    assert decision.approval is not None
    assert decision.approval["demands"] == []


@pytest.mark.parametrize(
    ("limits", "rule", "failed"),
    [
        ({"a": 5}, "r", False),
        ({"a": 4}, None, False),
        ({"a": "5"}, "r", True),
        ({"a": 4, "b": "5"}, "r", True),
        ([5], "r", True),
    ],
)
def test_a_fact_that_is_a_map_has_values_of_one_type(limits: Any, rule: str | None, failed: bool) -> None:
    text = with_rules("{id: r, tools: [search], when: session.facts.limits.a == 5, effect: deny}")
    text = text.replace("limit: int", "limits: 'map(string, int)'")
    decision = decide("search", {"query": "x"}, text=text, facts={"limits": limits})
    assert (decision.rule, bool(decision.errors)) == (rule, failed)


def test_a_rule_keeps_its_owner_for_whoever_is_told_of_it() -> None:
    text = with_rules(
        "{id: r, tools: [search], effect: ask, owner: Finance}", "{id: s, tools: [search], effect: ask}"
    )
    owners = {rule.id: rule.owner for rule in compiled(text).engine.tools["search"].rules}
    assert owners == {"r": "Finance", "s": ""}


@pytest.mark.parametrize(
    "part",
    ["tenants: ['*', '!acme']", "tenants: ['!acme']", "agents: ['*', '!clerk']"],
)
def test_an_exclusion_where_nothing_can_be_excluded_does_not_load(part: str) -> None:
    with pytest.raises(PolicyError) as caught:
        compiled(with_rules(f"{{id: r, tools: [search], {part}, effect: deny}}"))
    assert [d.code for d in caught.value.diagnostics] == ["no-exclusion"]
    with pytest.raises(PolicyError):
        compiled(SHOP.replace("tenants: [acme, beta]", "tenants: ['*', '!acme']"))


@pytest.mark.parametrize("limit", ["5", 2**70, float("nan"), [5]])
def test_asking_whether_a_fact_is_there_does_not_hide_that_it_is_wrong(limit: Any) -> None:
    condition = "has(session.facts.limit) && session.facts.limit < 9"
    text = with_rules(f"{{id: r, tools: [search], when: '{condition}', effect: deny}}")
    assert decide("search", {"query": "x"}, text=text, facts={"limit": limit}).rule == "r"
    assert decide("search", {"query": "x"}, text=text, facts={"limit": 10}).proceeds
    turned = with_rules("{id: r, tools: [search], when: has(turn.ambiguous) && turn.ambiguous, effect: deny}")
    assert decide("search", {"query": "x"}, text=turned, turn={"ambiguous": "yes"}).rule == "r"
    assert decide("search", {"query": "x"}, text=turned, turn={"ambiguous": False}).proceeds


def test_a_wrapped_call_s_secrets_are_not_repeated_by_the_outer_one() -> None:
    text = (
        LOGIN.replace(
            "risk: LOW, permissions: [], parameters: {type: object, required: [user",
            "risk: READ_ONLY, permissions: [], parameters: {type: object, required: [user",
        )
        .replace(
            "arguments:\n",
            "  - {name: later, risk: LOW, permissions: [], wraps: {tool: args.tool, arguments: args.input}, "
            "parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, "
            "input: {type: object, additionalProperties: true}}}}\narguments:\n",
        )
        .replace("effect: ask}", "effect: ask, monitor: true}")
    )
    inner = {"user": "ann", "password": "hunter2"}
    call = {"tool": "later", "arguments": {"tool": "login", "input": inner}}
    for changes in ({}, {"can_ask": False}, {"dry_run": True}):
        who = session(facts={"token": "t0ken-of-the-host"}, **changes)
        decision = gateway(text).before(call, who)
        assert "ann" in decision.message
        for secret in ("hunter2", "t0ken-of-the-host"):
            assert secret not in f"{decision.message} {decision.response}"


def test_a_resource_permission_does_not_tell_what_the_policy_set() -> None:
    text = LOGIN.replace(
        "{name: login, risk: LOW, permissions: [],",
        '{name: login, risk: LOW, permissions: [], resource_permissions: ["use:{args.token}"],',
    )
    call = {"tool": "login", "arguments": {"user": "ann", "password": "hunter2"}}
    for token in ("t0ken", "t0ken with spaces"):
        decision = gateway(text).before(call, session(facts={"token": token}))
        assert decision.code is Code.RESOURCE_PERMISSION_DENIED
        assert "t0ken" not in decision.message
        assert "token" not in decision.message


def test_what_is_wrong_in_one_part_of_the_session_fails_no_condition_on_another() -> None:
    rule = (
        '{id: r, tools: [search], when: \'session.channel == "external" || args.query == "y"\', effect: deny}'
    )
    wrong: dict[str, Any] = {
        "facts": {"limit": "5"},
        "turn": {"ambiguous": "yes"},
        "subject": {"attributes": {}},
    }
    decision = decide("search", {"query": "x"}, text=with_rules(rule), **wrong)
    assert (decision.code, decision.errors) == (Code.ALLOWED, ())


def test_a_turn_of_another_type_than_declared_is_no_miss() -> None:  # E6
    rule = (
        "{id: r, tools: [search], when: has(turn.specificity) && turn.specificity == 'PRECISE', effect: deny}"
    )
    text = with_rules(rule)
    decision = decide("search", {"query": "x"}, text=text, turn={"specificity": 5})
    assert (decision.rule, bool(decision.errors)) == ("r", True)
    assert decide("search", {"query": "x"}, text=text, turn={"specificity": "VAGUE"}).proceeds


def test_the_detail_names_the_rules_that_lifted_something_and_no_others() -> None:
    lifts = "{id: b-lifts, tools: [order_pay], effect: allow, lifts: [large]}"
    other = "{id: a-other, tools: [order_pay], effect: allow}"
    text = with_rules(LARGE_PAY, lifts, other)
    large = decide("order_pay", {**PAY, "amount": 2000}, text=text)
    assert (large.effect, large.message) == (Effect.ALLOW, "")
    assert large.detail.startswith("the rule `b-lifts` (test.yaml:")
    assert large.detail.endswith(") lets it run")
    assert decide("order_pay", PAY, text=text).detail == "nothing was held against the call"


def test_the_detail_names_every_rule_that_lifted_the_confirmation() -> None:
    grants = [f"{{id: {name}, tools: [order_delete], effect: allow}}" for name in ("two", "one")]
    detail = decide("order_delete", {"id": "x"}, text=with_rules(*grants)).detail
    assert re.fullmatch(r"the rules `one` \(test\.yaml:\S+\) and `two` \(test\.yaml:\S+\) let it run", detail)
