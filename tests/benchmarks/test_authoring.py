"""What authors wait for is timed over a policy that loads and cases that pass."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gateway.testing import run_file
from tests.benchmarks import authoring


def test_the_policy_loads_and_its_cases_pass(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(authoring.policy_of(60, 120))
    (tmp_path / "policy.test.yaml").write_text(authoring.cases_of(80, 60))
    report = run_file(tmp_path / "policy.test.yaml")
    assert len(report.cases) == 80
    assert report.failed == ()


@pytest.mark.parametrize(("seconds", "code"), [(3.0, 0), (3.1, 1)])
def test_a_target_that_is_missed_fails(monkeypatch: pytest.MonkeyPatch, seconds: float, code: int) -> None:
    monkeypatch.setattr(authoring, "timed", lambda words, fine, compiled: seconds)
    result = CliRunner().invoke(authoring.main, ["--rounds", "1"])
    assert result.exit_code == code
    assert ("missed by lint, test, diff" in result.output.splitlines()[-1]) is (code == 1)


def test_a_command_that_ends_otherwise_is_not_timed(tmp_path: Path) -> None:
    with pytest.raises(click.ClickException, match="ended with 2"):
        authoring.timed(["test", str(tmp_path)], (0,), str(tmp_path / "compiled"))
