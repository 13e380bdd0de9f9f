"""`gatewayctl override`: an operator at a terminal lets tools differ for one tenant. Rows B8, B9 and B22."""

from __future__ import annotations

import getpass
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

from gateway import Code
from gateway.stores import open_store
from tests.cli.terminal import at_a_terminal
from tests.managing.office import POLICY, Office

ASKING = POLICY.replace("effect: allow}", "effect: ask, approval: {not_self: true}}")


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path, open_store(url(tmp_path)))


def url(folder: Path) -> str:
    return f"sqlite://{folder}/state/store.db"


def options(folder: Path, *more: str) -> list[str]:
    return ["--store", url(folder), "--policies", f"{folder}/policy.yaml", "--tenant", "acme", *more]


def run(folder: Path, *arguments: str) -> Any:
    return CliRunner().invoke(cli, ["override", *arguments, *options(folder)])


def terminal(folder: Path, *arguments: str, typed: str | None = None) -> tuple[int, str]:
    return at_a_terminal(["override", *arguments, *options(folder)], typed)


def test_switching_off_takes_no_terminal_and_is_in_force_at_once(office: Office, tmp_path: Path) -> None:
    assert office.code("read", "acme", "row:read") is Code.ALLOWED
    found = run(tmp_path, "set", "read", "--disabled")
    assert (found.exit_code, found.output) == (0, "`read` is overridden for the tenant `acme`.\n")
    assert office.code("read", "acme", "row:read") is Code.TOOL_DISABLED
    assert run(tmp_path, "set", "read", "--disabled").output.endswith("nothing has changed.\n")
    found = run(tmp_path, "reset", "read")
    assert found.output == "`read` is as declared for the tenant `acme`.\n"
    assert office.code("read", "acme", "row:read") is Code.ALLOWED


def test_declared_and_effective_stand_side_by_side(office: Office, tmp_path: Path) -> None:
    run(tmp_path, "set", "read", "--risk", "HIGH", "--permission", "row:own", "--permission", "row:read")
    shown = run(tmp_path, "list")
    assert shown.exit_code == 0
    assert "risk: READ_ONLY -> HIGH" in shown.output
    assert "permissions: row:read -> row:own, row:read" in shown.output
    assert "gateway/" not in shown.output
    tools = json.loads(run(tmp_path, "list", "--format", "json").output)["tools"]
    (read,) = (tool for tool in tools if tool["name"] == "read")
    assert read["overridden"] == ["permissions", "risk"]
    assert read["effective"]["risk"] == "HIGH"


def test_what_relaxes_is_confirmed_at_a_terminal(office: Office, tmp_path: Path) -> None:
    relaxing = ("set", "write", "--no-permissions", "--reason", "pilot", "--until", "2099-01-31")
    piped = run(tmp_path, *relaxing)
    assert piped.exit_code == 2
    assert office.rows() == []
    code, shown = terminal(tmp_path, *relaxing, typed="yes")
    assert (code, "Nothing has changed." in shown) == (1, True), shown
    code, shown = terminal(tmp_path, *relaxing)
    assert (code, "is overridden for the tenant" in shown) == (0, True), shown
    assert "are no longer needed; being signed in is enough" in shown
    assert office.code("write") is Code.ALLOWED
    (row,) = office.rows()
    assert (row["operator_id"], row["reason"], row["until"]) == (getpass.getuser(), "pilot", "2099-01-31")
    audit = run(tmp_path, "audit")
    assert "permissions ['row:read', 'row:write'] -> []; because" not in audit.output
    assert "-> [], because pilot, until 2099-01-31" in audit.output
    assert json.loads(run(tmp_path, "audit", "--format", "json").output)["digest"] == row["digest"]


def test_what_relaxes_says_why(office: Office, tmp_path: Path) -> None:
    found = run(tmp_path, "set", "write", "--no-permissions")
    assert found.exit_code == 2
    assert "say why: `--reason`" in found.output


def test_what_the_policy_asks_about_is_answered_at_the_terminal(office: Office, tmp_path: Path) -> None:
    office.path.write_text(POLICY.replace("- {id: consoles", "- {until: 2026-11-01, id: consoles"))
    assert run(tmp_path, "reset", "read").exit_code == 2
    code, shown = terminal(tmp_path, "set", "read", "--disabled")
    assert (code, "is overridden" in shown) == (0, True), shown
    assert office.code("read", "acme", "row:read") is Code.TOOL_DISABLED


def test_what_takes_two_waits_for_the_other(office: Office, tmp_path: Path) -> None:
    office.path.write_text(ASKING)
    code, shown = terminal(tmp_path, "set", "read", "--disabled")
    assert code == 2
    assert "it takes somebody other than who asked" in shown
    assert "gatewayctl approvals approve a-" in shown
    assert office.code("read", "acme", "row:read") is Code.ALLOWED
    request = next(word for word in shown.split() if word.startswith("a-")).strip("`,")
    from gateway.answering import Answer, Verdict
    from tests.managing.office import operator

    other = Office(tmp_path, office.store, ASKING).gateway
    other.resume(request, Answer(Verdict.APPROVE), operator("acme"))
    code, shown = terminal(tmp_path, "set", "read", "--disabled")
    assert (code, "is overridden" in shown) == (0, True), shown


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("set", "red", "--disabled"), "there is no tool `red` in this tenant"),
        (("set", "read", "--risk", "AWFUL"), "the text `AWFUL` is no risk"),
        (("set", "read", "--permission", "a:b", "--no-permissions"), "say two things"),
        (("set", "read"), "it overrides nothing"),
        (("list", "--agent", "clerk"), "TOOL_NOT_BOUND"),
        (("list", "--agent", "nobody"), "AGENT_DISABLED"),
    ],
)
def test_what_can_not_be_done_is_told(
    office: Office, tmp_path: Path, arguments: tuple[str, ...], why: str
) -> None:
    found = run(tmp_path, *arguments)
    assert found.exit_code == 2
    assert why in found.output


def test_a_mistyped_tenant_was_overridden(office: Office, tmp_path: Path) -> None:  # B6
    office.path.write_text(POLICY.replace('"*/*"], tenants: ["*"]', '"*/*"], tenants: [acme, beta]'))
    where = ["--store", url(tmp_path), "--policies", f"{tmp_path}/policy.yaml"]
    for command in (["set", "read", "--disabled"], ["reset", "read"], ["list"], ["audit"]):
        unnamed = CliRunner().invoke(cli, ["override", *command, *where])
        assert (unnamed.exit_code, "--tenant" in unnamed.output) == (2, True), unnamed.output
        mistyped = CliRunner().invoke(cli, ["override", *command, *where, "--tenant", "acne"])
        assert mistyped.exit_code == 2
        assert "no agent is on for the tenant `acne`" in mistyped.output
        assert "tenants in `agents`: `acme`, `beta`" in mistyped.output
    assert run(tmp_path, "set", "read", "--disabled").exit_code == 0
