"""What a person is told who asks why a pattern was held against a call, and what the settings have to do with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

POLICY = """version: 1
settings:
  confirm_from: HIGH
  packs: [core, git, files, network]
  patterns: {git.reset.hard: deny}
  protected_paths: [docs, infra/prod]
  protected_branches: [live]
agents: [{name: coding-agent, tools: ["*"], tenants: ["*"]}]
lists: {known: [ls, git]}
tools:
  - {name: shell, risk: HIGH, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}}}, inspect: {command: shell}}
  - {name: edit, risk: LOW, permissions: [], parameters: {type: object, required: [path], properties: {path: {type: string}}}, inspect: {path: path}}
rules:
  - {id: builds, tools: [shell], when: 'inspect.command.only(["ls", "git"]) && inspect.command.within(session.roots)', effect: allow}
  - {id: unknown, tools: [shell], when: '!inspect.command.only(lists.known)', effect: ask}
"""
SESSION = {
    "id": "s",
    "tenant": "local",
    "agent": "coding-agent",
    "channel": "internal",
    "can_ask": True,
    "cwd": "/srv/app",
    "roots": ["/srv/app"],
    "home": "/home/dev",
    "subject": {"id": "dev", "tenant": "local", "authenticated": True},
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "session.yaml").write_text(yaml.safe_dump(SESSION))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GATEWAY_POLICIES", raising=False)
    yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def explained(tool: str, arguments: dict[str, str], *more: str) -> Result:
    words = ("explain", tool, json.dumps(arguments), "--policies", "policy.yaml", "--session", "session.yaml")
    return run(*words, *more)


def flat(result: Result) -> str:
    return " ".join(result.output.split())


def test_a_pattern_whose_effect_a_setting_raised_names_that_setting() -> None:
    told = flat(explained("shell", {"command": "git reset --hard"}))
    assert "shipped as ask, set to deny by `settings.patterns` at policy.yaml:5:14" in told
    assert "no rule lifts a deny" in told
    assert "1 finding (`git.reset.hard`)" in told
    found = json.loads(explained("shell", {"command": "git reset --hard"}, "--format", "json").output)
    assert found["patterns"]["git.reset.hard"] == {
        "effect": "deny",
        "shipped": "ask",
        "set_at": "policy.yaml:5:14",
        "because_of": [],
    }


@pytest.mark.parametrize(
    ("tool", "arguments", "entry"),
    [
        ("edit", {"path": "infra/prod/a"}, "`infra/prod` in `settings.protected_paths` (policy.yaml:6:27)"),
        (
            "shell",
            {"command": "git push --force-with-lease origin live"},
            "`live` in `settings.protected_branches` (policy.yaml:7:24)",
        ),
    ],
)
def test_the_protected_name_that_matched_is_told(tool: str, arguments: dict[str, str], entry: str) -> None:
    found = json.loads(explained(tool, arguments, "--format", "json").output)
    assert entry in [each for ground in found["patterns"].values() for each in ground["because_of"]]
    if tool == "edit":
        assert f"because of {entry}" in flat(explained(tool, arguments))


def test_an_asking_pattern_says_which_rule_could_lift_it() -> None:
    told = flat(explained("shell", {"command": "git clean -fd"}))
    assert "by an `allow` rule whose `lifts` names `git.clean`" in told


def test_the_page_of_a_pattern_speaks_of_paths_and_addresses_too() -> None:
    told = flat(run("explain", "PATTERN"))
    assert "a path or an address" in told
    assert "settings.patterns" in told


def test_rules_that_hold_and_did_not_decide_say_so() -> None:
    told = flat(explained("shell", {"command": "git reset --hard"}))
    assert "rule `builds` (allow, lifted `CONFIRM`, but not what decides)" in told
    assert "lifted: CONFIRM" in told
    told = flat(explained("shell", {"command": "make; git reset --hard"}))
    assert "rule `unknown` (ask, did not decide" in told


@pytest.mark.parametrize(
    ("command", "rule", "why"),
    [
        ("make && ls", "builds", "`make` is none of them"),
        ("make && ls", "unknown", "`make` is none of them"),
        ("make && npm run x", "unknown", "`make`, `npm run` are none of them"),
        ("ls /etc src", "builds", "`/etc` lies outside"),
    ],
)
def test_the_word_or_path_that_kept_a_rule_from_letting_a_call_pass_was_cut_off(
    command: str, rule: str, why: str
) -> None:
    result = explained("shell", {"command": command})
    assert "What stands in the way" in result.output
    assert why in flat(result)
    assert '{"invocations"' not in result.output
    found = json.loads(explained("shell", {"command": command}, "--format", "json").output)
    assert (rule, why) in {(each["rule"], each["why"]) for each in found["in_the_way"]}


def test_a_pattern_has_a_page_by_its_id() -> None:
    page = run("explain", "git.push.force")
    assert page.exit_code == 0
    assert page.output == run("patterns", "git.push.force").output
    assert json.loads(run("explain", "git.push.force", "--format", "json").output)["id"] == "git.push.force"


def test_without_a_log_nothing_is_known_of_a_decision_and_explain_says_so() -> None:
    result = run("explain", "d-16d3b2a1d7fb8796")
    assert result.exit_code == 2
    assert "no log is given, so nothing is known of `d-16d3b2a1d7fb8796`" in result.output
    assert "--log PATH" in result.output
    assert "gatewayctl explain TOOL JSON --policies DIR" in result.output


@pytest.mark.parametrize("command", ["explain", "check"])
def test_without_a_session_a_policy_for_the_hook_is_asked_as_the_hook_asks(command: str, here: Path) -> None:
    call = ("shell", '{"command": "git reset --hard"}', "--policies", "policy.yaml")
    result = run(command, *call)
    assert result.exit_code == 1
    assert "PATTERN" in result.stdout
    assert "the hook's is taken" in result.stderr
    assert f"cwd `{here}`" in result.stderr
    assert json.loads(run(command, *call, "--format", "json").stdout)["rule"] == "git.reset.hard"


@pytest.mark.parametrize("command", ["explain", "check"])
def test_without_a_session_any_other_policy_needs_one(command: str, here: Path) -> None:
    (here / "policy.yaml").write_text(POLICY.replace("coding-agent", "clerk"))
    result = run(command, "shell", '{"command": "ls"}', "--policies", "policy.yaml")
    assert result.exit_code == 2
    assert "no session is given" in result.output


def test_check_names_the_pattern() -> None:
    result = run("check", "shell", '{"command": "git reset --hard"}', "--policies", "policy.yaml")
    assert "pattern: git.reset.hard (`gatewayctl explain git.reset.hard`)" in result.output


def test_inspect_and_patterns_judged_by_the_shipped_effects_alone() -> None:
    text = ("inspect", "git reset --hard")
    assert json.loads(run(*text, "--format", "json").output)["effect"] == "ask"
    assert json.loads(run(*text, "--policies", "policy.yaml", "--format", "json").output)["effect"] == "deny"
    path = ("inspect", "infra/prod/a", "--kind", "path", "--write", "--format", "json")
    assert json.loads(run(*path).output)["patterns"] == []
    assert json.loads(run(*path, "--policies", "policy.yaml").output)["patterns"] == ["fs.protected"]
    listed = run("patterns", "--policies", "policy.yaml").output
    assert "db." not in listed
    assert "Shipped as ask" in run("patterns", "git.reset.hard", "--policies", "policy.yaml").output
    assert "is off in these policies" in run("patterns", "database", "--policies", "policy.yaml").output
