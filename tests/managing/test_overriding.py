"""Overrides that are kept in the store. Rows B6, B7, B8, B9 and B22."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gateway.decision import Code, Effect
from gateway.diagnostic import PolicyError
from gateway.managing.acting import ACTIONS
from gateway.managing.desk import ManagementError
from gateway.managing.kept import KeptOverride, override_key
from gateway.state import Key, Kind, Put
from tests.engine.build import compiled
from tests.managing.office import POLICY, Office, digest_in, operator, permission, session


def test_a_tool_is_switched_off_at_once_without_more_ado(office: Office) -> None:
    other = office.another()
    assert office.code("read", "acme", "row:read") is Code.ALLOWED
    assert office.code("read", "acme", "row:read", gateway=other) is Code.ALLOWED
    office.done("override", tool="read", enabled=False)
    assert office.code("read", "acme", "row:read") is Code.TOOL_DISABLED
    assert office.code("read", "acme", "row:read", gateway=other) is Code.TOOL_DISABLED
    assert office.rows() == []


def test_another_tenant_is_left_alone(office: Office) -> None:
    office.done("override", tool="read", enabled=False)
    assert office.code("read", "beta", "row:read") is Code.ALLOWED


@pytest.mark.parametrize(
    ("values", "meaning"),
    [
        ({"risk": "LOW"}, "the risk is shown as LOW instead of MEDIUM"),
        ({"permissions": ["row:read"]}, "`row:write` is no longer needed"),
        ({"permissions": []}, "are no longer needed; being signed in is enough"),
    ],
)
def test_what_relaxes_takes_a_reason_and_a_confirmation(
    office: Office, values: dict[str, Any], meaning: str
) -> None:  # B8
    assert meaning in (said := office.refused("override", tool="write", **values))
    assert said.endswith("say why, in `reason`")
    said = office.refused("override", tool="write", reason="pilot", **values)
    assert "nobody confirmed it" in said
    wrong = office.refused("override", tool="write", reason="pilot", confirm="0" * 64, **values)
    assert "what was confirmed is something else" in wrong
    assert office.rows() == []
    office.done("override", tool="write", reason="pilot", confirm=digest_in(said), **values)
    (row,) = office.rows()
    declared = ["row:read", "row:write"]
    assert row == {
        "number": 1,
        "at": "2026-12-01T12:00:00+00:00",
        "tenant": "acme",
        "tool": "write",
        "risk_from": "MEDIUM",
        "risk_to": values.get("risk", "MEDIUM"),
        "confirmation_from": False,
        "confirmation_to": False,
        "permissions_from": declared,
        "permissions_to": values.get("permissions", declared),
        "enabled_from": True,
        "enabled_to": True,
        "enforcement_changes": "risk" not in values,
        "operator_id": "olga",
        "operator_name": "Olga",
        "confirmed_on": "2026-12-01",
        "reason": "pilot",
        "until": None,
        "digest": digest_in(said),
    }


def test_switching_on_what_is_declared_off_is_no_quick_toggle(office: Office) -> None:  # B8, B22
    assert "the tool is switched on" in office.refused("override", tool="off", enabled=True)
    assert office.code("off") is Code.TOOL_DISABLED
    office.relax("off", enabled=True)
    assert office.code("off") is Code.ALLOWED


def test_what_was_confirmed_is_just_that(office: Office) -> None:
    said = office.refused("override", tool="write", permissions=["row:read"], reason="pilot")
    more = office.refused("override", tool="write", permissions=[], reason="pilot", confirm=digest_in(said))
    assert "what was confirmed is something else" in more
    longer = office.refused(
        "override",
        tool="write",
        permissions=["row:read"],
        reason="pilot",
        until="2027-01-01",
        confirm=digest_in(said),
    )
    assert "what was confirmed is something else" in longer
    elsewhere = office.refused(
        "override", "beta", tool="write", permissions=["row:read"], reason="pilot", confirm=digest_in(said)
    )
    assert "what was confirmed is something else" in elsewhere


def test_nothing_to_confirm_is_told(office: Office) -> None:
    said = office.refused("override", tool="read", enabled=False, confirm="0" * 64)
    assert said == "nothing relaxes by it, so there is nothing to confirm"


def test_the_same_again_changes_nothing_and_writes_no_row(office: Office) -> None:
    assert office.relax("write", permissions=[])["changed"] is True
    assert office.relax("write", permissions=[])["changed"] is False
    assert len(office.rows()) == 1


def test_tightening_renaming_and_describing_write_no_row(office: Office) -> None:  # B8
    office.done("override", tool="read", permissions=["row:read", "row:audit"], risk="HIGH")
    office.done("override", tool="write", title="Save", description="", group="rows")
    assert office.rows() == []
    shown = {tool["name"]: tool for tool in office.done("list")["tools"]}
    assert shown["write"]["effective"] == {
        **shown["write"]["declared"],
        "title": "Save",
        "description": "",
        "group": "rows",
    }
    assert shown["read"]["declared"]["risk"] == "READ_ONLY"
    assert shown["read"]["effective"]["risk"] == "HIGH"
    assert shown["read"]["overrides"] == [
        {
            "overrides": ["permissions", "risk"],
            "place": "the store, set by olga on 2026-12-01",
            "reason": "",
            "until": None,
            "confirmed_by": "",
        }
    ]


def test_a_raised_risk_is_enforced_and_a_lowered_one_is_a_label(office: Office) -> None:  # B7
    office.done("override", tool="read", risk="HIGH")
    assert office.code("read", "acme", "row:read") is Code.CONFIRM
    office.done("override", "beta", tool="write", risk="HIGH")
    office.done("reset", "beta", tool="write")
    office.relax("write", "beta", risk="READ_ONLY")
    dry = session("beta", "clerk", "kim", "row:read", "row:write") | {"dry_run": True}
    assert office.gateway.before({"tool": "write", "arguments": {}}, dry).code is Code.DRY_RUN


def test_null_and_a_blank_title_override_nothing(office: Office) -> None:  # B6
    said = office.refused("override", tool="read", title="  ")
    assert said.startswith("it overrides nothing; say one of title, description")
    office.done("override", tool="read", title=" ", group="")
    shown = {tool["name"]: tool for tool in office.done("list")["tools"]}["read"]
    assert (shown["effective"]["title"], shown["effective"]["group"]) == ("Read", "")


def test_a_reset_deletes_the_override(office: Office) -> None:  # B9
    office.done("override", tool="read", enabled=False)
    assert office.done("reset", tool="read")["changed"] is True
    assert office.code("read", "acme", "row:read") is Code.ALLOWED
    assert office.done("reset", tool="read")["changed"] is False
    assert office.done("reset", tool="gone")["changed"] is False


def test_a_relaxation_ends_by_itself(office: Office) -> None:
    office.relax("write", permissions=[], until="2026-12-02")
    assert office.code("write") is Code.ALLOWED
    office.pass_by(hours=35, minutes=59)
    assert office.code("write") is Code.ALLOWED
    office.pass_by(minutes=1)
    assert office.code("write") is Code.PERMISSION_DENIED


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"tool": "red"}, "there is no tool `red` in this tenant"),
        ({"tool": "gateway/list", "enabled": False}, "`gateway/list` is a management tool"),
        ({"tool": "read"}, "it overrides nothing; say one of title"),
        ({"tool": "read", "permissions": ["row *"]}, "`row *` is no permission"),
        ({"tool": "read", "parameters": {"type": "nonsense"}}, "a tool's schema has `type: object`"),
        (
            {"tool": "read", "enabled": False, "until": "2027-01-01"},
            "an override that tightens has no `until`",
        ),
        ({"tool": "read", "title": "R", "until": "soon"}, "`soon` is no date"),
        ({"tool": "read", "title": "R", "until": "2026-11-30"}, "`until` is over already: 2026-11-30"),
    ],
)
def test_what_is_wrong_is_told(office: Office, given: dict[str, Any], why: str) -> None:
    assert why in office.refused("override", **given)
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


@pytest.mark.parametrize("action", ACTIONS)
def test_each_action_needs_its_own_permission(office: Office, action: str) -> None:  # B22
    others = [permission(one) for one in ACTIONS if one != action]
    each: dict[str, dict[str, Any]] = {
        "gateway/override": {"tool": "read", "enabled": False},
        "gateway/reset": {"tool": "read"},
        "gateway/delete": {"name": "own"},
    }
    arguments = each.get(action, {})
    name = action.removeprefix("gateway/")
    assert office.manage(name, operator("acme", *others), **arguments).decision.code is Code.PERMISSION_DENIED
    ran = office.manage(name, operator("acme", permission(action)), **arguments)
    assert ran.decision.code is not Code.PERMISSION_DENIED


def test_no_pattern_but_its_own_binds_management(office: Office) -> None:
    clerk = session("acme", "clerk", "kim", *map(permission, ACTIONS))
    ran = office.manage("override", clerk, tool="read", enabled=False)
    assert ran.decision.code is Code.TOOL_NOT_BOUND
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


@pytest.mark.parametrize(
    ("patterns", "bound"),
    [
        (["*/*", "gateway/list"], {"gateway/list"}),
        (["gateway/no*", "*/*"], set()),
        (["*/override", "gateway/audit"], {"gateway/audit"}),
        (
            ["gateway/*", "!gateway/override", "!*/reset"],
            {"gateway/list", "gateway/audit", "gateway/create", "gateway/update", "gateway/delete"},
        ),
        (["g*/*", "*", "!gateway/list"], set()),
    ],
)
def test_a_pattern_beside_one_that_asks_for_management_binds_no_more_of_it(
    patterns: list[str], bound: set[str]
) -> None:
    found = compiled(POLICY.replace('tools: ["*", "*/*"]', f"tools: {json.dumps(patterns)}"))
    assert {name for name in found.engine.agents["clerk"].tools if "/" in name} == bound


def test_the_names_of_management_are_the_gateway_s_own() -> None:
    own = "  - {name: gateway/override, mode: any, risk: READ_ONLY, permissions: []}\nrules:"
    with pytest.raises(PolicyError) as caught:
        compiled(POLICY.replace("rules:", own))
    assert "reserved-name" in {found.code for found in caught.value.diagnostics}


def test_another_tenant_is_managed_by_its_own_people_only(office: Office) -> None:
    visitor = operator("acme") | {"tenant": "beta"}
    assert office.manage("override", visitor, tool="read", enabled=False).decision.code is Code.CROSS_TENANT


def test_rules_hold_for_management_as_for_all_calls(office: Office) -> None:
    outside = operator("acme") | {"channel": "external"}
    assert office.manage("override", outside, tool="read", enabled=False).decision.code is Code.RULE


def test_management_is_asked_about_unless_the_policy_lifts_that(tmp_path: Path) -> None:
    plain = Office(tmp_path, text=POLICY.replace("- {id: consoles", "- {until: 2026-11-30, id: consoles"))
    ran = plain.manage("override", tool="read", enabled=False)
    assert (ran.decision.effect, ran.decision.code) == (Effect.ASK, Code.CONFIRM)
    assert plain.code("read", "acme", "row:read") is Code.ALLOWED


def test_a_call_that_comes_again_is_carried_out_once(office: Office) -> None:
    call = {"tool": "gateway/override", "id": "m", "arguments": {"tool": "read", "enabled": False}}
    office.gateway.manage(call, operator("acme"))
    office.done("reset", tool="read")
    assert office.gateway.manage(call, operator("acme")).decision.code is Code.ALREADY_COMPLETED
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


def test_running_what_is_management_carries_it_out_and_asks_no_other_function(office: Office) -> None:
    call = {"tool": "gateway/override", "id": "m", "arguments": {"tool": "read", "enabled": False}}
    ran = office.gateway.run(call, operator("acme"), lambda _: pytest.fail("the host ran it"))
    assert ran.done
    assert office.code("read", "acme", "row:read") is Code.TOOL_DISABLED
    call = {"tool": "gateway/reset", "id": "n", "arguments": {"tool": "read"}}
    assert asyncio.run(
        office.gateway.run_async(call, operator("acme"), lambda _: pytest.fail("the host"))
    ).done
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


def test_what_is_no_management_is_not_run(office: Office) -> None:
    with pytest.raises(ValueError, match="`read` is no management action"):
        office.gateway.manage({"tool": "read", "arguments": {}}, operator("acme"))


def test_files_and_store_do_not_override_the_same_tool(office: Office) -> None:
    office.relax("write", permissions=[])
    own = "overrides: [{tenant: acme, tools: [write, read], title: Save}]\n"
    office.path.write_text(POLICY + own)
    office.gateway.reload()
    assert office.code("write", "acme", "row:read", "row:write") is Code.TOOL_DISABLED
    assert "the policy's files override `read`" in office.refused("override", tool="read", enabled=False)
    office.done("reset", tool="write")
    assert office.code("write", "acme", "row:read", "row:write") is Code.ALLOWED
    assert office.code("write") is Code.PERMISSION_DENIED


def test_what_was_confirmed_against_another_declaration_relaxes_no_more(office: Office) -> None:
    office.relax("write", permissions=["row:read"], risk="HIGH", title="Save")
    assert office.code("write", "acme", "row:read") is Code.CONFIRM
    office.path.write_text(
        POLICY.replace('["row:read", "row:write"]', '["row:read", "row:write", "row:sign"]')
    )
    office.gateway.reload()
    assert office.code("write", "acme", "row:read") is Code.PERMISSION_DENIED
    assert office.code("write", "acme", "row:read", "row:write", "row:sign") is Code.CONFIRM


def test_a_permission_in_place_of_another_is_still_asked_for_when_the_policy_gets_stricter(
    office: Office,
) -> None:
    office.relax("write", permissions=["row:read", "row:admin"])
    who = ("row:read", "row:write", "row:x")
    assert office.code("write", "acme", *who) is Code.PERMISSION_DENIED
    office.path.write_text(POLICY.replace('["row:read", "row:write"]', '["row:read", "row:write", "row:x"]'))
    office.gateway.reload()
    assert office.code("write", "acme", *who) is Code.PERMISSION_DENIED
    assert office.code("write", "acme", *who, "row:admin") is Code.ALLOWED


def test_what_asks_for_another_permission_has_no_end(office: Office) -> None:
    swapped: dict[str, Any] = {"tool": "write", "permissions": ["row:read", "row:admin"], "reason": "pilot"}
    said = office.refused("override", **swapped, until="2026-12-31")
    assert "an override that tightens has no `until`" in said
    assert "`row:admin` is needed, too" in said


def test_an_override_that_can_not_be_read_switches_its_tool_off(office: Office) -> None:
    for value in (b"no json", b"[]", b'{"tool": "read"}', b'{"tool": "read", "values": {"risk": "AWFUL"}}'):
        office.store.apply([Put(override_key("acme", "read"), value, None)])
        assert office.code("read", "acme", "row:read") is Code.TOOL_DISABLED
        assert office.code("write", "acme", "row:read", "row:write") is Code.ALLOWED
    office.done("reset", tool="read")
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


@pytest.mark.parametrize("parameters", [{"$ref": "#"}, {"$ref": "#/gone"}])
def test_a_schema_that_can_not_be_shown_switches_its_tool_off_and_no_other(
    office: Office, parameters: dict[str, Any]
) -> None:
    kept = KeptOverride("read", {"parameters": parameters}, "", None, "olga", "Olga", "2026-12-01", "")
    office.store.apply([Put(override_key("acme", "read"), kept.packed(), None)])
    assert office.code("read", "acme", "row:read") is Code.TOOL_DISABLED
    listed = office.gateway.tools(session("acme", "clerk", "kim", "row:read", "row:write"))
    assert [tool.name for tool in listed.visible] == ["write"]


@pytest.mark.parametrize("name", ["5", '["override",["a"]]', "[]", "no json", '["else","read"]', "null"])
def test_an_entry_about_no_tool_that_can_be_told_changes_nothing_and_is_listed(
    office: Office, name: str
) -> None:
    office.store.apply([Put(Key("acme", Kind.OVERRIDE, name), b"{}", None)])
    assert office.code("read", "acme", "row:read") is Code.ALLOWED
    assert name in office.done("list")["problems"]


def test_any_text_can_be_said_of_a_tool(office: Office) -> None:
    texts = ["\U0001f600 read", "a: b # c", "off", "\u2028line\x85", "'\"\\", "&a *b !c", "2026-12-01", " x "]
    for text in texts:
        office.done("override", tool="read", title=text, description=text)
        shown = {tool["name"]: tool for tool in office.done("list")["tools"]}["read"]
        assert (shown["effective"]["title"], shown["effective"]["description"]) == (text, text)
    long = {"type": "object", "properties": {"p" * 3000: {"type": "string"}}}
    office.done("override", tool="read", parameters=long)


@pytest.mark.parametrize("tenant", ["é", "t" * 300, "a b"])
def test_any_tenant_can_be_managed(office: Office, tenant: str) -> None:
    office.done("override", tenant, tool="read", enabled=False)
    assert office.code("read", tenant, "row:read") is Code.TOOL_DISABLED


@pytest.mark.parametrize(
    "given", [{}, {"tool": 5}, {"tool": "read", "reason": []}, {"tool": "read", "risk": 7}]
)
def test_what_is_no_override_at_all_is_told(office: Office, given: dict[str, Any]) -> None:
    with pytest.raises(ManagementError):
        office.gateway.relaxing(given, operator("acme"))


def test_one_tool_s_override_counts_for_no_other(office: Office) -> None:
    office.relax("write", permissions=[])
    kept = office.store.read((place := override_key("acme", "write"),)).entries[place]
    office.store.apply([Put(override_key("acme", "read"), kept.value, None)])
    assert office.code("read") is Code.TOOL_DISABLED


def test_a_result_is_reviewed_under_the_override_that_it_was_decided_under(office: Office) -> None:
    call = {"tool": "read", "id": "c", "arguments": {}}
    who = session("acme", "clerk", "kim", "row:read")
    office.done("override", tool="read", title="Look")
    decision = office.gateway.before(call, who)
    office.done("override", tool="read", enabled=False)
    assert "the row" in office.gateway.after(call, who, "the row", decision).text
