"""`gatewayctl test --coverage` and `--mutate`: what they print, and the exit codes that scripts read."""

from __future__ import annotations

import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli
from gatewayctl.covered import say_coverage

from gateway.diagnostic import PLAIN
from gateway.testing.coverage import Coverage
from gateway.testing.targets import Target

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


BROKEN = CASES.replace("session: clerk", "session: clrk")


def test_less_coverage_than_demanded_is_said_and_never_rounded_up(here: Path) -> None:
    assert (
        "  57.1 % of what counts is reached: less than the 58 % that `--fail-under` demands\n"
        in run("test", ".", "--fail-under", "58").output
    )
    assert "demands" not in run("test", ".", "--fail-under", "57").output


def test_nearly_all_is_not_all() -> None:
    target = Target("rules", "x", "matched", "p.yaml:1:1", (), "add a case")
    found = Coverage((target,) * 9999, (target,), {})
    with redirect_stdout(StringIO()) as printed:
        say_coverage(Path(), found, PLAIN)
    assert printed.getvalue().endswith("  99.9 % of what counts is reached\n")


@pytest.mark.parametrize("more", [(), ("--mutate",), ("--coverage",)])
def test_a_broken_file_is_not_a_failing_case(here: Path, more: tuple[str, ...]) -> None:
    (here / "policy.test.yaml").write_text(BROKEN)
    result = run("test", ".", *more)
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == "1 problem in the files: no case could be tried"
    for wrong in ("0 cases", "have to pass", "failed"):
        assert wrong not in result.output


def test_a_broken_file_beside_a_good_one(here: Path) -> None:
    (here / "other.test.yaml").write_text(BROKEN)
    assert run("test", ".").output.splitlines()[-2:] == [
        "1 problem in the files: what they keep from being read was not tried",
        "1 case: 1 passed, 0 failed",
    ]


@pytest.mark.parametrize(("option", "value"), [("--rule", "large"), ("--limit", "3")])
def test_what_confines_the_changes_is_refused_where_none_are_tried(
    here: Path, option: str, value: str
) -> None:
    result = run("test", ".", option, value)
    assert result.exit_code == 2
    assert f"{option} says what --mutate tries: write both" in result.output


def test_a_rule_is_meant_rather_than_a_tool(here: Path) -> None:
    result = run("test", ".", "--mutate", "--rule", "pays")
    assert "did you mean the tool `pay`? the rules, limits and entries are `large`" in result.output
    limit = "limits: [{id: pay-caps, tools: [pay], per: session, rate: 3/h}]\n"
    (here / "policy.yaml").write_text(POLICY + limit)
    result = run("test", ".", "--mutate", "--rule", "pay-cap")
    assert "did you mean `pay-caps`?\n" in result.output


def test_a_misspelt_mark_is_told_the_mutant_that_was_probably_meant(here: Path) -> None:
    mark = "equivalent: [{mutant: rule/large/removed, reason: none}]\n"
    (here / "policy.test.yaml").write_text(WHOLE + mark)
    assert "did you mean `rule/large/remove`?" in run("test", ".", "--mutate").output


def test_a_change_for_which_no_case_was_found_can_be_marked_by_what_is_printed(here: Path) -> None:
    policy = POLICY.replace("when: args.n > 10,", 'when: "args.n > 10 || args.n > 20",')
    (here / "policy.yaml").write_text(policy)
    (here / "policy.test.yaml").write_text(WHOLE)
    for _ in range(2):
        output = run("test", ".", "--mutate").output
        pasted = re.findall(r"(?m)^  - \{name.*\n", output)
        (here / "policy.test.yaml").write_text(WHOLE + "".join(pasted))
        if not pasted:
            break
    assert "  no case that would was found: write one, or mark it as below if none can\n" in output
    marks = output[output.index("\nequivalent:\n") :].partition("\n\n")[0]
    (here / "policy.test.yaml").write_text(f"{WHOLE}{''.join(pasted)}{marks}\n")
    result = run("test", ".", "--mutate")
    assert result.exit_code == 0, result.output
    assert "marked as making no difference" in result.output


def test_the_cases_that_are_proposed_pass_alone_and_together_each_in_a_session_of_its_own(
    here: Path,
) -> None:
    limits = "limits: [{id: often, tools: [pay], per: session, rate: 3/h}, {id: most, tools: [pay], per: subject, rate: 5/h}]\n"
    (here / "policy.yaml").write_text(POLICY + limits)
    proposed = re.findall(r"(?m)^  - \{name.*\n", run("test", ".", "--mutate").output)
    sessions = re.findall(r"session: \{id: (s-[0-9a-f]{8}),", "".join(proposed))
    assert len(set(sessions)) == len(sessions) == len(proposed) > 5
    (here / "policy.test.yaml").write_text(CASES + "".join(proposed))
    assert run("test", ".").exit_code == 0
    for case in proposed:
        (here / "policy.test.yaml").write_text(CASES + case)
        assert run("test", ".").exit_code == 0


def test_what_is_wrong_is_told_to_github_at_its_line(here: Path) -> None:
    (here / "policy.test.yaml").write_text(CASES.replace("effect: allow", "effect: deny"))
    result = run("test", ".", "--format", "github")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "::error file=policy.test.yaml,line=6,col=12,endLine=6,endColumn=17,title=failed-case::"
        "the case fails: effect: expected deny, got allow",
        "1 case: 0 passed, 1 failed",
    ]
    (here / "policy.test.yaml").write_text(BROKEN)
    assert "title=unknown-name::no session is called" in run("test", ".", "--format", "github").output


def test_what_is_not_reached_and_not_noticed_is_told_to_github(here: Path) -> None:
    output = run("test", ".", "--format", "github", "--fail-under", "90", "--mutate").output
    assert (
        "::warning title=not-reached::policy.yaml:6:14: rule `large`: never matched%0A"
        "help: add a case that calls `pay` where `args.n > 10`\n" in output
    )
    assert "::warning file=policy.yaml,line=6,col=41," in output
    assert "title=unnoticed-change::`args.n > 10` has 11, and no case notices" in output
    assert "NOT NOTICED" not in output
