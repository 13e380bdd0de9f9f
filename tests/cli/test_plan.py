"""`gatewayctl explain --plan TOOL`: the code that decides, and the rules that it is from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from gatewayctl.commands import cli

SHOP = """version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: pay, risk: LOW, permissions: [], parameters: {type: object, required: [amount], properties: {amount: {type: integer}, to: {type: string}}}}
  - {name: bare, risk: HIGH, permissions: []}
rules:
  - {id: large, tools: [pay], when: args.amount > 100, effect: ask}
  - {id: larger, tools: [pay], when: args.amount > 1000, effect: deny}
  - {id: named, tools: [pay], when: 'has(args.to) && args.to == "x"', unless: '"boss" in subject.roles', effect: deny}
  - {id: odd, tools: [pay], when: args.amount % 2 == 1, effect: deny}
"""


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(SHOP)
    return path


def run(policy: Path, *words: str) -> Result:
    result = CliRunner().invoke(cli, ["explain", "--plan", "--policies", str(policy), *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_questions_name_their_rules(policy: Path) -> None:
    lines = [line.strip() for line in run(policy, "pay").output.splitlines()]
    assert lines[0].endswith(": 4 rules")
    at = lines.index("# large, larger: amount > 100, 1000")
    assert lines[at + 1 : at + 3] == ["v0 = arguments['amount']", "if not (v0 <= 100): found += c2"]
    assert "# named: to is 'x'" in lines
    assert any(
        line.startswith("ask rule large (") and line.endswith("evaluated where it may hold:")
        for line in lines
    )
    assert any(
        line.startswith("deny rule odd (") and line.endswith("evaluated for each call:") for line in lines
    )
    assert lines.count("def condition(variables):") == 5


def test_scripts_get_the_same(policy: Path) -> None:
    plan = json.loads(run(policy, "--format", "json", "pay").output)
    assert plan["tool"] == "pay"
    assert plan["left_to_the_steps"] == ""
    assert [(rule["id"], rule["always_evaluated"]) for rule in plan["rules"]] == [
        ("large", False), ("larger", False), ("named", False), ("odd", True),
    ]  # fmt: skip
    assert "# args.amount % 2 == 1" in plan["rules"][3]["when"]
    assert '# "boss" in subject.roles' in plan["rules"][2]["unless"]


def test_why_a_tool_is_left_to_the_steps_is_said(policy: Path) -> None:
    assert (
        "each call goes through all steps: a person confirms each of its calls" in run(policy, "bare").output
    )


def test_a_tool_that_there_is_not(policy: Path) -> None:
    result = run(policy, "pai")
    assert result.exit_code == 2
    assert "no tool is called `pai`" in result.output
    assert "did you mean `pay`?" in result.output


@pytest.mark.parametrize("more", [["{}"], ["--session", "policy.yaml"]])
def test_what_a_plan_does_not_look_at_is_not_ignored_in_silence(
    policy: Path, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    monkeypatch.chdir(policy.parent)
    result = run(policy, "pay", *more)
    assert result.exit_code == 2
    assert "`--plan` shows what decides every call of `pay`" in result.output
    assert "leave `--plan` away" in result.output


def test_the_names_in_a_plan_are_explained_where_they_occur(policy: Path) -> None:
    output = run(policy, "pay").output
    code, legend = output.split("in this code:\n")
    for name in ("c2", "CAUGHT", "exact(variables)", "Doubt"):
        assert name in code
        assert name in legend
    assert "in this code:" not in run(policy, "bare").output
