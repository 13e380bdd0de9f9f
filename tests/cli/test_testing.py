"""`gatewayctl test --coverage` and `--mutate`: what they print, and the exit codes that scripts read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

POLICY = """
version: 1
settings: {confirm_from: HIGH, packs: [git]}
agents: [{name: clerk, tools: [pay], tenants: [acme]}]
tools: [{name: pay, risk: LOW, permissions: ["pay:do"], parameters: {type: object, required: [n], properties: {n: {type: integer}}}}]
rules: [{id: large, tools: [pay], when: args.n > 10, effect: deny}]
"""

CASES = """
version: 1
sessions:
  clerk: {id: s, tenant: acme, agent: clerk, channel: internal, can_ask: true, subject: {id: u, tenant: acme, authenticated: true, permissions: ["pay:do"]}}
cases:
  - {name: small, session: clerk, call: {tool: pay, arguments: {n: 10}}, expect: {effect: allow}}
"""

WHOLE = (
    CASES
    + """
  - {name: large, session: clerk, call: {tool: pay, arguments: {n: 11}}, expect: {effect: deny, rule: large}}
  - {name: poor, session: {like: clerk, subject: {permissions: []}}, call: {tool: pay, arguments: {n: 11}}, expect: {code: PERMISSION_DENIED}}
  - {name: a list, session: clerk, list: {only: [pay]}}
  - {name: elsewhere, session: {like: clerk, tenant: beta, subject: {tenant: beta}}, call: {tool: pay, arguments: {n: 1}}, expect: {code: AGENT_DISABLED}}
  - {name: a trial, session: {like: clerk, dry_run: true}, call: {tool: pay, arguments: {n: 1}}, expect: {effect: respond}}
"""
)


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "policy.test.yaml").write_text(CASES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_coverage_says_what_is_missing_and_where(here: Path) -> None:
    result = run("test", ".", "--coverage")
    assert result.exit_code == 0
    assert (
        "policy.yaml:6:14: rule `large`: never matched\n"
        "  help: add a case that calls `pay` where `args.n > 10`\n" in result.output
    )
    assert "policy.yaml:5:16: permission `pay:do`: never lacked\n" in result.output
    assert "  rules            1 of 2\n" in result.output
    assert "not part of the percentage" in result.output
    assert "  57.1 % of what counts is reached\n" in result.output


def test_coverage_that_is_asked_for_is_demanded(here: Path) -> None:
    assert run("test", ".", "--fail-under", "57").exit_code == 0
    assert run("test", ".", "--fail-under", "58").exit_code == 1
    (here / "policy.test.yaml").write_text(WHOLE)
    assert run("test", ".", "--fail-under", "100").exit_code == 0
    assert run("test", ".", "--fail-under", "101").exit_code == 2


def test_coverage_in_json(here: Path) -> None:
    found = json.loads(run("test", ".", "--coverage", "--format", "json").output)
    (coverage,) = found["coverage"]
    assert found["ok"] is True
    assert (coverage["policies"], coverage["percent"]) == (".", 57.14)
    assert coverage["kinds"]["rules"] == {"covered": 1, "total": 2}
    assert coverage["gaps"][0] == {
        "kind": "rules",
        "name": "large",
        "missing": "matched",
        "place": "policy.yaml:6:14",
        "hint": "add a case that calls `pay` where `args.n > 10`",
    }
    assert "git.push.force" in coverage["patterns"]


def test_a_change_that_is_not_noticed_is_shown_with_a_case_that_would(here: Path) -> None:
    result = run("test", ".", "--mutate", "--rule", "large")
    assert result.exit_code == 1
    assert (
        "NOT NOTICED policy.yaml:6:41: `args.n > 10` has 11\n"
        "  rule/large/when/moved-1 (1 case reaches it)\n"
        "  a case that would:\n"
        "  - {name: " in result.output
    )
    assert "arguments: {n: 11}" in result.output
    assert "6 changes of .: 3 noticed, 3 not\n" in result.output


def test_every_change_is_noticed(here: Path) -> None:
    (here / "policy.test.yaml").write_text(WHOLE)
    result = run("test", ".", "--mutate")
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "10 changes of .: 10 noticed, 0 not")


def test_changes_in_json(here: Path) -> None:
    found = json.loads(run("test", ".", "--mutate", "--limit", "3", "--format", "json").output)
    (mutation,) = found["mutation"]
    assert found["ok"] is False
    assert mutation["tried"] == 3
    assert mutation["survived"][0]["case"].startswith("- {name: ")
    assert set(mutation["survived"][0]) == {"id", "place", "change", "reached", "case"}


def test_a_mark_that_is_of_no_use_is_a_finding(here: Path) -> None:
    mark = "equivalent: [{mutant: rule/large/remove, reason: none}]\n"
    (here / "policy.test.yaml").write_text(WHOLE + mark)
    result = run("test", ".", "--mutate")
    assert result.exit_code == 1
    assert "unused-mark" in result.output
    assert run("test", ".").exit_code == 0


def test_nothing_is_changed_while_a_case_fails(here: Path) -> None:
    (here / "policy.test.yaml").write_text(CASES.replace("effect: allow", "effect: deny"))
    result = run("test", ".", "--mutate")
    assert result.exit_code == 1
    assert "no change was tried: all cases have to pass first" in result.output


def test_a_name_that_nothing_has_is_an_error(here: Path) -> None:
    result = run("test", ".", "--mutate", "--rule", "larg")
    assert result.exit_code == 2
    assert "did you mean `large`?" in result.output


def test_the_schema_of_test_files() -> None:
    schema = json.loads(run("schema", "--tests").output)
    assert "matrices" in schema["properties"]
    assert "matrices" not in json.loads(run("schema").output)["properties"]
