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
        ("order_pay", {**PAY, "amount": 1500}, {}, "`amount` at most 1000", Effect.ALLOW),
        ("order_pay", {**PAY, "amount": 1500}, {}, "a subject with the role `finance`", Effect.ALLOW),
        ("order_pay", {**PAY, "amount": 9}, {}, "`amount` at least 10", Effect.ALLOW),
        ("order_pay", {**PAY, "iban": "FR1"}, {}, '`iban` equal to `"DE1"`', Effect.ALLOW),
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
    assert {a.change: a.effect for a in explained.accepted} == {"`id` below 20": Effect.ALLOW}
