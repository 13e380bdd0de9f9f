"""What the README shows is true: its examples run, its tables say what the code says."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from gateway import Gateway
from gateway.codes import PAGES
from gateway.decision import Code, Effect

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def example(name: str) -> str:
    match = re.search(rf"<!-- example: {name} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert match is not None, name
    return match[1]


def test_the_policy_and_the_session_give_the_answers_that_the_text_promises(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(example("policy"))
    gate = Gateway.load(tmp_path)
    session = yaml.safe_load(example("session"))
    large = gate.before({"tool": "pay_invoice", "arguments": {"amount": 1500, "iban": "X"}}, session)
    assert (large.effect, large.rule) == (Effect.DENY, "large-payment")
    assert gate.before({"tool": "pay_invoice", "arguments": {"amount": 10, "iban": "X"}}, session).proceeds


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
    assert len(lines) <= 13


def test_every_code_stands_in_the_table_of_steps() -> None:
    table = README.split("## What a decision goes through")[1].split("The model is told")[0]
    named = set(re.findall(r"`([A-Z_]{4,})`", table))
    assert named == {code.value for code in Code} - {"NOT_READY", "POLICY_ERROR"}


def test_every_code_has_a_page() -> None:  # B23
    assert set(PAGES) == set(Code)
    for code, page in PAGES.items():
        assert page.meaning and page.who and page.next, code
        assert page.retry or code is Code.ALLOWED


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


def test_what_is_said_to_be_not_in_force_is_reported_so() -> None:
    whole = Gateway.load(ROOT / "tests" / "data" / "load" / "whole.yaml")
    reported = " ".join(diagnostic.message for diagnostic in whole.manifest.not_in_force)
    for word, shown in {
        "`servers`": "the server `github`",
        "`limits`": "the limit `mail-rate`",
        "`results`": "the result `no-secrets`",
        "`overrides`": "the override of tenant `acme`",
        "`inspect.…`": "`inspect.command.network`",
        "`origin()`": "`origin()`",
    }.items():
        assert word in README
        assert shown in reported
