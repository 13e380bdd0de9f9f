"""Custom tools: what one tenant has beside the tools of the policy. Rows B12 and B22."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gateway.answering import Answer, Verdict
from gateway.decision import Code
from gateway.engine import Engine
from gateway.managing.kept import tool_key
from gateway.state import Change, Delete, Put
from gateway.stores.memory import MemoryStore
from tests.managing.office import POLICY, Office, session

RATES: dict[str, Any] = {
    "name": "rates",
    "risk": "READ_ONLY",
    "action": "query",
    "source": "http",
    "endpoint": "https://rates.example.com",
    "permissions": [],
}
BOOK: dict[str, Any] = {
    **RATES,
    "name": "book",
    "risk": "HIGH",
    "action": "invoke",
    "permissions": ["book:invoke"],
}


def test_a_custom_tool_is_there_for_its_tenant_only(office: Office) -> None:
    office.done("create", **RATES)
    assert office.code("rates") is Code.ALLOWED
    assert office.code("rates", gateway=office.another()) is Code.ALLOWED
    assert office.code("rates", "beta") is Code.TOOL_NOT_FOUND
    listed = [tool.name for tool in office.gateway.tools(session("acme", "clerk", "kim")).visible]
    assert listed == ["rates"]


def test_a_host_finds_where_a_custom_tool_is(office: Office) -> None:
    office.done("create", **RATES, config={"region": "eu"})
    (tool,) = (tool for tool in office.gateway.effective("acme") if tool.name == "rates")
    assert (tool.source, tool.endpoint, tool.config) == ("http", RATES["endpoint"], {"region": "eu"})
    (listed,) = (tool for tool in office.done("list")["tools"] if tool["custom"])
    assert (listed["source"], listed["endpoint"]) == ("http", RATES["endpoint"])


def test_a_custom_tool_passes_all_steps(office: Office) -> None:
    office.done("create", **BOOK)
    assert office.code("book") is Code.PERMISSION_DENIED
    assert office.code("book", "acme", "book:invoke") is Code.CONFIRM
    outside = session("acme", "clerk", "kim", "book:invoke") | {"channel": "external"}
    assert office.gateway.before({"tool": "book", "arguments": {}}, outside).code is Code.RULE
    console = session("acme", "console", "kim", "book:invoke")
    assert office.gateway.before({"tool": "book", "arguments": {}}, console).code is Code.TOOL_NOT_BOUND


def test_each_change_of_a_custom_tool_is_audited(office: Office) -> None:
    office.done("create", **RATES)
    office.done("update", **{**RATES, "risk": "LOW"})
    office.done("delete", name="rates")
    assert office.code("rates") is Code.TOOL_NOT_FOUND
    assert office.rows()[1] == {
        "number": 2,
        "at": "2026-12-01T12:00:00+00:00",
        "tenant": "acme",
        "tool": "rates",
        "done": "updated",
        "risk": "LOW",
        "permissions": [],
        "endpoint": "https://rates.example.com",
        "operator_id": "olga",
        "operator_name": "Olga",
    }
    assert [row["done"] for row in office.rows()] == ["created", "updated", "deleted"]


def test_the_same_again_changes_nothing(office: Office) -> None:
    assert office.done("create", **RATES)["changed"] is True
    assert office.done("create", **RATES)["changed"] is False
    assert office.done("update", **RATES)["changed"] is False
    assert office.done("delete", name="rates")["changed"] is True
    assert office.done("delete", name="rates")["changed"] is False
    assert len(office.rows()) == 2


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"name": "Rates"}, "`Rates` is no name of a custom tool"),
        ({"name": "r"}, "`r` is no name of a custom tool"),
        ({"name": "9rates"}, "`9rates` is no name of a custom tool"),
        ({"name": "r" * 65}, "is no name of a custom tool"),
        ({"name": "acme/rates"}, "`acme/rates` is no name of a custom tool"),
        ({"name": "räte"}, "`räte` is no name of a custom tool"),
        ({"name": "read"}, "the policy has a tool `read`, and that would win"),
        ({"endpoint": " "}, "says in `source` and `endpoint` what the host runs"),
        ({"source": " "}, "says in `source` and `endpoint` what the host runs"),
        ({"action": "invoke"}, "a tool that writes (`action: invoke`) is not READ_ONLY"),
        ({"action": "invoke", "risk": "LOW"}, "needs a permission that ends in `:invoke`"),
        (
            {"action": "invoke", "risk": "LOW", "permissions": ["book:read"]},
            "needs a permission that ends in `:invoke`",
        ),
        ({"config": {"password": "correct horse"}}, "`config.password` looks like a credential"),
        ({"config": {"auth": [{"api_key": "abcd1234"}]}}, "`config.auth[0].api_key` looks like a credential"),
        ({"config": {"note": "AKIA" + "IOSFODNN7EXAMPLQ"}}, "`config.note` looks like a credential"),
        ({"endpoint": "https://olga:hunter22@rates.example.com"}, "`endpoint` looks like a credential"),
        ({"parameters": {"type": "array"}}, "a tool's schema has `type: object`"),
        ({"permissions": ["row *"]}, "`row *` is no permission"),
        ({"interface": [{"name": "day", "type": "date"}]}, "`date` is no type of the parameter `day`"),
        ({"interface": [{"name": "day"}, {"name": "day"}]}, "the parameter `day` is named twice"),
    ],
)
def test_what_is_wrong_is_told(office: Office, changes: dict[str, Any], why: str) -> None:
    assert why in office.refused("create", **{**RATES, **changes})
    assert office.rows() == []


@pytest.mark.parametrize("missing", ["risk", "action", "source", "endpoint", "permissions"])
def test_a_custom_tool_says_what_it_is(office: Office, missing: str) -> None:
    given = {key: value for key, value in RATES.items() if key != missing}
    ran = office.manage("create", **given)
    assert ran.decision.code is Code.ARGUMENT_INVALID
    assert missing in ran.decision.message


def test_a_custom_tool_has_a_known_risk(office: Office) -> None:
    ran = office.manage("create", **{**RATES, "risk": "MILD"})
    assert ran.decision.code is Code.ARGUMENT_INVALID
    assert '`risk` must be one of `"READ_ONLY"`, `"LOW"`' in ran.decision.message


@pytest.mark.parametrize("key", ["mode", "switch", "wraps", "read_only_when", "channels", "enabled"])
def test_a_custom_tool_can_not_say_what_only_the_policy_says(office: Office, key: str) -> None:
    assert office.manage("create", **{**RATES, key: "x"}).decision.code is Code.ARGUMENT_INVALID


def test_an_approval_is_for_the_tool_as_it_was(office: Office) -> None:
    office.done("create", **BOOK)
    who = session("acme", "clerk", "kim", "book:invoke")
    call = {"tool": "book", "id": "c-1", "arguments": {}}
    asked = office.gateway.before(call, who).approval
    assert asked is not None
    office.gateway.resume(asked["id"], Answer(Verdict.APPROVE), session("acme", "clerk", "lee"))
    office.done("update", **{**BOOK, "endpoint": "https://elsewhere.example.com"})
    again = office.gateway.before(call, who)
    assert again.code is Code.CONFIRM
    assert again.approval is not None
    assert again.approval["id"] != asked["id"]


def test_there_are_at_most_so_many(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateway.managing.custom.MOST", 1)
    office.done("create", **RATES)
    assert office.refused("create", **BOOK) == "the tenant has 1 custom tools, and there can't be more"
    office.done("update", **{**RATES, "risk": "LOW"})


def test_there_is_one_of_a_name(office: Office) -> None:
    office.done("create", **RATES)
    assert "there is a custom tool `rates` already" in office.refused("create", **{**RATES, "risk": "LOW"})
    assert "there is no custom tool `book`" in office.refused("update", **BOOK)


def test_an_empty_schema_comes_from_the_interface(office: Office) -> None:
    interface = [
        {"name": "day", "required": True, "description": "Which day."},
        {"name": "count", "type": "integer"},
    ]
    office.done("create", **RATES, interface=interface)
    (tool,) = office.gateway.tools(session("acme", "clerk", "kim")).visible
    assert tool.parameters["required"] == ["day"]
    assert tool.parameters["properties"] == {
        "day": {"type": "string", "description": "Which day."},
        "count": {"type": "integer"},
    }


def test_a_tool_of_the_policy_wins(office: Office) -> None:
    office.done("create", **RATES)
    office.done("create", **BOOK)
    declared = '  - {name: rates, risk: HIGH, permissions: ["rates:own"]}\n'
    office.path.write_text(POLICY.replace("rules:", f"{declared}rules:"))
    office.gateway.reload(on_relaxation=_accept())
    assert office.code("rates") is Code.PERMISSION_DENIED
    assert office.code("book") is Code.PERMISSION_DENIED
    office.done("delete", name="rates")
    assert office.code("rates") is Code.PERMISSION_DENIED


def test_custom_tools_that_a_new_policy_can_not_have_are_gone_and_that_is_told(office: Office) -> None:
    office.done("create", **RATES)
    office.path.write_text(POLICY.replace("rules:", 'defaults: [{tools: ["rat*"], source: builtin}]\nrules:'))
    office.gateway.reload(on_relaxation=_accept())
    assert office.code("rates") is Code.TOOL_NOT_FOUND
    assert office.code("read", "acme", "row:read") is Code.ALLOWED
    assert "two different values for `source`" in office.done("list")["problems"]["rates"]


def test_one_tool_that_does_not_fit_takes_no_other_with_it(office: Office) -> None:
    for name in ("aa", "bb", "cc", "dd", "ee"):
        office.done("create", **{**RATES, "name": name})
    office.done("create", **{**RATES, "name": "rates_cc"})
    office.path.write_text(POLICY.replace("rules:", 'defaults: [{tools: ["rat*"], source: builtin}]\nrules:'))
    office.gateway.reload(on_relaxation=_accept())
    for name in ("aa", "bb", "cc", "dd", "ee"):
        assert office.code(name) is Code.ALLOWED
    assert office.code("rates_cc") is Code.TOOL_NOT_FOUND
    assert list(office.done("list")["problems"]) == ["rates_cc"]
    office.done("create", **{**RATES, "name": "ff"})
    assert office.code("ff") is Code.ALLOWED


def test_a_relaxation_of_a_tool_is_none_of_another_that_took_its_name(office: Office) -> None:
    needs = {**RATES, "permissions": ["rates:own"]}
    office.done("create", **needs)
    office.relax("rates", permissions=[])
    assert office.code("rates") is Code.ALLOWED
    office.done("update", **{**needs, "endpoint": "https://bank.example.com"})
    assert office.code("rates") is Code.PERMISSION_DENIED
    office.relax("rates", permissions=[])
    assert office.code("rates") is Code.ALLOWED


def test_an_override_that_comes_while_its_tool_goes_relaxes_no_later_one(tmp_path: Path) -> None:
    class Slow(MemoryStore):
        meanwhile: Callable[[], object] | None = None

        def apply(self, changes: Sequence[Change]) -> None:
            if self.meanwhile and any(isinstance(change, Delete) for change in changes):
                meanwhile, self.meanwhile = self.meanwhile, None
                meanwhile()
            super().apply(changes)

    store = Slow()
    office = Office(tmp_path, store)
    needs = {**RATES, "permissions": ["rates:own"]}
    office.done("create", **needs)
    store.meanwhile = lambda: office.relax("rates", permissions=[])
    office.done("delete", name="rates")
    office.done("create", **{**needs, "endpoint": "https://bank.example.com"})
    assert office.code("rates") is Code.PERMISSION_DENIED


def test_a_title_that_differs_compiles_no_custom_tool_anew(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gateway.serving import Serving

    office.done("create", **RATES)
    office.code("rates")
    compiled: list[str] = []
    extended = Serving.extended

    def noted(one: Serving, text: str) -> Engine:
        compiled.append(text)
        return extended(one, text)

    monkeypatch.setattr(Serving, "extended", noted)
    office.done("override", tool="read", title="Look")
    assert office.code("rates") is Code.ALLOWED
    assert compiled == []
    office.done("update", **{**RATES, "risk": "LOW"})
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: office.code("rates"), range(16)))
    assert len(compiled) == 2  # to look whether it fits, and to serve it


def test_declarations_are_bounded_together(office: Office) -> None:
    large = {"type": "object", "properties": {"day": {"enum": [f"{n:0100}" for n in range(900)]}}}
    for name in ("aa", "bb"):
        office.done("create", **{**RATES, "name": name}, parameters=large)
    said = office.refused("create", **RATES, parameters=large)
    assert said == "the tenant's custom tools are declared in more than 262144 bytes"


def test_a_custom_tool_can_be_overridden_and_goes_with_its_override(office: Office) -> None:
    office.done("create", **RATES)
    office.done("override", tool="rates", permissions=["rates:own"])
    assert office.code("rates") is Code.PERMISSION_DENIED
    office.done("delete", name="rates")
    office.done("create", **RATES)
    assert office.code("rates") is Code.ALLOWED


def test_what_can_not_be_read_is_no_tool(office: Office) -> None:
    office.done("create", **RATES)
    for value in (b"no json", b"[]", b'{"name": "other"}', b'{"name": "rates"}'):
        office.store.apply([Put(tool_key("acme", "rates"), value, None)])
        assert office.code("rates") is Code.TOOL_NOT_FOUND
        assert office.code("read", "acme", "row:read") is Code.ALLOWED
    office.done("delete", name="rates")


def _accept() -> Any:
    from gateway import OnRelaxation

    return OnRelaxation.WARN
