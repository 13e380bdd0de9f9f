"""Overrides: what differs for one tenant, for nobody else, and not without a confirmation where it relaxes. Rows B6, B7, B8."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.compile import Compiled
from gateway.decision import Code, Effect, Step
from gateway.diagnostic import PolicyError
from gateway.effective import MOST_TENANTS
from tests.engine.build import NOW, answer, compiled, confirmed, gateway, session

SHOP = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: [acme, beta]}]
tools:
  - {name: read, title: Read, group: rows, description: Read a row., risk: READ_ONLY, permissions: ["row:read"], parameters: {type: object, required: [id], properties: {id: {type: string}}}}
  - {name: write, risk: MEDIUM, permissions: ["row:read", "row:write"]}
  - {name: drop, risk: IRREVERSIBLE, permissions: ["row:drop"]}
  - {name: off, enabled: false, risk: READ_ONLY, permissions: []}
"""
TOOLS = ("read", "write", "drop", "off")


def refused(text: str) -> list[tuple[str, str, str]]:
    """The code, message and help of each error that keeps a text from loading."""
    with pytest.raises(PolicyError) as caught:
        compiled(text)
    return [(found.code, found.message, found.help) for found in caught.value.diagnostics]


def overriding(entry: dict[str, Any]) -> str:
    """The shop with an override, confirmed where it relaxes, as an operator would do it."""
    return confirmed(f"{SHOP}overrides: [{json.dumps({'reason': 'pilot', **entry})}]\n")


def decided(text: str, tool: str, *, now: datetime = NOW, tenant: str = "acme", **subject: Any) -> Code:
    who = session(tenant=tenant, subject={"tenant": tenant, "permissions": [], **subject})
    arguments = {"id": "1"} if tool == "read" else {}
    return gateway(text, now=now).before({"tool": tool, "arguments": arguments}, who).code


def test_permissions_are_read_as_overridden() -> None:
    none_needed = overriding({"tenant": "acme", "tools": ["write"], "permissions": []})
    assert decided(SHOP, "write") is Code.PERMISSION_DENIED
    assert decided(none_needed, "write") is Code.ALLOWED
    more_needed = overriding({"tenant": "acme", "tools": ["read"], "permissions": ["row:read", "row:audit"]})
    assert decided(more_needed, "read", permissions=["row:read"]) is Code.PERMISSION_DENIED
    assert decided(more_needed, "read", permissions=["row:read", "row:audit"]) is Code.ALLOWED


def test_another_tenant_is_left_alone() -> None:
    none_needed = overriding({"tenant": "acme", "tools": ["write"], "permissions": []})
    assert decided(none_needed, "write", tenant="beta") is Code.PERMISSION_DENIED


def test_a_tool_is_switched_off_and_on() -> None:
    assert (
        decided(overriding({"tenant": "acme", "tools": ["*"], "enabled": False}), "read")
        is Code.TOOL_DISABLED
    )
    assert decided(SHOP, "off") is Code.TOOL_DISABLED
    assert decided(overriding({"tenant": "acme", "tools": ["off"], "enabled": True}), "off") is Code.ALLOWED


def test_a_raised_risk_is_enforced_and_a_lowered_one_is_a_label() -> None:  # B7
    held = ["row:read", "row:write", "row:drop"]
    raised = overriding({"tenant": "acme", "tools": ["write"], "risk": "HIGH"})
    assert decided(SHOP, "write", permissions=held) is Code.ALLOWED
    assert decided(raised, "write", permissions=held) is Code.CONFIRM
    lowered = overriding({"tenant": "acme", "tools": ["drop"], "risk": "READ_ONLY"})
    assert decided(lowered, "drop", permissions=held) is Code.CONFIRM
    dry = gateway(lowered).before({"tool": "drop"}, session(dry_run=True, subject={"permissions": held}))
    assert (dry.effect, dry.code) == (Effect.RESPOND, Code.DRY_RUN)
    shown = {tool.name: tool for tool in gateway(lowered).effective("acme")}["drop"]
    assert (shown.declared["risk"], shown.effective["risk"]) == ("IRREVERSIBLE", "READ_ONLY")


@pytest.mark.parametrize(
    ("override", "shown"),
    [
        ({"title": None, "description": None, "group": None, "risk": None, "permissions": None}, {}),
        ({"title": ""}, {}),
        ({"title": "  "}, {}),
        ({"title": "Look up"}, {"title": "Look up"}),
        ({"description": ""}, {"description": ""}),
        ({"group": ""}, {"group": ""}),
        ({"enabled": None}, {}),
        ({"enabled": False}, {"enabled": False}),
        ({"permissions": ["row:read", "x:y"]}, {"permissions": ["row:read", "x:y"]}),
        ({"risk": "HIGH"}, {"risk": "HIGH"}),
        (
            {"parameters": {"type": "object", "properties": {}}},
            {"parameters": {"type": "object", "properties": {}}},
        ),
    ],
)
def test_null_overrides_nothing_and_an_empty_text_does(
    override: dict[str, Any], shown: dict[str, Any]
) -> None:  # B6
    gate = gateway(overriding({"tenant": "acme", "tools": ["read"], **override}))
    read = {tool.name: tool for tool in gate.effective("acme")}["read"]
    assert read.effective == {**read.declared, **shown}
    assert read.declared == {
        "title": "Read",
        "description": "Read a row.",
        "parameters": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}},
        "group": "rows",
        "permissions": ["row:read"],
        "enabled": True,
        "risk": "READ_ONLY",
    }


def test_the_model_is_shown_the_overridden_schema_and_held_to_the_declared_one() -> None:
    schema = {
        "type": "object",
        "properties": {"id": {"type": "string", "description": "Row"}, "all": {"type": "boolean"}},
    }
    text = overriding({"tenant": "acme", "tools": ["read"], "parameters": schema, "description": "Another."})
    who = session(subject={"permissions": ["row:read"]})
    (shown,) = (tool for tool in gateway(text).tools(who).visible if tool.name == "read")
    assert (shown.description, set(shown.parameters["properties"])) == ("Another.", {"id", "all"})
    refusal = gateway(text).before({"tool": "read", "arguments": {"id": "1", "all": True}}, who)
    assert refusal.code is Code.ARGUMENT_INVALID


def test_conditions_read_what_is_declared() -> None:
    text = overriding({"tenant": "acme", "tools": ["write"], "risk": "HIGH", "permissions": []})
    text += "rules: [{id: declared, tools: [write], when: 'tool.risk == \"MEDIUM\" && size(tool.permissions) == 2', effect: deny}]\n"
    assert decided(text, "write") is Code.RULE


def test_an_override_ends_with_its_last_day() -> None:
    text = overriding({"tenant": "acme", "tools": ["write"], "permissions": [], "until": "2026-12-01"})
    assert decided(text, "write", now=datetime(2026, 12, 1, 23, 59, 59, tzinfo=UTC)) is Code.ALLOWED
    assert decided(text, "write", now=datetime(2026, 12, 2, tzinfo=UTC)) is Code.PERMISSION_DENIED
    assert decided(text, "write", now=datetime(2026, 12, 1, tzinfo=UTC)) is Code.ALLOWED  # asked in any order


def test_a_trace_names_the_override_by_which_no_permission_is_lacking() -> None:
    text = overriding({"tenant": "acme", "tools": ["write"], "permissions": []})
    explained = gateway(text).explain({"tool": "write"}, session(subject={"permissions": []}))
    (note,) = (one.text for one in explained.decision.trace if one.step is Step.PERMISSIONS)
    assert note.startswith("all permissions are held (the tenant overrides this tool: test.yaml:")


def test_a_refusal_names_the_override() -> None:
    text = overriding({"tenant": "acme", "tools": ["read"], "permissions": ["row:read", "row:audit"]})
    refusal = gateway(text).before({"tool": "read", "arguments": {"id": "1"}}, session())
    assert "the tenant overrides this tool: test.yaml:" in refusal.detail
    assert "overrid" not in refusal.message
    off = overriding({"tenant": "acme", "tools": ["read"], "enabled": False})
    assert (
        "switched off by an override (test.yaml:" in gateway(off).before({"tool": "read"}, session()).detail
    )


# --- what does not load -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("override", "meaning"),
    [
        ({"permissions": []}, "`row:read`, `row:write` are no longer needed; being signed in is enough"),
        ({"permissions": ["row:write", "x:y"]}, "`row:read` is no longer needed"),
        ({"risk": "LOW"}, "the risk is shown as LOW instead of MEDIUM; decisions still read MEDIUM"),
    ],
)
def test_what_relaxes_is_refused_until_someone_confirms_it(
    override: dict[str, Any], meaning: str
) -> None:  # B8
    entry = {"tenant": "acme", "tools": ["write"], "reason": "pilot", **override}
    ((code, message, help),) = refused(f"{SHOP}overrides: [{json.dumps(entry)}]\n")
    assert code == "unconfirmed-relaxation"
    assert message == f"the override of tenant `acme` relaxes `write`: {meaning}; nobody confirmed it"
    assert "confirm: {by: NAME, at: YYYY-MM-DD, digest:" in help


def test_every_relaxation_that_one_confirmation_covers_is_named() -> None:
    entry = {
        "tenant": "acme",
        "tools": ["write", "off"],
        "permissions": [],
        "enabled": True,
        "reason": "pilot",
    }
    with pytest.raises(PolicyError) as caught:
        compiled(f"{SHOP}overrides: [{json.dumps(entry)}]\n")
    (found,) = caught.value.diagnostics
    assert "(and 1 more)" in found.message
    assert [one.message for one in found.related] == [
        "`off`: the tool is switched on",
        "`write`: `row:read`, `row:write` are no longer needed; being signed in is enough",
    ]


def test_a_relaxation_says_why() -> None:
    ((code, message, _),) = refused(f"{SHOP}overrides: [{{tenant: acme, tools: ['off'], enabled: true}}]\n")
    assert (code, message.endswith("and says no `reason`")) == ("unconfirmed-relaxation", True)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"permissions": []', '"permissions": ["row:read"]'),  # the override changed
        ('permissions: ["row:read", "row:write"]', 'permissions: ["row:write"]'),  # the declaration changed
        ('"tenant": "acme"', '"tenant": "beta"'),
        ('"tools": ["write"]', '"tools": ["write", "drop"]'),
        ('"until": "2026-12-31"', '"until": "2027-12-31"'),
    ],
)
def test_a_confirmation_is_of_exactly_what_was_seen(before: str, after: str) -> None:
    text = overriding({"tenant": "acme", "tools": ["write"], "permissions": [], "until": "2026-12-31"})
    assert before in text
    ((code, message, _),) = refused(text.replace(before, after))
    assert (code, message.rpartition("; ")[2]) == (
        "unconfirmed-relaxation",
        "what was confirmed is something else",
    )


@pytest.mark.parametrize(
    "override", [{"enabled": False}, {"risk": "HIGH"}, {"permissions": ["row:read", "row:write", "x:y"]}]
)
def test_what_tightens_has_no_end(override: dict[str, Any]) -> None:  # 5.5
    entry = {"tenant": "acme", "tools": ["write"], "until": "2027-01-31", **override}
    ((code, message, _),) = refused(f"{SHOP}overrides: [{json.dumps(entry)}]\n")
    assert code == "wrong-value"
    assert message.startswith(
        "an override that tightens has no `until`: its end would loosen the policy in silence"
    )


def test_the_order_of_permissions_says_nothing() -> None:
    text = overriding({"tenant": "acme", "tools": ["write"], "permissions": ["row:read"]})
    assert compiled(text.replace('["row:read", "row:write"]', '["row:write", "row:read"]'))


def test_two_overrides_of_one_key_contradict() -> None:
    entries = "{tenant: acme, tools: [write], group: a}, {tenant: acme, tools: ['w*'], group: b}"
    ((code, message, _),) = refused(f"{SHOP}overrides: [{entries}]\n")
    assert (code, message) == (
        "conflicting-override",
        "`group` of `write` is overridden twice for the tenant `acme`",
    )
    for same in (entries.replace("b}", "a}"), entries.replace("acme, tools: ['w*']", "beta, tools: ['w*']")):
        assert compiled(f"{SHOP}overrides: [{same}]\n")


# --- snapshots --------------------------------------------------------------------------------------------------------


def test_many_tenants_are_asked_from_many_threads_and_few_are_kept() -> None:
    tenants = [f"t{number}" for number in range(2 * MOST_TENANTS + 50)]
    entries = [{"tenant": tenant, "tools": ["read"], "enabled": False} for tenant in tenants[::2]]
    text = SHOP.replace("[acme, beta]", '["*"]') + f"overrides: {json.dumps(entries)}\n"
    gate = gateway(text)

    def ask(tenant: str) -> Code:
        who = session(tenant=tenant, subject={"tenant": tenant, "permissions": ["row:read"]})
        return gate.before({"tool": "read", "arguments": {"id": "1"}}, who).code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, tenants * 4))
    expected = [Code.TOOL_DISABLED if index % 2 == 0 else Code.ALLOWED for index in range(len(tenants))]
    assert answers == expected * 4
    snapshots = compiled(text).engine.catalogue._snapshots
    assert snapshots is not None
    assert len(snapshots) <= MOST_TENANTS


# --- laws -------------------------------------------------------------------------------------------------------------

PERMISSIONS = st.lists(st.sampled_from(["row:read", "row:write", "row:drop", "x:y"]), unique=True)
OVERRIDES = st.fixed_dictionaries(
    {"tools": st.lists(st.sampled_from([*TOOLS, "*", "r*"]), min_size=1, max_size=2, unique=True)},
    optional={
        "permissions": PERMISSIONS,
        "enabled": st.booleans(),
        "risk": st.sampled_from(["READ_ONLY", "LOW", "MEDIUM", "HIGH", "IRREVERSIBLE"]),
        "title": st.sampled_from(["", "T"]),
        "description": st.sampled_from(["", "D"]),
        "group": st.sampled_from(["", "G"]),
    },
)


def everything(made: Compiled | str, tenant: str, held: list[str]) -> list[Any]:
    """Every decision and the list of one tenant."""
    gate = gateway(made)  # type: ignore[arg-type]
    who = session(tenant=tenant, subject={"tenant": tenant, "permissions": held})
    calls = [{"id": "c", "tool": tool, "arguments": {"id": "1"} if tool == "read" else {}} for tool in TOOLS]
    listing = gate.tools(who)
    return [answer(gate.before(call, who)) for call in calls] + [listing.visible, listing.hidden]


@settings(max_examples=60, deadline=None)
@given(override=OVERRIDES, held=PERMISSIONS)
def test_one_tenants_override_never_changes_another_tenants_decisions_or_list(
    override: dict[str, Any], held: list[str]
) -> None:  # B6
    text = overriding({"tenant": "acme", **override})
    everything(text, "acme", held)  # asked first, so that nothing of it is kept for the other
    assert everything(text, "beta", held) == everything(SHOP, "beta", held)


@settings(max_examples=60, deadline=None)
@given(override=OVERRIDES, held=PERMISSIONS)
def test_an_override_that_needs_no_confirmation_never_loosens(
    override: dict[str, Any], held: list[str]
) -> None:
    text = overriding({"tenant": "acme", **override})
    if "confirm" in text:
        return
    who = session(subject={"permissions": held})
    for tool in TOOLS:
        call = {"tool": tool, "arguments": {"id": "1"} if tool == "read" else {}}
        before, after = gateway(SHOP).before(call, who), gateway(text).before(call, who)
        assert after.effect.strictness >= before.effect.strictness
