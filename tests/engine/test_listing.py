"""The list and the call give the same answer: hidden tools are refused, whatever the arguments. Row A2, E3."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.decision import Code, Effect
from tests.engine.build import PERMISSIONS, SHOP, gateway, session, with_rules

RULES = with_rules(
    '{id: not-now, tools: [search], when: turn.ambiguous, effect: deny}',
    '{id: big, tools: [order_pay], when: args.amount > 1000, effect: deny}',
    '{id: always, tools: [run], effect: ask}',
    '{id: sales-may, tools: [run], when: \'"sales" in subject.roles\', effect: allow, lifts: [always]}',
    '{id: by-tool, tools: ["*"], when: \'tool.group == "orders" && session.channel == "external"\', effect: deny}',
    '{id: facts, tools: [order_row], when: session.facts.limit < 1, effect: deny}',
    '{id: answer, tools: [order_delete], when: args.id == "0", effect: respond, response: none}',
    '{id: either, tools: [write_file], when: args.path == "a" || turn.ambiguous, effect: deny}',
    '{id: broken, tools: [sql], when: session.facts.limit / (1 - 1) > args.query.size(), effect: deny}',
)  # fmt: skip

GATE = gateway(RULES)
NAMES = sorted(tool.name for tool in GATE.tools(session()).visible) + sorted(
    tool.name for tool in GATE.tools(session()).hidden
)

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2000, 2000),
    st.sampled_from(["", "a", "0", "DE1", "customers", "ls -la", "select 1", "x:y"]),
    st.lists(st.sampled_from(["a", 1]), max_size=2),
)
ARGUMENTS = st.dictionaries(
    st.sampled_from(["id", "amount", "iban", "query", "limit", "table", "command", "path", "note", "zzz"]),
    VALUES,
    max_size=4,
)
SESSIONS = st.fixed_dictionaries(
    {},
    optional={
        "channel": st.sampled_from(["internal", "external"]),
        "agent": st.sampled_from(["clerk", "reader", "nowhere"]),
        "can_ask": st.booleans(),
        "dry_run": st.booleans(),
        "capabilities": st.lists(st.sampled_from(["sandbox", "net"]), unique=True),
        "modes": st.sampled_from([{}, {"web_search": "auto"}, {"web_search": "off"}]),
        "turn": st.sampled_from([{}, {"ambiguous": True}, {"ambiguous": False}]),
        "facts": st.sampled_from([{}, {"limit": 0}, {"limit": 5}, {"limit": "x"}]),
        "subject": st.fixed_dictionaries(
            {},
            optional={
                "authenticated": st.booleans(),
                "roles": st.lists(st.sampled_from(["sales", "finance"]), unique=True),
                "permissions": st.lists(
                    st.sampled_from([*PERMISSIONS, "row:customers:edit", "row:a:view"]), unique=True
                ),
            },
        ),
    },
)


@settings(max_examples=300, deadline=None)
@given(SESSIONS, ARGUMENTS)
def test_a_hidden_tool_is_refused_for_every_argument(
    changes: dict[str, Any], arguments: dict[str, Any]
) -> None:
    who = session(**changes)
    listing = GATE.tools(who)
    shown = [tool.name for tool in listing.visible] + [tool.name for tool in listing.hidden]
    assert sorted(shown) == sorted(NAMES)
    for hidden in listing.hidden:
        decision = GATE.before({"tool": hidden.name, "arguments": arguments}, who)
        assert decision.effect is Effect.DENY, (hidden, decision)


def link(tool: str, text: str = RULES, **changes: Any) -> str | None:
    listing = gateway(text).tools(session(**changes))
    return {hidden.name: hidden.link for hidden in listing.hidden}.get(tool)


def test_a_certain_deny_hides_and_a_possible_one_does_not() -> None:
    assert link("search", turn={"ambiguous": True}) == "rule"
    assert link("search", turn={"ambiguous": False}) is None
    assert link("order_pay") is None
    assert link("order_pay", channel="external") == "rule"
    assert link("write_file", turn={"ambiguous": False}) is None
    assert link("write_file", turn={"ambiguous": True}) == "rule"


def test_an_error_is_as_certain_as_a_match() -> None:
    assert link("order_row", facts={"limit": 0}, subject={"permissions": ["row:a:edit"]}) == "rule"
    assert link("order_row", facts={"limit": 5}, subject={"permissions": ["row:a:edit"]}) is None
    assert link("order_row", facts={}, subject={"permissions": ["row:a:edit"]}) == "rule"


def test_nobody_to_ask_hides_what_would_surely_be_asked() -> None:
    assert link("run", can_ask=False, subject={"roles": []}) == "answer"
    assert link("run", can_ask=False) is None
    assert link("run", subject={"roles": []}) is None
    assert link("order_delete", SHOP, can_ask=False) == "answer"
    assert link("order_delete", SHOP, can_ask=False, dry_run=True) is None
    assert link("order_delete", can_ask=False) is None  # an argument may be answered by a rule instead


def test_a_monitored_rule_hides_nothing() -> None:
    text = with_rules("{id: trial, tools: [search], effect: deny, monitor: true}")
    assert link("search", text) is None


def test_permissions_hide() -> None:
    assert link("order_pay", subject={"permissions": ["order:read"]}) == "permissions"


def test_without_identity_nothing_is_visible() -> None:
    listing = GATE.tools(session(subject={"authenticated": False}))
    assert listing.visible == ()
    assert {hidden.link for hidden in listing.hidden} == {"identity"}
    assert GATE.tools(None).visible == ()
    assert GATE.tools({"nonsense": 1}).visible == ()


def test_the_order_is_stable() -> None:
    names = [tool.name for tool in GATE.tools(session()).visible]
    assert names == sorted(names)
    assert names == [tool.name for tool in GATE.tools(session()).visible]


def test_the_schema_that_a_model_sees_has_no_private_marks() -> None:
    (pay,) = [tool for tool in GATE.tools(session()).visible if tool.name == "order_pay"]
    assert pay.parameters["properties"]["iban"] == {"type": "string"}
    assert pay.parameters["required"] == ["amount", "iban"]


@pytest.mark.parametrize("can_ask", [True, False])
def test_visible_tools_can_be_called_somehow(can_ask: bool) -> None:
    """Not promised in general; here each visible tool has arguments that are not refused."""
    working = {
        "search": {"query": "x"},
        "order_read": {"id": "1"},
        "order_pay": {"amount": 1, "iban": "X"},
        "order_delete": {"id": "0"},
        "order_beta": {},
        "run": {"command": "ls"},
        "write_file": {"path": "b"},
    }
    who = session(can_ask=can_ask, turn={"ambiguous": False}, facts={"limit": 5})
    for tool in GATE.tools(who).visible:
        decision = GATE.before({"tool": tool.name, "arguments": working[tool.name]}, who)
        assert decision.effect is not Effect.DENY, (tool.name, decision)


def test_a_policy_that_is_not_ready_shows_nothing_and_says_why() -> None:
    text = with_rules("{id: r, tools: [search], when: 1 == 1, effect: deny}")
    listing = gateway(text).tools(session())
    assert listing.visible == ()
    assert {(hidden.link, hidden.code) for hidden in listing.hidden} == {("ready", Code.NOT_READY)}
    assert len(listing.hidden) == len(NAMES)


def code(tool: str, text: str = RULES, **changes: Any) -> tuple[Code, str | None] | None:
    listing = gateway(text).tools(session(**changes))
    return {hidden.name: (hidden.code, hidden.rule) for hidden in listing.hidden}.get(tool)


def test_a_hidden_tool_carries_the_code_and_rule_of_its_refusal() -> None:
    assert code("search", turn={"ambiguous": True}) == (Code.RULE, "not-now")
    assert code("run", can_ask=False, subject={"roles": []}) == (Code.NOBODY_TO_ASK, "always")
    assert code("order_delete", SHOP, can_ask=False) == (Code.NOBODY_TO_ASK, None)
    assert code("search", subject=None) == (Code.NO_IDENTITY, None)


def silent(*rules: str, tool: str = "order_delete", text: str = SHOP, **changes: Any) -> str | None:
    """The link that hides a tool in a conversation in which nobody can be asked."""
    return link(tool, with_rules(*rules, text=text) if rules else text, can_ask=False, **changes)


def test_who_may_be_allowed_is_not_hidden() -> None:  # C11
    grant = '{id: grant, tools: [order_delete], when: args.id == "1", effect: allow}'
    assert silent(grant) is None
    assert silent(grant.replace('args.id == "1"', "turn.ambiguous"), turn={"ambiguous": False}) == "answer"
    assert silent(grant.replace('args.id == "1"', "turn.ambiguous"), turn={}) == "answer"
    assert silent('{id: hint, tools: [order_delete], when: args.id == "1", effect: ask}') == "answer"
    assert silent(grant.replace("allow}", "allow, monitor: true}")) == "answer"
    assert silent(grant.replace("allow}", "allow, until: 2026-11-30}")) == "answer"
    assert silent(grant.replace("allow}", "allow, until: 2026-12-01}")) is None
    assert silent(grant.replace("when:", "agents: [reader], when:")) == "answer"


def test_an_answer_that_is_impossible_shows_nothing() -> None:
    answer = "{id: a, tools: [order_delete], when: turn.ambiguous, effect: respond, response: 1}"
    assert silent(answer, turn={"ambiguous": True}) is None
    assert silent(answer, turn={"ambiguous": False}) == "answer"
    possible = answer.replace("turn.ambiguous", 'args.id == "1"')
    assert silent(possible) is None


def test_an_ask_that_is_only_possible_hides_nothing() -> None:
    asks = '{id: look, tools: [search], when: args.query == "x", effect: ask}'
    assert silent(asks, tool="search") is None
    assert silent("{id: look, tools: [search], effect: ask}", tool="search") == "answer"
    assert link("search", with_rules("{id: look, tools: [search], effect: ask}")) is None
    lifted = '{id: grant, tools: [search], when: args.query == "x", effect: allow, lifts: [look]}'
    assert silent("{id: look, tools: [search], effect: ask}", lifted, tool="search") is None
    other = lifted.replace(", lifts: [look]", "")
    assert silent("{id: look, tools: [search], effect: ask}", other, tool="search") == "answer"


def test_a_risk_that_may_turn_out_read_only_hides_nothing() -> None:  # C10
    text = SHOP.replace("{name: order_delete,", "{name: order_delete, read_only_when: 'COND',")
    assert silent(text=text.replace("COND", 'args.id == "none"')) is None
    assert silent(text=text.replace("COND", "turn.ambiguous"), turn={"ambiguous": True}) is None
    assert silent(text=text.replace("COND", "turn.ambiguous"), turn={"ambiguous": False}) == "answer"
    assert silent(text=text.replace("COND", "turn.ambiguous"), turn={}) == "answer"


def test_the_threshold_itself_hides_and_what_is_below_does_not() -> None:  # B10
    for threshold, hides in (("LOW", True), ("MEDIUM", True), ("HIGH", False)):
        text = SHOP.replace("confirm_from: HIGH", f"confirm_from: {threshold}")
        assert (silent(tool="order_pay", text=text) == "answer") is hides
        assert silent(tool="search", text=text) is None


def test_what_is_only_watched_for_now_hides_nothing() -> None:
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: HIGH\n  monitor_until: 2026-12-31")
    assert silent(text=text) is None
    deny = "{id: no, tools: [search], effect: deny}"
    assert link("search", with_rules(deny, text=text)) is None
    over = text.replace("2026-12-31", "2026-11-30")
    assert silent(text=over) == "answer"
    assert link("search", with_rules(deny, text=over)) == "rule"


def test_a_dry_run_still_asks_about_what_it_really_runs() -> None:  # B11
    ask = "{id: look, tools: [search, order_pay], effect: ask}"
    assert silent(ask, tool="search", dry_run=True) == "answer"
    assert silent(ask, tool="order_pay", dry_run=True) is None


def test_rules_for_other_sessions_hide_nothing() -> None:
    deny = "{id: no, tools: [search], SEL, effect: deny}"
    for selector in ("agents: [reader]", "tenants: [beta]", "channels: [external]"):
        assert link("search", with_rules(deny.replace("SEL", selector))) is None
    assert link("search", with_rules(deny.replace("SEL", "agents: [clerk]"))) == "rule"
    assert link("search", with_rules(deny.replace("SEL", 'tenants: ["a*"]'))) == "rule"
    watched = deny.replace("SEL", "monitor: true, until: 2026-11-30")
    assert link("search", with_rules(watched)) == "rule"


def test_a_match_or_an_error_is_certain_enough_to_hide() -> None:
    rule = "{id: r, tools: [search], when: '1 / args.limit > 0 ? true : true', effect: EFFECT}"
    assert link("search", with_rules(rule.replace("EFFECT", "deny"))) == "rule"
    assert silent(rule.replace("EFFECT", "ask"), tool="search") == "answer"
    for limit in (0, 1):
        text = with_rules(rule.replace("EFFECT", "deny"))
        call = {"tool": "search", "arguments": {"query": "x", "limit": limit}}
        assert gateway(text).before(call, session()).effect is Effect.DENY


def test_matching_held_permissions_is_one_pass() -> None:
    """Many separators and placeholders once made this exponential."""
    template = ":".join(f"{{args.{c}}}" for c in "abcdefgh") + ":end"
    properties = ", ".join(f"{c}: {{type: string}}" for c in "abcdefgh")
    text = (
        SHOP
        + f'  - {{name: order_many, risk: LOW, permissions: [], resource_permissions: ["{template}"], '
        + f"parameters: {{type: object, required: [a], properties: {{{properties}}}}}}}\n"
    )
    for held in ("a" * 100_000, ":" * 100_000, "a:" * 50_000, "a.b:" * 8 + "other"):
        assert link("order_many", text, subject={"permissions": [held]}) == "resource"
    assert link("order_many", text, subject={"permissions": ["x:" * 8 + "end"]}) is None


def test_a_risk_at_the_least_threshold_hides_where_nobody_can_be_asked() -> None:  # C11
    text = SHOP.replace("confirm_from: HIGH", "confirm_from: LOW")
    listing = gateway(text).tools(session(can_ask=False, subject={"permissions": ["row:t:edit"]}))
    assert {h.name: (h.link, h.code) for h in listing.hidden}["order_row"] == ("answer", Code.NOBODY_TO_ASK)
    assert "search" in {tool.name for tool in listing.visible}
