"""Step 2: the links that make a tool visible. Rows A1, A3, A4, B14, B24, E3, E4, E5."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.decision import Code, Effect
from gateway.diagnostic import PolicyError
from tests.engine.build import SHOP, compiled, decide, gateway, session

LINKS: list[tuple[str, str, dict[str, Any], str, Code]] = [
    ("not bound", "order_purge", {}, "bound", Code.TOOL_NOT_BOUND),
    ("wrong channel", "remote_only", {"capabilities": ["sandbox", "net"]}, "channel", Code.TOOL_DISABLED),
    ("switch off", "execute", {"capabilities": ["sandbox"]}, "switch", Code.TOOL_DISABLED),
    ("mode absent", "web", {}, "mode", Code.TOOL_DISABLED),
    ("mode off", "web", {"modes": {"web_search": "off"}}, "mode", Code.TOOL_DISABLED),
    ("not enabled", "order_off", {}, "enabled", Code.TOOL_DISABLED),
    ("requirement", "remote_only", {"channel": "external", "capabilities": ["net"]}, "requirement", Code.REQUIREMENT_MISSING),
]  # fmt: skip


@pytest.mark.parametrize(("_n", "tool", "changes", "link", "code"), LINKS, ids=[link[0] for link in LINKS])
def test_each_link_hides_the_tool_and_is_named_to_the_operator(
    _n: str, tool: str, changes: dict[str, Any], link: str, code: Code
) -> None:  # A2
    decision = decide(tool, **changes)
    assert (decision.effect, decision.code) == (Effect.DENY, code)
    assert decision.detail.startswith(f"{link}: ")
    hidden = {h.name: h.link for h in gateway().tools(session(**changes)).hidden}
    assert hidden[tool] == link


@pytest.mark.parametrize(
    ("_n", "tool", "changes", "link", "code"), LINKS[:-1], ids=[link[0] for link in LINKS[:-1]]
)
def test_the_model_cannot_tell_a_hidden_tool_from_none(
    _n: str, tool: str, changes: dict[str, Any], link: str, code: Code
) -> None:
    decision = decide(tool, **changes)
    assert decision.outside_code == "TOOL_NOT_FOUND"
    unknown = decide(tool + "x", **changes)
    assert decision.message.replace(tool, "T") == unknown.message.replace(tool + "x", "T")


def test_what_the_session_lacks_is_told() -> None:
    decision = decide("remote_only", channel="external", capabilities=["net"])
    assert decision.outside_code == "REQUIREMENT_MISSING"
    assert "`sandbox`" in decision.message


def test_mode_tools_need_no_binding() -> None:  # A4
    for mode in ("auto", "on"):
        assert decide("web", {"query": "x"}, modes={"web_search": mode}).proceeds
    assert decide("web", {"query": "x"}, agent="reader", modes={"web_search": "on"}).proceeds


def test_modes_are_off_without_a_session() -> None:  # A4
    assert gateway().before({"tool": "web", "arguments": {"query": "x"}}, None).effect is Effect.DENY


def test_a_switch_is_the_deployment_s_and_never_a_session_s() -> None:  # E4
    assert decide("order_beta").proceeds
    assert decide("execute", capabilities=["sandbox"], modes={"code_exec": "on"}).code is Code.TOOL_DISABLED
    on = SHOP.replace("code_exec: false", "code_exec: true")
    assert decide("execute", text=on, capabilities=["sandbox"]).effect is Effect.ASK
    undeclared = SHOP.replace("code_exec: false, ", "")
    assert decide("execute", text=undeclared, capabilities=["sandbox"]).code is Code.TOOL_DISABLED


def test_dangerous_tools_run_only_inside_what_they_require() -> None:  # E5
    on = SHOP.replace("code_exec: false", "code_exec: true")
    assert decide("execute", text=on).code is Code.REQUIREMENT_MISSING


def test_an_announced_tool_that_nothing_binds_is_not_there() -> None:  # A3, E3
    call = {"tool": "delete_repository", "server": "github", "arguments": {}}
    assert gateway().before(call, session()).code is Code.TOOL_NOT_FOUND
    assert (
        gateway().before({**call, "server": None, "tool": "search"}, session(agent="nowhere")).effect
        is Effect.DENY
    )


def test_an_exclusion_takes_away_what_a_glob_gave() -> None:  # E3
    assert decide("order_read", {"id": "1"}).proceeds
    assert decide("order_purge").code is Code.TOOL_NOT_BOUND


def test_suggestions_are_few_and_only_what_the_subject_sees() -> None:  # B14
    message = decide("order_reed").message
    assert "`order_read`" in message
    assert message.count("`") <= 6
    blind = decide("order_reed", subject={"permissions": []}).message
    assert "`order_read`" not in blind
    assert "order_off" not in decide("order_of").message
    assert "Similar" not in decide("zzzzzz").message


def test_an_unattended_agent_binds_nothing_above_its_maximum() -> None:  # B24
    wrong = SHOP.replace("{name: reader, tools: [search]", "{name: reader, tools: [search, order_pay]")
    with pytest.raises(PolicyError) as caught:
        compiled(wrong)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "risk-above-maximum"
    assert "`order_pay`" in diagnostic.message
    assert diagnostic.span is not None
    assert diagnostic.span.text == "READ_ONLY"


def test_two_tools_of_one_name_are_an_error() -> None:  # B12
    with pytest.raises(PolicyError) as caught:
        compiled(SHOP + "  - {name: search, risk: LOW, permissions: []}\n")
    assert [d.code for d in caught.value.diagnostics] == ["duplicate-name"]


def test_one_descriptor_holds_all_that_a_tool_is() -> None:  # A1
    text = """
version: 1
agents: [{name: a, tools: [t], tenants: ["*"]}]
tools:
  - {name: t, title: T, description: D, source: http, endpoint: "https://example.com/t", timeout: 10s, version: "2", enabled: true, risk: LOW, permissions: [p], parameters: {type: object, properties: {x: {type: string}}}}
"""
    view = compiled(text).engine.tools["t"].view
    assert (view["source"], view["version"], view["risk"], view["permissions"]) == ("http", "2", "LOW", ["p"])


def test_the_links_come_in_order() -> None:  # A2
    """With everything wrong at once, each mended link shows the next one."""
    text = """
version: 1
settings: {switches: {SWITCH: false}}
agents: [{name: clerk, tools: [BOUND], tenants: ["*"]}]
tools:
  - {name: t, risk: READ_ONLY, permissions: [p], channels: [external], switch: deep, mode: web, enabled: false, requires: [net, files], parameters: {type: object, required: [x], properties: {x: {type: integer}}}}
  - {name: other, risk: READ_ONLY, permissions: []}
""".replace("BOUND", "other")
    text = text.replace("SWITCH", "deep")
    unmoded = text.replace("mode: web, ", "")
    on = text.replace("deep: false", "deep: true")
    enabled = on.replace("enabled: false, ", "")
    who: dict[str, Any] = {"channel": "external", "modes": {"web": "on"}, "subject": {"permissions": ["p"]}}

    def answer(text: str, arguments: Any = None, **changes: Any) -> tuple[Code, str]:
        decision = decide("t", arguments, text=text, **{**who, **changes})
        return decision.code, decision.detail.partition(":")[0]

    assert answer(unmoded, channel="internal") == (Code.TOOL_NOT_BOUND, "bound")
    assert answer(text, channel="internal", modes={}) == (Code.TOOL_DISABLED, "channel")
    assert answer(text, modes={}) == (Code.TOOL_DISABLED, "switch")
    assert answer(on, modes={}) == (Code.TOOL_DISABLED, "mode")
    assert answer(on) == (Code.TOOL_DISABLED, "enabled")
    assert answer(enabled) == (Code.REQUIREMENT_MISSING, "requirement")
    assert answer(enabled, capabilities=["net"]) == (Code.REQUIREMENT_MISSING, "requirement")
    supplied: dict[str, Any] = {"capabilities": ["net", "files"]}
    assert answer(enabled, subject={"permissions": []}, **supplied)[0] is Code.PERMISSION_DENIED
    assert answer(enabled, **supplied)[0] is Code.ARGUMENT_INVALID
    assert answer(enabled, {"x": 1}, **supplied)[0] is Code.ALLOWED


def test_a_mode_tool_is_capped_by_an_agent_s_maximum_too() -> None:  # A4, B24
    wrong = SHOP.replace("mode: web_search, risk: READ_ONLY", "mode: web_search, risk: LOW")
    with pytest.raises(PolicyError) as caught:
        compiled(wrong)
    assert [d.code for d in caught.value.diagnostics] == ["risk-above-maximum"]
    at_most = SHOP.replace("max_risk: READ_ONLY", "max_risk: LOW").replace(
        "mode: web_search, risk: READ_ONLY", "mode: web_search, risk: LOW"
    )
    assert compiled(at_most).summary["ready"]


def test_a_long_name_is_cut_in_the_answer() -> None:
    message = decide("z" * 80).message
    assert f"`{'z' * 80}`" in message
    assert f"`{'z' * 80}`" in decide("z" * 81).message
    assert "\u202e" not in decide("a\u202eb").message


def test_at_most_two_names_are_suggested() -> None:  # B14
    names = ["order_a", "order_b", "order_c"]
    tools = "".join(f"  - {{name: {name}, risk: READ_ONLY, permissions: []}}\n" for name in names)
    message = decide("order_d", text=SHOP + tools).message
    assert sum(f"`{name}`" in message for name in names) == 2
    assert "Similar tools: `order_" in message
