"""Tools as declared: what `defaults` give to each tool that matches, and what conditions see of it. Rows A1, B12."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.compile import Compiled
from gateway.decision import Code, Effect
from gateway.diagnostic import PolicyError
from gateway.risk import RiskLevel
from tests.engine.build import compiled, decide, gateway, session

HEAD = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"], max_steps: 7, max_risk: HIGH}]
"""
DEFAULTS = (
    HEAD
    + """
defaults:
  - {tools: ["form_*", "!form_old"], permissions: ["form:use", "form:edit"], requires: [net], channels: [internal], group: forms, inspect: {command: shell}}
  - {tools: ["*"], requires: [net, files], resource_permissions: ["row:{tool.name}"], risk: LOW, inspect: {path: path}}
tools:
  - {name: form_new, permissions: ["form:new", "form:use"], resource_permissions: ["row:{tool.name}", "new:{args.command}"], parameters: &P {type: object, properties: {command: {type: string}, path: {type: string}}}}
  - {name: form_old, risk: LOW, permissions: [], parameters: &P}
"""
)
DEFAULTS = DEFAULTS.replace(
    "&P}", "{type: object, properties: {command: {type: string}, path: {type: string}}}}"
).replace("&P ", "")


def view(made: Compiled, tool: str) -> dict[str, Any]:
    return dict(made.engine.tools[tool].view)


def test_lists_of_defaults_unite_and_an_exclusion_is_left_out() -> None:
    tools = compiled(DEFAULTS).engine.tools
    assert tools["form_new"].permissions == ("form:new", "form:use", "form:edit")
    assert tools["form_new"].requires == ("files", "net")
    assert tools["form_old"].permissions == ()
    assert tools["form_old"].requires == ("files", "net")
    assert tools["form_old"].channels is None
    assert tools["form_new"].risk is RiskLevel.LOW
    assert [one.argument for one in tools["form_new"].inspected] == ["command", "path"]
    assert [one.argument for one in tools["form_old"].inspected] == ["path"]
    assert [one.template.text for one in tools["form_new"].resource] == [
        "row:{tool.name}",
        "new:{args.command}",
    ]


def test_permissions_from_defaults_are_all_needed() -> None:  # B2
    held = ["form:new", "form:use", "row:form_new", "new:ls"]
    call: dict[str, Any] = {"command": "ls"}
    who: dict[str, Any] = {"capabilities": ["net", "files"], "subject": {"permissions": held}}
    decision = decide("form_new", call, text=DEFAULTS, **who)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.PERMISSION_DENIED)
    assert "`form:edit`" in decision.detail
    held.append("form:edit")
    assert decide("form_new", call, text=DEFAULTS, **who).proceeds


def test_the_same_value_twice_is_no_conflict() -> None:
    text = DEFAULTS.replace(
        "{name: form_old, risk: LOW,", "{name: form_old, risk: LOW, inspect: {path: path, command: shell},"
    )
    assert compiled(text).engine.tools["form_old"].risk is RiskLevel.LOW


def test_conditions_see_what_is_declared_and_empty_values_for_the_rest() -> None:  # A1
    made = compiled(DEFAULTS)
    new = view(made, "form_new")
    assert (new["group"], new["title"], new["mode"], new["description"]) == ("forms", "", "", "")
    assert (new["channels"], new["requires"], new["enabled"]) == (["internal"], ["files", "net"], True)
    assert new["config"] == {}
    agent = made.engine.agents["clerk"].view
    assert (agent["name"], agent["tools"]) == ("clerk", ["form_new", "form_old"])
    assert (agent["max_steps"], agent["max_risk"]) == (7, "HIGH")


TOOLS = (
    HEAD
    + """
tools:
  - {name: get, enabled: false, risk: LOW, permissions: [], config: {domains: [a.org, b.org], most: 3, deep: {x: y}}, description: "From {config.domains}, at most {config.most}, {config.deep.x}{config.deep.z}{config.most.x}, {tool.name}."}
  - {name: put, risk: HIGH, permissions: [], parameters: {type: object, properties: {file: {type: string, x-role: path}, other: {type: string, x-role: path}}}, inspect: {other: path}}
"""
)


def test_a_description_is_filled_from_the_configuration() -> None:  # D1
    text = TOOLS.replace("enabled: false, ", "")
    shown = {tool.name: tool.description for tool in gateway(text).tools(session()).visible}
    assert shown["get"] == "From a.org, b.org, at most 3, y, get."
    assert shown["put"] == ""


CONFIGURED = """
version: 1
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
defaults:
  - tools: ["fetch_*"]
    parameters:
      type: object
      required: [domain]
      properties:
        domain: {type: string, enum: "{config.domains}", description: "One of {config.domains}; {other} stays."}
        rows: {type: integer, maximum: "{config.limits.rows}", default: 5}
tools:
  - {name: fetch_news, risk: READ_ONLY, permissions: [], config: {domains: [a.org, b.org], limits: {rows: 10}}}
  - {name: fetch_docs, risk: READ_ONLY, permissions: [], config: {domains: [docs.org], limits: {rows: 50}}}
"""


def test_a_schema_is_narrowed_by_the_configuration_for_the_model_and_for_calls() -> None:  # D1
    shown = {
        tool.name: tool.parameters["properties"] for tool in gateway(CONFIGURED).tools(session()).visible
    }
    assert shown["fetch_news"]["domain"]["enum"] == ["a.org", "b.org"]
    assert shown["fetch_news"]["domain"]["description"] == "One of a.org, b.org; {other} stays."
    assert shown["fetch_docs"]["domain"]["enum"] == ["docs.org"]
    assert decide("fetch_news", {"domain": "b.org", "rows": 10}, text=CONFIGURED).proceeds
    for tool, arguments in (
        ("fetch_docs", {"domain": "b.org"}),
        ("fetch_news", {"domain": "b.org", "rows": 11}),
    ):
        refusal = decide(tool, arguments, text=CONFIGURED)
        assert (refusal.effect, refusal.code) == (Effect.DENY, Code.ARGUMENT_INVALID)


def test_conditions_are_checked_against_the_narrowed_schema() -> None:
    rule = "rules: [{id: r, tools: [fetch_docs], when: 'args.domain == \"c.org\"', effect: deny}]\n"
    with pytest.raises(PolicyError, match=r"docs\.org"):
        compiled(CONFIGURED + rule)


@pytest.mark.parametrize(
    ("change", "code", "said", "underlined"),
    [
        (
            ('{config.domains}",', '{config.domain}",'),
            "unknown-name",
            "`{config.domain}`",
            '"{config.domain}"',
        ),
        (("limits.rows}", "limits.row}"), "unknown-name", "`{config.limits.row}`", '"{config.limits.row}"'),
        (
            ("limits: {rows: 50}", "limits: {rows: many}"),
            "wrong-schema",
            "`maximum`",
            '"{config.limits.rows}"',
        ),
        (("[docs.org]", "docs.org"), "wrong-schema", "`enum`", '"{config.domains}"'),
        (("limits: {rows: 50}", "limits: {rows: 4}"), "wrong-schema", "default", "5"),
    ],
)
def test_a_schema_that_its_configuration_does_not_complete_does_not_load(
    change: tuple[str, str], code: str, said: str, underlined: str
) -> None:
    assert change[0] in CONFIGURED
    with pytest.raises(PolicyError) as caught:
        compiled(CONFIGURED.replace(*change))
    found = caught.value.diagnostics[0]
    assert (found.code, found.span is not None and found.span.text) == (code, underlined)
    assert said in found.message
    assert {each.code for each in caught.value.diagnostics} == {code}


def test_what_is_switched_off_says_so_to_conditions() -> None:
    assert view(compiled(TOOLS), "get")["enabled"] is False
    assert view(compiled(TOOLS), "get")["config"]["most"] == 3
    assert view(compiled(TOOLS), "get")["description"].startswith("From {config.domains}")


def test_arguments_whose_role_is_path_are_inspected_once_each() -> None:
    assert [one.argument for one in compiled(TOOLS).engine.tools["put"].inspected] == ["other", "file"]


def test_a_nested_path_is_inspected_by_its_role() -> None:
    text = TOOLS.replace(
        "file: {type: string, x-role: path}",
        "file: {type: array, items: {type: string, x-role: path}}",
    )
    assert [one.argument for one in compiled(text).engine.tools["put"].inspected] == ["other", "file.*"]


def test_the_order_of_defaults_decides_nothing() -> None:  # B2
    one, two = "  - {tools: [t], permissions: [p2]}\n", "  - {tools: [t], permissions: [p1]}\n"
    head = "version: 1\nagents: [{name: clerk, tools: [t], tenants: ['*']}]\ntools: [{name: t, risk: LOW, permissions: [own]}]\ndefaults:\n"
    for defaults in (one + two, two + one):
        assert compiled(head + defaults).engine.tools["t"].permissions == ("own", "p1", "p2")
