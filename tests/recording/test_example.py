"""What the README shows of the log works as it stands."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

from tests.reference import shown
from tests.test_readme import README, STARTER


def test_the_example_and_its_commands_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "policy.yaml").write_text((STARTER / "policy.yaml").read_text(encoding="utf-8"))
    names = {"session": json.loads((STARTER / "session.json").read_text(encoding="utf-8"))}
    exec(shown(README, "log"), names)  # noqa: S102
    outputs = []
    for line in shown(README, "log commands").splitlines():
        program, *arguments = shlex.split(line, comments=True)
        assert program == "gatewayctl"
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, (line, result.output)
        outputs.append(result.output)
    tail, verify, stats, show = outputs
    assert "decision allow   ALLOWED `pay_invoice`" in tail
    assert "whole: 1 records" in verify
    assert "pay_invoice" in stats
    assert names["decision"].id in show
