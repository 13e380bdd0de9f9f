"""Sub-agents: a child's session never has more than its parent's, whatever it says of itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import Code, Effect, Session
from gateway.session import SessionError
from tests.engine.build import gateway
from tests.reference import shown
from tests.test_readme import README

HOUSE = """
version: 1
settings: {confirm_from: HIGH, types: {session.facts: {vetted: bool}}}
agents:
  - {name: chief, tools: [look, write, pay, web, box, "kind_*", lent], tenants: ["*"]}
  - {name: clerk, tools: [look, write, pay, web, box, "kind_*", secret], tenants: ["*"]}
  - {name: scout, tools: [look, web, box, kind_read, secret], tenants: ["*"]}
  - {name: away, tools: ["*"], tenants: [elsewhere]}
defaults:
  - {tools: ["*"], parameters: {type: object, properties: {n: {type: integer, default: 1}}}}
tools:
  - {name: look, risk: READ_ONLY, permissions: []}
  - {name: lent, risk: READ_ONLY, permissions: []}
  - {name: secret, risk: READ_ONLY, permissions: []}
  - {name: write, risk: MEDIUM, permissions: [write]}
  - {name: pay, risk: HIGH, permissions: [write, pay], read_only_when: agent.name == "scout" || args.n == 0}
  - {name: web, mode: net, risk: READ_ONLY, permissions: []}
  - {name: box, requires: [sandbox], risk: MEDIUM, permissions: []}
  - {name: kind_read, channels: [internal], risk: READ_ONLY, permissions: []}
  - {name: kind_form, channels: [external], risk: MEDIUM, permissions: [], resource_permissions: ["form:{args.n}"]}
rules:
  - {id: chief-writes-one, tools: [write], agents: [chief], when: args.n != 1, effect: deny}
  - {id: nobody-looks-at-two, tools: [look], when: 'agent.name == "clerk" && args.n == 2', effect: ask}
  - {id: fact, tools: [box], when: '!session.facts.vetted', effect: deny}
  - {id: pays, tools: [pay], agents: [clerk], when: args.n == 1, effect: allow}
  - {id: told, tools: [kind_read], when: '"write" in subject.permissions && args.n == 3', effect: deny}
"""
GATE = gateway(HOUSE)
TOOLS = ("look", "lent", "secret", "write", "pay", "web", "box", "kind_read", "kind_form", "nothing")
SUBJECT = {
    "id": "u-1",
    "tenant": "acme",
    "authenticated": True,
    "roles": ["sales"],
    "permissions": ["write", "pay"],
}
CHIEF: dict[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "chief",
    "channel": "internal",
    "subject": SUBJECT,
    "modes": {"net": "on"},
    "capabilities": ["sandbox"],
    "facts": {"vetted": True},
    "can_ask": True,
}


def below(parent: dict[str, Any], /, **changes: Any) -> dict[str, Any]:
    """The session of a clerk below another one, as a host in another process passes it."""
    return {**parent, "id": "s-2", "agent": "clerk", "parent": parent} | changes


def say(tool: str, n: int = 1) -> dict[str, Any]:
    return {"tool": tool, "id": "c-1", "arguments": {"n": n}}


def names(session: Any) -> set[str]:
    return {tool.name for tool in GATE.tools(session).visible}


def test_a_child_has_the_tools_that_both_agents_have() -> None:  # C12
    assert names(CHIEF) == {"look", "lent", "write", "pay", "web", "box", "kind_read"}
    child = GATE.child(CHIEF, "clerk")
    assert names(child) == {"look", "write", "pay", "web", "box", "kind_read"}
    assert GATE.before(say("secret"), child).code is Code.TOOL_NOT_BOUND
    assert GATE.before(say("lent"), child).code is Code.TOOL_NOT_BOUND
    assert GATE.before(say("write"), child).proceeds
    grandchild = GATE.child(child, "scout")
    assert names(grandchild) == {"look", "web", "box", "kind_read"}
    assert names(GATE.child(grandchild, "chief")) == {"look", "web", "box", "kind_read"}


def test_a_child_without_a_name_has_one_of_its_own() -> None:
    one, other = GATE.child(CHIEF, "clerk"), GATE.child(CHIEF, "clerk")
    assert len({"s-1", one.id, other.id}) == 3
    assert GATE.child(CHIEF, "clerk", "s-7").id == "s-7"
    assert one.parent == Session.of(CHIEF)


def test_a_session_of_somebody_elses_making_has_no_more_than_its_parent() -> None:  # C12 B4
    poor = {
        **CHIEF,
        "subject": {**SUBJECT, "permissions": ["write"]},
        "modes": {"net": "auto", "files": "on"},
        "capabilities": [],
        "can_ask": False,
        "dry_run": True,
    }
    child = Session.of(
        below(
            poor,
            subject={**SUBJECT, "permissions": ["pay", "write", "all"]},
            modes={"net": "on", "more": "on"},
            capabilities=["sandbox", "network"],
            can_ask=True,
            dry_run=False,
            channel="external",
        )
    )
    assert child.subject is not None
    assert child.subject.permissions == {"write"}
    assert child.modes == {"net": "auto", "more": "off"}
    assert child.capabilities == frozenset()
    assert (child.can_ask, child.dry_run, child.channel.value) == (False, True, "internal")
    assert GATE.before(say("pay"), child).code is Code.PERMISSION_DENIED
    assert GATE.before(say("box"), child).code is Code.REQUIREMENT_MISSING
    assert GATE.before(say("write"), child).code is Code.DRY_RUN


def test_a_child_has_less_where_it_says_so() -> None:
    child = below(
        CHIEF,
        subject={**SUBJECT, "permissions": [], "authenticated": True},
        modes={"net": "off"},
        capabilities=[],
        can_ask=False,
        dry_run=True,
    )
    assert names(child) == {"look", "kind_read"}
    assert names({**child, "subject": {**SUBJECT, "authenticated": False}}) == set()


def test_what_a_child_does_not_say_of_who_asks_is_its_parents() -> None:
    parent = {**CHIEF, "cwd": "/srv/app", "roots": ["/srv/app", "/srv/lib"], "home": "/home/u"}
    child = Session.of({"id": "s-2", "agent": "scout", "parent": parent})
    whole = Session.of(parent)
    for name in ("tenant", "channel", "subject", "facts", "turn", "roots", "cwd", "home"):
        assert getattr(child, name) == getattr(whole, name), name
    assert (child.modes, child.capabilities, child.can_ask) == ({}, frozenset(), False)
    assert Session.of({**below(parent), "roots": ["/srv/lib"], "cwd": "/srv/app/a"}).roots == ("/srv/lib",)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"tenant": "beta"}, Code.CROSS_TENANT),
        ({"subject": {**SUBJECT, "tenant": "beta"}}, Code.CROSS_TENANT),
        ({"subject": {**SUBJECT, "id": "u-2"}}, Code.SESSION_MISMATCH),
        ({"subject": {**SUBJECT, "kind": "service"}}, Code.SESSION_MISMATCH),
        ({"subject": {**SUBJECT, "roles": ["sales", "finance"]}}, Code.SESSION_MISMATCH),
        ({"subject": {**SUBJECT, "roles": []}}, Code.SESSION_MISMATCH),
        ({"facts": {"vetted": False}}, Code.SESSION_MISMATCH),
        ({"turn": {"id": "t-2"}}, Code.SESSION_MISMATCH),
        ({"roots": ["/"]}, Code.SESSION_MISMATCH),
        ({"roots": ["/srv/app/link"]}, Code.SESSION_MISMATCH),
        ({"home": "/"}, Code.SESSION_MISMATCH),
        ({"id": "s-1"}, Code.SESSION_MISMATCH),
        ({"parent": "s-1"}, Code.NO_IDENTITY),
        ({"parent": {**CHIEF, "agnet": "chief"}}, Code.NO_IDENTITY),
    ],
)
def test_a_child_that_contradicts_its_parent_is_refused(changes: dict[str, Any], code: Code) -> None:  # C12
    parent = {**CHIEF, "turn": {"id": "t-1"}, "roots": ["/srv/app"], "home": "/home/u"}
    assert GATE.before(say("look"), below(parent)).proceeds
    refused = GATE.before(say("look"), below(parent, **changes))
    assert (refused.effect, refused.code) == (Effect.DENY, code)
    assert GATE.entry(below(parent, **changes)).code is code
    assert names(below(parent, **changes)) == set()
    assert GATE.after(say("look"), below(parent, **changes), "seen").code is Code.RESULT_WITHHELD


def test_a_child_of_nobody_is_nobody() -> None:  # B4
    assert (
        GATE.before(say("look"), below({**CHIEF, "subject": None}, subject=SUBJECT)).code is Code.NO_IDENTITY
    )


def test_a_workspace_is_not_made_up_below_a_parent_without_one() -> None:
    assert GATE.before(say("look"), below(CHIEF, cwd="/srv")).code is Code.SESSION_MISMATCH


def test_a_parent_in_a_tenant_that_is_only_visited_has_no_children_that_act() -> None:
    assert (
        GATE.before(say("look"), below({**CHIEF, "visiting": "beta"}, visiting=None)).code
        is Code.CROSS_TENANT
    )


def test_each_agent_of_a_chain_is_available() -> None:
    child = below({**CHIEF, "agent": "away"})
    assert GATE.before(say("look"), child).code is Code.AGENT_DISABLED
    assert GATE.before(say("look"), below({**CHIEF, "agent": "nobody"})).code is Code.AGENT_DISABLED
    assert GATE.before(say("look"), GATE.child(CHIEF, "nobody")).code is Code.AGENT_DISABLED


def test_a_chain_has_an_end() -> None:
    session = Session.of(CHIEF)
    as_data = CHIEF
    for depth in range(8):
        session = GATE.child(session, "scout", f"below-{depth}")
        as_data = {**as_data, "id": f"below-{depth}", "agent": "scout", "parent": as_data}
    assert GATE.before(say("look"), session).proceeds
    assert GATE.before(say("look"), as_data).proceeds
    with pytest.raises(SessionError, match="at most 8"):
        GATE.child(session, "scout")
    for _ in range(5000):
        as_data = {**as_data, "id": as_data["id"] + "x", "parent": as_data}
        if len(as_data["id"]) > 4000:
            break
    assert GATE.before(say("look"), as_data).code is Code.SESSION_MISMATCH


def test_a_chain_that_leads_back_to_itself_is_refused() -> None:
    round_ = dict(CHIEF)
    round_["parent"] = round_
    assert GATE.before(say("look"), round_).code is Code.SESSION_MISMATCH


def test_a_rule_about_an_agent_is_about_those_that_work_for_it() -> None:
    assert GATE.before(say("write", 5), {**CHIEF, "agent": "clerk"}).proceeds
    refused = GATE.before(say("write", 5), below(CHIEF))
    assert (refused.code, refused.rule) == (Code.RULE, "chief-writes-one")
    own = GATE.before(say("look", 2), below(CHIEF))
    assert (own.effect, own.rule) == (Effect.ASK, "nobody-looks-at-two")
    above = GATE.before(say("look", 2), below(below(CHIEF), id="s-3", agent="scout"))
    assert (above.effect, above.rule) == (Effect.ASK, "nobody-looks-at-two")


def test_a_rule_allows_a_child_what_it_allows_all_above() -> None:
    clerk = {**CHIEF, "agent": "clerk"}
    assert GATE.before(say("pay"), clerk).proceeds
    assert GATE.before(say("pay"), CHIEF).code is Code.CONFIRM
    assert GATE.before(say("pay"), below(CHIEF)).code is Code.CONFIRM
    assert GATE.before(say("pay"), below(clerk, id="s-3")).proceeds


def test_a_call_only_reads_for_a_child_if_it_does_for_all_above() -> None:
    text = HOUSE.replace("[look, web, box, kind_read, secret]", '["*"]')
    house = gateway(text)
    assert house.before(say("pay", 4), {**CHIEF, "agent": "scout"}).proceeds
    assert house.before(say("pay", 4), below(CHIEF, agent="scout")).code is Code.CONFIRM
    assert house.before(say("pay", 0), below(CHIEF, agent="scout")).proceeds


def test_a_rule_sees_what_is_true_of_the_parent() -> None:
    refused = GATE.before(say("kind_read", 3), below(CHIEF, subject={**SUBJECT, "permissions": []}))
    assert (refused.code, refused.rule) == (Code.RULE, "told")
    claimed = below({**CHIEF, "facts": {}}, facts={"vetted": True})
    assert GATE.before(say("box"), claimed).rule == "fact"
    assert "box" not in names(claimed)


def test_why_a_child_is_refused_is_told() -> None:
    grandchild = below(below(CHIEF), id="s-3", agent="scout")
    trace = GATE.explain(say("look", 2), grandchild).decision.trace
    (line,) = (entry for entry in trace if entry.rule == "nobody-looks-at-two" and "above" in entry.text)
    assert line.state == "held against"
    assert "`clerk`" in line.text
    assert "works for" in GATE.before(say("secret"), below(CHIEF)).detail


def test_a_kept_child_is_decided_as_one_that_is_made_anew() -> None:
    kept = GATE.child(CHIEF, "clerk")
    for _ in range(4):
        assert GATE.before(say("look"), kept).proceeds
        assert GATE.before(say("write", 5), kept).rule == "chief-writes-one"
        assert GATE.before(say("secret"), kept).code is Code.TOOL_NOT_BOUND


def test_the_example_of_the_readme_refuses_the_child_what_its_agent_has_not() -> None:
    made = {"gate": gateway(PAYING), "session": {**CHIEF, "agent": "assistant"}}
    exec(shown(README, "child"), made)  # noqa: S102
    assert made["decision"].code is Code.TOOL_NOT_BOUND  # type: ignore[attr-defined]
    assert made["child"].parent == Session.of(made["session"])  # type: ignore[attr-defined, arg-type]


PAYING = """
version: 1
agents: [{name: assistant, tools: ["*"], tenants: ["*"]}, {name: reader, tools: [find], tenants: ["*"]}]
tools: [{name: find, risk: READ_ONLY, permissions: []}, {name: pay_invoice, permissions: []}]
"""


AGENTS = st.sampled_from(["chief", "clerk", "scout"])
SOME = st.booleans()
SESSIONS = st.fixed_dictionaries(
    {
        "agent": AGENTS,
        "channel": st.sampled_from(["internal", "external"]),
        "subject": st.builds(
            lambda permissions: {**SUBJECT, "permissions": permissions},
            st.lists(st.sampled_from(["write", "pay", "form:1", "form:2"]), unique=True),
        ),
        "modes": st.dictionaries(st.sampled_from(["net", "other"]), st.sampled_from(["off", "auto", "on"])),
        "capabilities": st.lists(st.sampled_from(["sandbox", "gpu"]), unique=True),
        "facts": st.sampled_from([{}, {"vetted": True}]),
        "can_ask": SOME,
        "dry_run": SOME,
    }
)
_LEAST = {Effect.DENY: 3, Effect.RESPOND: 2, Effect.ASK: 1, Effect.ALLOW: 0}


@settings(max_examples=300)
@given(st.lists(SESSIONS, min_size=2, max_size=4), st.sampled_from(TOOLS), st.integers(0, 3))
def test_what_a_child_may_do_all_above_may_do(chain: list[dict[str, Any]], tool: str, n: int) -> None:  # C12
    made: list[Session] = []
    for depth, one in enumerate(chain):
        above = {"facts": {**made[-1].facts, **one["facts"]}, "parent": made[-1]} if made else {}
        made.append(Session.of({"id": f"s-{depth}", "tenant": "acme", **one, **above}))
    child = made[-1]
    effect = GATE.before(say(tool, n), child).effect
    for parent in made[:-1]:
        assert names(child) <= names(parent)
        allowed = GATE.before(say(tool, n), parent).effect
        assert _LEAST[effect] >= _LEAST[allowed] or {effect, allowed} <= {Effect.RESPOND, Effect.DENY}
