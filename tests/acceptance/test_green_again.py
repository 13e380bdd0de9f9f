"""A red run of the pipeline is turned green from what it prints alone, for six different faults.

Nobody looks into the files here: each mend is made of the place, the words and the commands that stand in the output.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

from tests.pipeline import git, steps


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["init", "policies"]).exit_code == 0
    (tmp_path / "confirmations.yaml").write_text("[]\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "start")
    return tmp_path


def run(line: str) -> int:
    """The exit code of a command that stands in the output."""
    program, *words = shlex.split(line)
    assert program == "gatewayctl"
    return CliRunner().invoke(cli, words).exit_code


def found(pattern: str, output: str) -> tuple[str, ...]:
    match = re.search(pattern, output, re.MULTILINE)
    assert match is not None, output
    return match.groups()


def written(file: str, line: str, old: str, new: str) -> None:
    """Write something else at a line that the output names."""
    path = Path(file)
    lines = path.read_text().splitlines(keepends=True)
    assert old in lines[int(line) - 1]
    lines[int(line) - 1] = lines[int(line) - 1].replace(old, new)
    path.write_text("".join(lines))


def a_misspelt_key(output: str) -> str:
    file, line, wrong = found(r"^::error file=(.*?),line=(\d+),.*?::`(\w+)` is no key", output)
    (right,) = found(r"%0Ahelp: did you mean `(\w+)`\?", output)
    written(file, line, wrong, right)
    (again,) = found(r"^to check again: (.*)$", output)
    return again


def a_failing_case(output: str) -> str:
    file, line, expected, got = found(
        r"^::error file=(.*?),line=(\d+),.*::the case fails: code: expected (\w+), got (\w+)", output
    )
    written(file, line, expected, got)
    (again,) = found(r"^(gatewayctl test .*)$", output)
    return again


def a_warning(output: str) -> str:
    (mend,) = found(r"^1 of them can be mended: (.*)$", output)
    assert run(mend) == 0
    (again,) = found(r"^to check again: (.*)$", output)
    return again


def a_relaxation(output: str) -> str:
    file, entry = found(r"write this into (\S+), with who agreed and why:\n((?:[- ] .*\n)+)", output)
    filled = entry.replace("by:", "by: ann").replace("reason:", "reason: a new tenant")
    Path(file).write_text(filled)
    (again,) = found(r"^to check again: (gatewayctl diff .*)$", output)
    return again


def a_comment_without_a_reason(output: str) -> str:
    file, line = found(r"^::warning file=(.*?),line=(\d+),.*title=unexplained-ignore::", output)
    assert "write the reason behind the bracket: `# gateway: ignore[CHECK] the reason`" in output
    written(file, line, "]", "] agreed with the bank")
    (again,) = found(r"^to check again: (.*)$", output)
    return again


def a_rule_that_no_case_reaches(output: str) -> str:
    """Who calls, and what else a call needs, the author of the cases knows."""
    rule, tool, name, value = found(
        r"::\S+:\d+:\d+: rule `(\w+)`: never matched%0Ahelp: add a case that calls `(\w+)` where `args.(\w+) == (\d+)`",
        output,
    )
    call = f"{{tool: {tool}, arguments: {{iban: X, {name}: {value}}}}}"
    with Path("policies/policy.test.yaml").open("a") as cases:
        cases.write(f"  - {{name: {rule}, session: clerk, call: {call}, expect: {{rule: {rule}}}}}\n")
    (again,) = found(r"^(gatewayctl test .*)$", output)
    return again


@pytest.mark.parametrize(
    ("old", "new", "file", "mend"),
    [
        ("    message: Pay", "    mesage: Pay", "policy.yaml", a_misspelt_key),
        ("code: CONFIRM}", "code: RULE}", "policy.test.yaml", a_failing_case),
        ("rules:  ", "lists: {few: [1]}\nrules:  ", "policy.yaml", a_warning),
        ("tenants: [acme]}", "tenants: [acme, beta]}", "policy.yaml", a_relaxation),
        ("# a person confirms calls of this risk and above", "# gateway: ignore[posture]", "policy.yaml",
         a_comment_without_a_reason),
        ("\nlimits:", "\n  - {id: odd, tools: [pay_invoice], when: args.amount == 777, effect: deny, message: Call us.}\n\nlimits:",
         "policy.yaml", a_rule_that_no_case_reaches),
    ],
)  # fmt: skip
def test_a_red_run_is_turned_green_from_its_output(
    repository: Path, old: str, new: str, file: str, mend: Callable[[str], str]
) -> None:
    path = repository / "policies" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    inputs = {"base": "HEAD", "confirm": "confirmations.yaml", "coverage": "75"}
    red = steps(repository, **inputs)
    assert any(each.code for each in red.values())
    again = mend("".join(each.output for each in red.values()))
    assert run(again) == 0
    green = steps(repository, **inputs)
    assert not any(each.code for each in green.values()), green
