"""What would have been accepted: each proposal is verified by deciding again."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Effect
from tests.engine.build import PAY, gateway, session, with_rules

RULES = with_rules(
    "{id: large, tools: [order_pay], when: 'args.amount > 1000 && !(\"finance\" in subject.roles)', effect: deny}",
    "{id: small, tools: [order_pay], when: args.amount < 10, effect: deny}",
    "{id: only-de, tools: [order_pay], when: 'args.iban != \"DE1\"', effect: deny}",
)


def accepted(tool: str, arguments: dict[str, Any], **changes: Any) -> dict[str, Effect]:
    explained = gateway(RULES).explain({"tool": tool, "arguments": arguments}, session(**changes))
    return {a.change: a.effect for a in explained.accepted}


@pytest.mark.parametrize(
    ("tool", "arguments", "changes", "change", "effect"),
    [
        ("order_pay", {**PAY, "amount": 1500}, {}, "`amount` = 1000", Effect.ALLOW),
        ("order_pay", {**PAY, "amount": 1500}, {}, "a subject with the role `finance`", Effect.ALLOW),
        ("order_pay", {**PAY, "amount": 9}, {}, "`amount` = 10", Effect.ALLOW),
        ("order_pay", {**PAY, "iban": "FR1"}, {}, '`iban` = "DE1"', Effect.ALLOW),
        ("order_pay", PAY, {"subject": {"permissions": ["order:read"]}}, "the permissions `order:pay` and `bank:use`", Effect.ALLOW),
        ("order_row", {"table": "t"}, {}, "the permission `row:t:edit`", Effect.ALLOW),
        ("order_delete", {"id": "1"}, {"can_ask": False}, "a conversation in which a person can be asked", Effect.ASK),
        ("web", {"query": "x"}, {}, "the mode `web_search` set to `auto`", Effect.ALLOW),
        ("order_pay", PAY, {"dry_run": True}, "a session that is no dry run", Effect.ALLOW),
    ],
)  # fmt: skip
def test_the_smallest_change_is_named(
    tool: str, arguments: dict[str, Any], changes: dict[str, Any], change: str, effect: Effect
) -> None:
    assert accepted(tool, arguments, **changes).get(change) is effect


def test_what_does_not_help_is_not_proposed() -> None:
    both_wrong = accepted("order_pay", {"amount": 1500, "iban": "FR1"})
    assert both_wrong == {}


def test_nothing_is_proposed_for_what_is_allowed() -> None:
    assert accepted("order_pay", PAY) == {}


def test_an_allow_rule_s_bound_is_proposed_too() -> None:
    text = with_rules("{id: small-ones, tools: [order_delete], when: args.id < 'm', effect: allow}").replace(
        "id: {type: string}}}}\n  - {name: order_purge", "id: {type: integer}}}}\n  - {name: order_purge"
    )
    text = text.replace("args.id < 'm'", "args.id < 20")
    explained = gateway(text).explain({"tool": "order_delete", "arguments": {"id": 20}}, session())
    assert {a.change: a.effect for a in explained.accepted} == {"`id` = 19": Effect.ALLOW}


ODD = """
version: 1
settings: {confirm_from: HIGH, types: {session.facts: {limit: int}}}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - {name: t, requires: [net, files], risk: READ_ONLY, permissions: [], parameters: {type: object, required: [n, r, on, o], properties: {n: {type: integer}, r: {type: number}, on: {type: boolean}, o: {type: object, properties: {m: {type: integer}}, required: [m]}, s: {type: string}}}}
rules:
  - {id: at-least, tools: [t], when: args.n >= 10, effect: deny}
  - {id: at-most, tools: [t], when: args.n <= -10, effect: deny}
  - {id: real, tools: [t], when: args.r > 1.5, effect: deny}
  - {id: switch, tools: [t], when: args.on == true, effect: deny}
  - {id: deep, tools: [t], let: {deep: args.o.m > 3}, when: deep, effect: ask}
  - {id: granted, tools: [t], when: args.n == 5, unless: '"go" in subject.permissions', effect: deny}
  - {id: fact, tools: [t], when: session.facts.limit > 3, effect: deny}
"""
FINE: dict[str, Any] = {"n": 1, "r": 1, "on": False, "o": {"m": 1}}


@pytest.mark.parametrize(
    ("arguments", "change", "effect"),
    [
        ({"n": 10}, "`n` = 9", Effect.ALLOW),
        ({"n": -10}, "`n` = -9", Effect.ALLOW),
        ({"r": 2.5}, "`r` = 1.5", Effect.ALLOW),
        ({"on": True}, "`on` = false", Effect.ALLOW),
        ({"o": {"m": 4}}, "`o.m` = 3", Effect.ALLOW),
        ({"n": 5}, "the permission `go`", Effect.ALLOW),
    ],
)
def test_each_kind_of_comparison_has_another_side(
    arguments: dict[str, Any], change: str, effect: Effect
) -> None:
    who = session(capabilities=["net", "files"], facts={"limit": 1})
    explained = gateway(ODD).explain({"tool": "t", "arguments": {**FINE, **arguments}}, who)
    assert [(a.change, a.effect) for a in explained.accepted] == [(change, effect)]


def test_what_a_session_would_have_to_supply_is_named() -> None:
    call = {"tool": "t", "arguments": FINE}
    explained = gateway(ODD).explain(call, session(capabilities=["files"], facts={"limit": 1}))
    assert [(a.change, a.effect) for a in explained.accepted] == [
        ("a session that supplies `net`", Effect.ALLOW)
    ]
    both = gateway(ODD).explain(call, session(facts={"limit": 1}))
    assert [a.change for a in both.accepted] == ["a session that supplies `net` and `files`"]


def test_what_no_argument_changes_has_no_proposal() -> None:
    who = session(capabilities=["net", "files"], facts={"limit": 9})
    assert gateway(ODD).explain({"tool": "t", "arguments": FINE}, who).accepted == ()
    assert gateway(ODD).explain({"tool": "none"}, who).accepted == ()
    assert gateway(ODD).explain({"tool": "t", "arguments": FINE}, {"tennant": "x"}).accepted == ()
    assert gateway(ODD).explain({"arguments": FINE}, who).accepted == ()


def test_a_constant_on_the_left_or_another_value_proposes_nothing_wrong() -> None:
    rules = with_rules(
        '{id: swapped, tools: [order_pay], when: 1000 < args.amount, effect: deny}',
        '{id: named, tools: [order_pay], when: args.iban == "FR1", effect: deny}',
        '{id: listed, tools: [order_pay], when: \'args.iban in ["XX"] || "x" in session.modes\', effect: deny}',
        '{id: sized, tools: [order_pay], when: args.iban.size() > 20, effect: deny}',
    )  # fmt: skip
    for arguments in ({"amount": 2000}, {"iban": "FR1"}, {"iban": "XX"}, {"iban": "D" * 30}):
        explained = gateway(rules).explain(
            {"tool": "order_pay", "arguments": {**PAY, **arguments}}, session()
        )
        assert explained.decision.effect is Effect.DENY
        assert explained.accepted == ()


def test_at_most_five_changes_are_named() -> None:
    alternatives = " && ".join(f'!("r{n}" in subject.roles)' for n in range(8))
    text = with_rules(f"{{id: many, tools: [search], when: '{alternatives}', effect: deny}}")
    explained = gateway(text).explain({"tool": "search", "arguments": {"query": "x"}}, session())
    assert len(explained.accepted) == 5
