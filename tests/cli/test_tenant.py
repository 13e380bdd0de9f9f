"""`gatewayctl tools --tenant`, and the lower layers that commands take. Rows B6, B22."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

POLICY = """version: 1
agents: [{name: clerk, tools: ["*"], tenants: [acme, beta]}]
tools:
  - {name: pay, risk: HIGH, permissions: ["pay:create"]}
  - {name: read, risk: READ_ONLY, permissions: []}
overrides:
  - {tenant: acme, tools: [pay], title: Zahlen, risk: IRREVERSIBLE, reason: audit}
"""
SESSION = {
    "tenant": "beta",
    "agent": "clerk",
    "can_ask": True,
    "subject": {"id": "ann", "tenant": "beta", "authenticated": True, "permissions": []},
}


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    (tmp_path / "session.json").write_text(json.dumps(SESSION))
    return path


def run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(cli, [str(word) for word in words])
    return done.exit_code, done.output


def test_declared_and_effective_stand_side_by_side(policy: Path) -> None:
    code, said = run("tools", "--tenant", "acme", "--policies", policy)
    assert code == 0
    lines = [line.strip() for line in said.splitlines()]
    at = lines.index("pay   IRREVERSIBLE*  true     pay:create")
    assert lines[at + 1 : at + 4] == [
        'title: "" -> Zahlen',
        "risk: HIGH -> IRREVERSIBLE",
        f"by {policy}:7:5, because audit",
    ]
    assert lines[-1] == "2 tools, 1 overridden for the tenant `acme`; * is declared otherwise"


def test_another_tenant_sees_what_is_declared(policy: Path) -> None:
    code, said = run("tools", "--tenant", "beta", "--policies", policy, "--format", "json")
    tools = json.loads(said)["tools"]
    assert code == 0
    assert all(tool["declared"] == tool["effective"] and not tool["overrides"] for tool in tools)


def test_json_names_what_differs(policy: Path) -> None:
    _, said = run("tools", "--tenant", "acme", "--policies", policy, "--format", "json")
    pay, read = json.loads(said)["tools"]
    assert (pay["name"], pay["overridden"], read["overridden"]) == ("pay", ["risk", "title"], [])
    assert (pay["declared"]["risk"], pay["effective"]["risk"]) == ("HIGH", "IRREVERSIBLE")
    assert pay["overrides"] == [
        {"place": f"{policy}:7:5", "until": None, "reason": "audit", "confirmed_by": None}
    ]


def test_a_tenant_that_no_agent_is_on_for_is_a_failure(policy: Path) -> None:
    code, said = run("tools", "--tenant", "acne", "--policies", policy)
    assert code == 2
    assert "no agent is on for the tenant `acne`" in said
    assert "`acme`, `beta`" in said


def test_a_session_and_a_tenant_exclude_each_other(policy: Path) -> None:
    session = policy.parent / "session.json"
    assert run("tools", "--tenant", "acme", "--session", session, "--policies", policy)[0] == 2


@pytest.mark.parametrize("layer", ["--user", "--project"])
def test_a_lower_layer_tightens_what_commands_say(policy: Path, tmp_path: Path, layer: str) -> None:
    own = tmp_path / "own" / "own.yaml"
    own.parent.mkdir()
    own.write_text("version: 1\nrules: [{id: own, tools: [read], effect: deny, message: Not here.}]\n")
    asked = ("--session", policy.parent / "session.json", "--policies", policy)
    assert run("check", "read", *asked)[0] == 0
    for command in (("check", "read"), ("explain", "read")):
        code, said = run(*command, *asked, layer, own)
        assert (code, "Not here." in said) == (1, True)
    assert "own" in run("tools", *asked, layer, own)[1]
    own.write_text("version: 1\nrules: [{id: own, tools: [pay], effect: allow}]\n")
    assert run("lint", policy, layer, own)[0] == 1
    code, said = run("check", "pay", *asked, layer, own)
    assert (code, "a lower layer has no `allow` rules" in said) == (2, True)
