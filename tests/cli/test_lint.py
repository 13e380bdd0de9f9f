"""`gatewayctl lint` as people and scripts call it: how bad and how sure, pages, and only what is new."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli
from gatewayctl.commands.lint import _fails

from gateway.checks import CHECKS, check_id
from gateway.diagnostic import Confidence, Diagnostic, Severity

CLEAN = """version: 1
agents: [{name: clerk, tools: [pay], tenants: [acme]}]
tools:
  - name: pay
    description: Pay an invoice.
    risk: HIGH
    permissions: ["pay:create"]
    describe: Pay {args.amount}
    idempotent: true
    timeout: 5s
    result: {shape: known}
    parameters: {type: object, required: [amount], properties: {amount: {type: integer, minimum: 1}}}
rules:
  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny, message: Too much.}
"""
UNSURE = CLEAN.replace("[pay], tenants", '[pay, "refund_*"], tenants').replace(
    "integer, minimum: 1", "integer"
)


def git(*words: str) -> None:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ("-c", "user.name=ann", "-c", "user.email=ann@acme.example", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *words], check=True, capture_output=True, env=environment, timeout=60)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GATEWAY_POLICIES", raising=False)
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "policy.yaml").write_text(CLEAN)
    yield tmp_path


def run(*words: str) -> Result:
    result = CliRunner().invoke(cli, ["lint", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def found(*words: str) -> list[dict[str, Any]]:
    value = json.loads(run(*words, "--format", "json").stdout)
    return list(value["diagnostics"])


def codes(*words: str) -> list[str]:
    return [one["code"] for one in found(*words)]


# --- how bad and how sure --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize("confidence", Confidence)
@pytest.mark.parametrize("strict", [False, True])
def test_what_is_only_possible_never_fails(severity: Severity, confidence: Confidence, strict: bool) -> None:
    fails = {
        Severity.ERROR: True,
        Severity.WARNING: strict and confidence in (Confidence.CERTAIN, Confidence.LIKELY),
        Severity.NOTE: False,
    }
    diagnostic = Diagnostic("c", "m", severity=severity, confidence=confidence)
    assert _fails(diagnostic, strict=strict) is fails[severity]


def test_each_finding_says_both_and_what_is_not_certain_says_so_in_text(here: Path) -> None:
    (here / "policies" / "policy.yaml").write_text(UNSURE)
    assert [(one["code"], one["severity"], one["confidence"]) for one in found()] == [
        ("unmatched-glob", "warning", "certain"),
        ("bare-parameter", "warning", "likely"),
    ]
    lines = run().stdout.splitlines()
    assert "policies/policy.yaml:2:37: warning[unmatched-glob]: " in lines[0]
    assert any("warning[bare-parameter, likely]: " in line for line in lines)


def test_what_is_less_sure_than_asked_for_is_left_out_and_fails_nothing(here: Path) -> None:
    (here / "policies" / "policy.yaml").write_text(UNSURE)
    assert codes("--confidence", "certain") == ["unmatched-glob"]
    assert codes("--confidence", "likely") == codes() == ["unmatched-glob", "bare-parameter"]
    (here / "policies" / "policy.yaml").write_text(UNSURE.replace(', "refund_*"', ""))
    assert run("--strict").exit_code == 1
    assert run("--strict", "--confidence", "certain").exit_code == 0


def test_an_error_is_shown_at_every_confidence(here: Path) -> None:
    (here / "policies" / "policy.yaml").write_text("version: 1\nrulez: []\n")
    assert codes("--confidence", "certain") == ["unknown-key"]


# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*map(check_id, CHECKS), "second-opinion", "RULE", "git.push.force"])
def test_a_page_is_the_one_that_explain_prints(here: Path, name: str) -> None:
    for form in ("text", "json"):
        page = run("--explain", name, "--format", form)
        assert page.exit_code == 0
        assert page.stdout == CliRunner().invoke(cli, ["explain", name, "--format", form]).stdout != ""


def test_warnings_that_fail_under_strict_are_said_to(here: Path) -> None:
    said = "warnings fail under --strict"
    assert said not in run("policies").stdout
    (here / "policies" / "policy.yaml").write_text(UNSURE)
    assert said in run("policies", "--strict").stdout
    assert said not in run("policies", "--strict", "--format", "json").stdout
    (here / "policies" / "policy.yaml").write_text(UNSURE.replace("version: 1", "version: 2"))
    assert said not in run("policies", "--strict").stdout


def test_the_page_of_a_check_says_how_bad_and_how_sure_it_is(here: Path) -> None:
    assert run("--explain", "unused-list").stdout.endswith("\nSeverity: warning. Confidence: certain.\n")
    page = json.loads(run("--explain", "posture", "--format", "json").stdout)
    assert (page["severity"], page["confidence"]) == ("note", "certain")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("unused-lits", "did you mean the check `unused-list`?"),
        ("RULES", "did you mean `RULE`?"),
        ("unknown-key", "an error of loading has none: its message and help say all"),
        ("xyz", "`gatewayctl explain` lists the codes and the checks"),
    ],
)
def test_a_name_without_a_page_is_answered_with_the_likely_one(here: Path, name: str, said: str) -> None:
    result = run("--explain", name)
    assert result.exit_code == 2
    assert said in result.stderr


# --- only what is new ------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(here: Path) -> Path:
    git("init", "-q")
    (here / "policies" / "policy.yaml").write_text(UNSURE)
    git("add", "-A")
    git("commit", "-qm", "start")
    return here


def test_what_was_found_before_is_not_said_again_wherever_its_line_stands(repository: Path) -> None:
    policy = repository / "policies" / "policy.yaml"
    assert codes("--changed-since", "HEAD") == []
    policy.write_text("# moved\n\n" + UNSURE)
    assert codes("--changed-since", "HEAD") == []
    policy.write_text(UNSURE.replace("effect: deny, message: Too much.", "effect: deny"))
    assert codes("--changed-since", "HEAD") == ["missing-message"]
    assert run("--changed-since", "HEAD").exit_code == 0
    assert run("--changed-since", "HEAD", "--strict").exit_code == 1
    assert run("--strict").exit_code == 1
    policy.write_text(UNSURE)
    assert run("--changed-since", "HEAD", "--strict").exit_code == 0


def test_a_change_elsewhere_that_makes_a_line_doubtful_shows_that_line(repository: Path) -> None:
    policy = repository / "policies" / "policy.yaml"
    reads = "lists: {few: [3]}\n" + UNSURE.replace("amount > 1000", "amount in lists.few")
    policy.write_text(reads)
    git("commit", "-qam", "read it")
    policy.write_text(reads.replace("amount in lists.few", "amount > 1000"))
    (one,) = found("--changed-since", "HEAD")
    assert (one["code"], one["line"]) == ("unused-list", 1)


def test_the_same_said_once_more_of_an_equal_line_is_new(repository: Path) -> None:
    policy = repository / "policies" / "policy.yaml"
    one = "  - {id: %s, tools: [pay], when: args.amount > 7, effect: deny, message: M} # gateway: ignore[idle-lift] w\n"
    policy.write_text(UNSURE + one % "x")
    git("commit", "-qam", "one")
    policy.write_text(UNSURE + one % "x" + one % "y")
    new = found("--changed-since", "HEAD")
    assert [one["line"] for one in new if one["code"] == "unused-ignore"] == [16]


def test_a_policy_that_was_not_there_or_did_not_load_had_no_findings(repository: Path) -> None:
    (repository / "other").mkdir()
    (repository / "other" / "policy.yaml").write_text(UNSURE)
    assert codes("other", "--changed-since", "HEAD") == ["unmatched-glob", "bare-parameter"]
    (repository / "other" / "policy.yaml").write_text("version: 1\nrulez: []\n")
    git("add", "-A")
    git("commit", "-qm", "broken")
    assert codes("other", "--changed-since", "HEAD") == ["unknown-key"]
    (repository / "other" / "policy.yaml").write_text(UNSURE)
    assert codes("other", "--changed-since", "HEAD") == ["unmatched-glob", "bare-parameter"]


def test_a_path_is_seen_from_the_working_directory(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, paths in (
        (repository / "policies", (".", "policy.yaml", "../policies", str(repository / "policies"))),
        (repository, ("policies", "policies/policy.yaml", "./policies/", ".")),
    ):
        monkeypatch.chdir(folder)
        for path in paths:
            assert codes(path, "--changed-since", "HEAD") == [], path
            assert codes(path) == ["unmatched-glob", "bare-parameter"], path


@pytest.mark.parametrize("revision", ["nowhere", "", "-q", "HEAD:policies"])
def test_a_revision_that_is_none_is_exit_2(repository: Path, revision: str) -> None:
    result = run("--changed-since", revision)
    assert result.exit_code == 2
    assert "revision" in result.stderr


def test_outside_a_repository_nothing_can_be_compared(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(here.parent))
    result = run("--changed-since", "HEAD")
    assert result.exit_code == 2
    assert "git" in result.stderr


def test_nothing_of_the_repository_is_run(repository: Path) -> None:
    for name in ("post-checkout", "pre-commit", "post-index-change"):
        hook = repository / ".git" / "hooks" / name
        hook.write_text("#!/bin/sh\ntouch hooked\n")
        hook.chmod(0o755)
    (repository / ".gitattributes").write_text("*.yaml filter=evil diff=evil\n")
    git("config", "filter.evil.smudge", "touch smudged; cat")
    git("config", "diff.evil.textconv", "touch converted; cat")
    git("config", "core.fsmonitor", "touch monitored; false")
    before = {path.name for path in repository.iterdir()}
    assert codes("--changed-since", "HEAD") == []
    assert {path.name for path in repository.iterdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        ("--changed-since", "HEAD", "--fix"),
        ("--changed-since", "HEAD", "--user", "x"),
        ("--changed-since", "HEAD", "--project", "x"),
        ("--dry-run",),
    ],
)
def test_options_that_make_no_sense_together_are_refused(repository: Path, words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2


# --- what to do next -------------------------------------------------------------------------------------------------


def test_the_last_line_is_the_command_that_looks_again(here: Path) -> None:
    (here / "a b.yaml").write_text("version: 1\nrulez: []\n")
    for form in ("text", "github"):
        lines = run("--strict", "--confidence", "likely", "a b.yaml", "--format", form).stdout.splitlines()
        assert lines[-2:] == [
            "1 of them can be mended: gatewayctl lint --fix --strict --confidence=likely 'a b.yaml'",
            "to check again: gatewayctl lint --strict --confidence=likely 'a b.yaml'",
        ]
        assert "to check again" not in run("policies", "--format", form).stdout
