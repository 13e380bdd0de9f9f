"""What the README shows is true: its commands answer as said, its examples run, its tables say what the code says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli
from gatewayctl.supervisor import DEADLINE

from gateway import Gateway
from gateway.codes import PAGES
from gateway.decision import Code
from gateway.hosts import HOSTS
from gateway.testing import load
from tests.reference import shown

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
STARTER = ROOT / "cli" / "gatewayctl" / "starter"


def example(name: str) -> str:
    return shown(README, name)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


# --- five minutes ----------------------------------------------------------------------------------------------------


def test_the_policy_and_the_session_are_those_that_init_writes() -> None:
    assert example("policy") == (STARTER / "policy.yaml").read_text(encoding="utf-8")
    assert example("session") == (STARTER / "session.json").read_text(encoding="utf-8")


def test_each_command_works_as_it_stands_and_answers_as_its_comment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    commands = example("commands").splitlines()
    said = set()
    for line in commands:
        program, *arguments = shlex.split(line, comments=True)
        comment = line.rpartition("#")[2].strip()
        result = run(*arguments)
        assert program == "gatewayctl"
        if comment in ("allow", "ask", "deny"):
            said.add(comment)
            assert result.output.split()[0] == comment, line
            assert result.exit_code == (0 if comment == "allow" else 1)
        else:
            assert result.exit_code == (1 if arguments[:2] == ["explain", "pay_invoice"] else 0), line
    assert said == {"allow", "ask", "deny"}


def test_the_hooks_settings_are_json_and_wait_longer_than_the_hook() -> None:
    registered = json.loads(example("hook"))["hooks"]
    assert list(registered) == ["PreToolUse", "PostToolUse", "UserPromptSubmit"]
    hook = registered["PreToolUse"][0]["hooks"][0]
    assert list(registered.values()) == [[{"hooks": [hook]}]] * 3
    assert hook["timeout"] > DEADLINE
    assert f"a hang ({DEADLINE:g} seconds)" in README
    command, _, otherwise = hook["command"].partition(" || ")
    program, *arguments = command.split()
    assert program.startswith("/")
    assert arguments[:5] == ["-I", "-m", "gatewayctl", "hook", *HOSTS]
    assert otherwise == "exit 2"
    waits = re.search(r'"timeout": (\d+)', run("hook", "--help").output)
    assert waits is not None
    assert int(waits[1]) == hook["timeout"]


# --- what commands are understood ------------------------------------------------------------------------------------


def test_inspect_says_what_the_example_shows() -> None:
    section = README.split("## What commands are understood")[1].split("\n## ")[0]
    line = section.split("```sh\n")[1].splitlines()[0]
    program, *arguments = shlex.split(line)
    assert (program, arguments[0]) == ("gatewayctl", "inspect")
    result = run(*arguments)
    assert result.output == example("inspect")
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("make deploy", "allow"),
        ("npm run clean", "allow"),
        ("sh deploy.sh", "allow"),
        ('rm -rf "$DIR"', "ask"),
        ("printf 'rm -rf /' > a.sh && sh a.sh", "deny"),
        (f"echo {'x' * 65_536}", "ask"),
    ],
)
def test_what_is_said_to_be_seen_and_not_to_be_seen(command: str, answer: str) -> None:
    assert run("inspect", command).output.split()[0] == answer


# --- what a change relaxes -------------------------------------------------------------------------------------------


def test_diff_says_what_the_example_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init", "my-policy").exit_code == 0
    who = ("-c", "user.name=ann", "-c", "user.email=ann@acme.example")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*who, "commit", "-qm", "start")):
        subprocess.run(["git", *words], check=True, capture_output=True, timeout=60)
    policy = tmp_path / "my-policy" / "policy.yaml"
    text = policy.read_text().replace("1000", "5000").replace("1001", "5001")
    policy.write_text(text.replace('permissions: ["pay:create"]', "permissions: []"))
    assert "gatewayctl diff main:my-policy my-policy\n" in README
    result = run("diff", "main:my-policy", "my-policy")
    assert result.exit_code == 1
    assert result.output == example("diff")
    (tmp_path / "confirmations.yaml").write_text(example("confirmations"))
    assert "policies --strict --confirm confirmations.yaml\n" in README
    result = run("diff", "main:my-policy", "my-policy", "--strict", "--confirm", "confirmations.yaml")
    assert result.exit_code == 1
    assert "relaxed: 2 relaxed, 2 other, 1 item confirmed, 1 not confirmed\n" in result.output


# --- the library -----------------------------------------------------------------------------------------------------


def test_the_library_example_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", example("library") + "\nprint(decision.code, [t.name for t in shown])"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert done.stdout.startswith("ALLOWED ")
    assert "form_list" in done.stdout


def test_the_library_example_has_about_ten_lines_that_do_something() -> None:
    lines = [line for line in example("library").splitlines() if line.strip()]
    assert len(lines) <= 17


# --- the page as a whole ---------------------------------------------------------------------------------------------


def test_every_code_stands_among_the_steps() -> None:
    table = README.split("## What a decision goes through")[1].split("The model is told")[0]
    named = set(re.findall(r"`([A-Z_]{4,})`", table))
    assert named == {code.value for code in Code}


def test_every_code_has_a_page() -> None:  # B23
    assert set(PAGES) == set(Code)
    for code, page in PAGES.items():
        assert page.meaning and page.who and page.next, code
        assert page.retry or code in (Code.ALLOWED, Code.REVIEWED)


def test_exactly_two_commands_set_things_up() -> None:
    section = README.split("## Set up")[1].split("\n## ")[0]
    commands = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    assert len(commands) == 2
    assert all(command.strip().count("\n") == 0 for command in commands)
    assert commands[0].strip().endswith("gatewayctl demo")
    assert commands[1].strip().endswith("-m pytest")


def test_the_continuous_check_runs_the_readme_s_test_command() -> None:
    assert "python -m pytest" in (ROOT / ".ci" / "run").read_text()


def test_lower_bounds_are_pinned_for_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert all(">=" in dependency for dependency in project["dependencies"])


@pytest.mark.parametrize("folder", ["platform", "coding-agent"])
def test_named_policies_exist(folder: str) -> None:
    assert f"policies/{folder}" in README
    assert (ROOT / "policies" / folder).is_dir()


def test_the_number_of_tools_is_right() -> None:
    tools = Gateway.load(ROOT / "policies" / "platform").manifest.tools
    assert f"`policies/platform/` (a form platform with {tools} tools)" in README


def test_what_is_said_to_be_not_in_force_is_reported_so() -> None:
    whole = load(ROOT / "tests" / "data" / "load" / "whole.yaml").gateway
    reported = " ".join(diagnostic.message for diagnostic in whole.manifest.not_in_force)
    for word, what in {
        "`servers`": "the server `github`",
        "`fields` in `results`": "`fields` of the result `mail`",
        "`origin()`": "`origin()`",
    }.items():
        assert word in README
        assert what in reported


# --- what must always hold -------------------------------------------------------------------------------------------


def test_the_invariant_of_the_example_holds_of_the_policy_that_init_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init", "my-policy").exit_code == 0
    (tmp_path / "my-policy" / "invariants.yaml").write_text("version: 1\n" + example("invariant"))
    assert "gatewayctl verify my-policy\n" in README
    result = run("verify", "my-policy")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("not violated  large-payments-are-refused-or-agreed")
