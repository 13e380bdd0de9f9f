"""What `gatewayctl init` writes can be used at once, and takes nobody's files away."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def test_what_is_written_lints_clean_and_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("init").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "policies").iterdir()) == [
        "policy.test.yaml",
        "policy.yaml",
        "session.json",
    ]
    assert run("lint", "--strict", "policies").exit_code == 0
    assert run("test").exit_code == 0
    call = ("check", "pay_invoice", '{"amount": 400, "iban": "X"}')
    result = run(*call, "--session", "policies/session.json")
    assert result.output.startswith("ask  CONFIRM  pay_invoice")


def test_the_commands_that_are_printed_work_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written, _, following = run("init", "my policies").output.partition("next:\n")
    assert [line.partition(" ")[0] for line in written.splitlines()] == ["wrote"] * 3
    commands = [shlex.split(line) for line in following.splitlines()]
    assert [command[:2] for command in commands] == [
        ["gatewayctl", "lint"],
        ["gatewayctl", "test"],
        ["gatewayctl", "explain"],
    ]
    lint, test, explain = (run(*command[1:]) for command in commands)
    assert (lint.exit_code, test.exit_code) == (0, 0)
    assert explain.exit_code == 1
    assert "the rule `large-payment`" in explain.output


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.mkdir()
    (target / "policy.test.yaml").write_text("mine")
    result = run("init", str(target))
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert [path.name for path in target.iterdir()] == ["policy.test.yaml"]
    (tmp_path / "file").write_text("x")
    assert run("init", str(tmp_path / "file")).exit_code == 2
