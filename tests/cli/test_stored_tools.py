"""`check`, `tools` and `explain` go by what a store keeps of a tenant's tools, and touch nothing else there. B6, B22."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

from gateway import Code, Gateway
from gateway.recorders.file import FileRecorder
from gateway.session import Session
from gateway.stores import open_store
from gateway.testing import load
from tests.managing.office import POLICY, Office, session
from tests.managing.test_custom import RATES

READ = {"tool": "read", "id": "c-1", "arguments": {}}
KIM = session("acme", "clerk", "kim", "row:read", "row:write")


@pytest.fixture
def office(tmp_path: Path) -> Office:
    made = Office(tmp_path, open_store(url(tmp_path)))
    made.done("override", tool="read", enabled=False)
    (tmp_path / "kim.json").write_text(json.dumps(KIM))
    return made


def url(folder: Path) -> str:
    return f"sqlite://{folder}/state/store.db"


def run(folder: Path, *arguments: str, store: bool = True) -> Result:
    where = ["--policies", f"{folder}/policy.yaml"]
    return CliRunner(env={"GATEWAY_STORE": url(folder) if store else ""}).invoke(cli, [*arguments, *where])


def decided(folder: Path, *arguments: str, store: bool = True) -> Any:
    result = run(folder, *arguments, "--session", f"{folder}/kim.json", "--format", "json", store=store)
    return json.loads(result.output)["code"]


@pytest.mark.parametrize("command", ["check", "explain"])
def test_a_decision_passed_over_the_override_in_the_store(
    office: Office, tmp_path: Path, command: str
) -> None:  # B6
    assert decided(tmp_path, command, "read", "{}") == "TOOL_DISABLED"
    assert decided(tmp_path, command, "write", "{}") == "ALLOWED"
    assert decided(tmp_path, command, "read", "{}", store=False) == "ALLOWED"


def test_a_batch_passed_over_the_override_in_the_store(office: Office, tmp_path: Path) -> None:  # B6
    lines = [
        {"id": n, "session": session(tenant, "clerk", "kim", "row:read"), "call": READ}
        for n, tenant in enumerate(("acme", "beta", "acme"))
    ]
    (tmp_path / "batch").write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = run(tmp_path, "check", "--batch", f"{tmp_path}/batch")
    codes = [json.loads(line)["code"] for line in result.output.splitlines()]
    assert codes == ["TOOL_DISABLED", "ALLOWED", "TOOL_DISABLED"]


def test_a_session_saw_what_the_store_switches_off(office: Office, tmp_path: Path) -> None:  # B6
    def seen(store: bool) -> list[str]:
        more = ("--session", f"{tmp_path}/kim.json", "--format", "json")
        found = json.loads(run(tmp_path, "tools", *more, store=store).output)["visible"]
        return [tool["name"] for tool in found]

    assert seen(True) == ["write"]
    assert seen(False) == ["read", "write"]


def test_a_tenant_s_tools_did_not_show_the_override_in_the_store(
    office: Office, tmp_path: Path
) -> None:  # B6
    assert "enabled: true -> false" in run(tmp_path, "tools", "--tenant", "acme").output
    assert "->" not in run(tmp_path, "tools", "--tenant", "beta").output
    assert "->" not in run(tmp_path, "tools", "--tenant", "acme", store=False).output


def test_a_custom_tool_of_the_store_was_unknown(office: Office, tmp_path: Path) -> None:  # B12
    office.done("create", **RATES)
    assert decided(tmp_path, "check", "rates", "{}") == "ALLOWED"
    assert decided(tmp_path, "explain", "rates", "{}") == "ALLOWED"
    assert decided(tmp_path, "check", "rates", "{}", store=False) == "TOOL_NOT_FOUND"


def test_a_trial_reads_no_limits_and_remembers_nothing(office: Office, tmp_path: Path) -> None:
    rate = "limits: [{id: writes, tools: [write], per: tenant, rate: 1/h}]\n"
    office.path.write_text(POLICY + rate)
    assert office.another().before({"tool": "write", "id": "c-1"}, KIM).proceeds
    before = dumped(tmp_path)
    assert decided(tmp_path, "check", "write", "{}") == "ALLOWED"
    assert decided(tmp_path, "explain", "write", "{}") == "ALLOWED"
    assert dumped(tmp_path) == before


def test_a_session_that_comes_again_does_not_pass_over_the_override(office: Office) -> None:  # B6
    trial = load(office.path, store=office.store).gateway
    who = Session.of(KIM)
    assert [trial.before(READ, who).code for _ in range(4)] == [Code.TOOL_DISABLED] * 4


def test_a_past_decision_of_a_tenant_with_overrides_was_of_another_policy(
    office: Office, tmp_path: Path
) -> None:
    log = f"{tmp_path}/log.jsonl"
    gate = Gateway.load(
        office.path, store=office.store, recorder=FileRecorder(log), clock=lambda: datetime.now(UTC)
    )
    name = gate.before({"tool": "write", "id": "c-1"}, KIM).id

    def missing(store: bool) -> Any:
        more = ("--log", log, "--session", f"{tmp_path}/kim.json", "--format", "json")
        return json.loads(run(tmp_path, "explain", name, *more, store=store).output)["missing"]

    assert missing(True) == []
    assert "the policy of that time" in missing(False)[0]


def dumped(folder: Path) -> list[str]:
    with closing(sqlite3.connect(f"{folder}/state/store.db")) as connection:
        return list(connection.iterdump())


def test_a_store_that_is_not_there_is_told(tmp_path: Path) -> None:
    Office(tmp_path)
    result = run(tmp_path, "tools", "--tenant", "acme")
    assert (result.exit_code, "there is no store" in result.output) == (2, True)
