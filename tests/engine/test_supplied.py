"""What the host supplies and gets wrong: no error of a condition is lost, and each names what it comes of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from gateway.decision import Code, Effect, Step
from gateway.session import Session
from tests.engine.build import SHOP, decide, gateway, session, with_rules

OPEN = '{id: open, tools: [order_delete], when: "args.id in session.facts.bases", effect: allow}'
TYPED = SHOP.replace("limit: int", "limit: int, weights: 'map(string, list(double))', at: timestamp")


@pytest.mark.parametrize("facts", [{}, {"bases": "7"}])
def test_an_allow_rule_that_cannot_be_evaluated_is_told_and_holds_nothing_against_the_call(
    facts: dict[str, Any],
) -> None:
    decision = decide("order_delete", {"id": "7"}, text=with_rules(OPEN), facts=facts)
    assert (decision.effect, decision.code) == (Effect.ASK, Code.CONFIRM)
    assert [error.partition(":")[0] for error in decision.errors] == ["open"]
    assert [finding.code for finding in decision.findings] == [Code.CONFIRM]
    fine = decide("order_delete", {"id": "7"}, text=with_rules(OPEN), facts={"bases": ["7"]})
    assert (fine.effect, fine.errors) == (Effect.ALLOW, ())


def test_the_row_of_an_allow_rule_that_cannot_be_evaluated_is_not_passed() -> None:
    explained = gateway(with_rules(OPEN)).explain(
        {"tool": "order_delete", "arguments": {"id": "7"}}, session()
    )
    (row,) = [entry for entry in explained.decision.trace if entry.rule == "open"]
    assert (row.step, row.state) == (Step.EVALUATION, "error")
    assert row.text.startswith(
        "allow rule can't be evaluated: `session.facts.bases` is missing, declared `list(string)` (test.yaml:"
    )
    assert explained.decision.errors == ("open: `session.facts.bases` is missing, declared `list(string)`",)


def test_errors_of_allow_rules_come_in_one_order_and_after_those_held_against_the_call() -> None:
    rules = [
        '{id: b, tools: [search], when: "session.facts.limit > 1", effect: allow}',
        '{id: a, tools: [search], when: "session.facts.limit > 2", effect: allow, monitor: true}',
        '{id: c, tools: [search], when: "session.facts.limit > 3", effect: deny}',
    ]
    for some in (rules, rules[::-1]):
        decision = decide("search", {"query": "x"}, text=with_rules(*some))
        assert [error[0] for error in decision.errors] == ["c", "a", "b"]


def test_the_fast_path_leaves_an_allow_rule_that_may_fail_to_the_steps() -> None:
    rules = [
        "{id: far, tools: [search], when: \"args.query == 'x' && 1 / size(subject.roles) > 0\", effect: allow}",
        "{id: near, tools: [search], when: \"1 / size(subject.roles) > 0 && args.query == 'x'\", effect: allow}",
    ]
    failing = ("divide by zero",) * 2
    for query, errors in (("x", failing), ("y", ())):
        for some in (rules, rules[:1], rules[1:]):
            gate, who = gateway(with_rules(*some)), Session.of(session(subject={"roles": []}))
            for _ in range(4):
                decision = gate.before({"tool": "search", "arguments": {"query": query}, "id": "c"}, who)
                assert decision.effect is Effect.ALLOW
                assert [error.partition(": ")[2] for error in decision.errors] == [*errors[: len(some)]]


def test_an_allow_rule_of_a_wrapped_call_that_cannot_be_evaluated_is_told() -> None:
    text = SHOP.replace("tools: [", "tools: [call, ", 1).replace(
        "tools:\n",
        "tools:\n  - {name: call, risk: LOW, permissions: [], wraps: {tool: args.name, arguments: args.given}, parameters: {type: object, required: [name, given], properties: {name: {type: string}, given: {type: object, additionalProperties: true}}}}\n",
        1,
    )
    decision = decide(
        "call", {"name": "order_delete", "given": {"id": "7"}}, text=with_rules(OPEN, text=text)
    )
    assert decision.errors == ("open: `session.facts.bases` is missing, declared `list(string)`",)


@pytest.mark.parametrize(
    ("condition", "supplied", "said"),
    [
        ("session.facts.bases == []", {"facts": {"bases": "O-1"}}, "`session.facts.bases` is a string, declared `list(string)`"),
        ("session.facts.bases == []", {"facts": {"bases": ["a", 1]}}, "`session.facts.bases` is a list that holds a whole number, declared `list(string)`"),
        ("session.facts.limit > 1", {"facts": {"limit": 1.5}}, "`session.facts.limit` is a number with a fraction, declared `int`"),
        ("session.facts.limit > 1", {"facts": {"limit": 2**63}}, "`session.facts.limit` is a number of more than 64 bits, declared `int`"),
        ("session.facts.limit > 1", {"facts": {"limit": None, "bases": {}}}, "`session.facts.bases` is an object, declared `list(string)`; `session.facts.limit` is null, declared `int`"),
        ("session.facts.at < now", {"facts": {"at": datetime(2026, 1, 1)}}, "`session.facts.at` is a value of the class `datetime`, declared `timestamp`"),
        ("session.facts.weights.size() > 1", {"facts": {"weights": {"a": [float("nan")]}}}, "`session.facts.weights` is an object that holds a list that holds no finite number, declared `map(string, list(double))`"),
        ("session.facts.weights.size() > 1", {"facts": {"weights": {1: []}}}, "`session.facts.weights` is an object with keys that are no strings, declared `map(string, list(double))`"),
        ("session.facts.limit > 1", {}, "`session.facts.limit` is missing, declared `int`"),
        ("turn.ambiguous", {"turn": {"ambiguous": "yes"}}, "`turn.ambiguous` is a string, declared `bool`"),
        ("turn.ambiguous", {}, "`turn.ambiguous` is missing, declared `bool`"),
        ("subject.attributes.level == 1", {}, "`subject.attributes.level` is missing"),
        ("session.facts.limit == 1 || 1 / size(turn) == 1", {"facts": {"limit": 2}}, "divide by zero"),
        ("subject.attributes.a.b == 1", {"subject": {"attributes": {"a": {}}}}, "no field `b`"),
    ],
)  # fmt: skip
def test_an_error_about_what_the_host_supplies_names_it(
    condition: str, supplied: dict[str, Any], said: str
) -> None:
    text = with_rules(f'{{id: r, tools: [search], when: "{condition}", effect: deny}}', text=TYPED)
    decision = decide("search", {"query": "x"}, text=text, **supplied)
    assert (decision.effect, decision.errors) == (Effect.DENY, (f"r: {said}",))


def test_an_error_of_an_allow_rule_repeats_no_sensitive_argument() -> None:
    text = SHOP.replace("id: {type: string}", "id: {type: string, x-sensitive: true}")
    rule = '{id: r, tools: [order_delete], when: "int(args.id) > 5", effect: allow}'
    decision = decide("order_delete", {"id": "Topsecret#1"}, text=with_rules(rule, text=text))
    assert decision.errors == ("r: its error may repeat a sensitive argument, so it is not told",)


@pytest.mark.parametrize("effect", ["allow", "deny"])
def test_an_error_of_a_wrapped_call_repeats_nothing_that_is_sensitive_around_it(effect: str) -> None:
    text = SHOP.replace("tools: [", "tools: [call, ", 1).replace(
        "tools:\n",
        "tools:\n  - {name: call, risk: LOW, permissions: [], wraps: {tool: args.name, arguments: args.given}, parameters: {type: object, required: [name, given], properties: {name: {type: string}, given: {type: object, x-sensitive: true, additionalProperties: true}}}}\n",
        1,
    )
    rule = f'{{id: r, tools: [order_delete], when: "int(args.id) > 5", effect: {effect}}}'
    call = {"name": "order_delete", "given": {"id": "Topsecret#1"}}
    decision = decide("call", call, text=with_rules(rule, text=text))
    assert decision.errors == ("r: its error may repeat a sensitive argument, so it is not told",)
    assert "opsecret" not in decision.message + decision.detail + repr(decision.findings)
