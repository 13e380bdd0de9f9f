"""Invariants: what must hold of every decision, and the calls of which it does not."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from gatewayctl.commands import cli

from gateway.diagnostic import PolicyError
from gateway.diff import changes, compiled
from gateway.load import load_policy, load_text
from gateway.sources import Assembled
from gateway.verifying import Verified, verify

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
ROOT = Path(__file__).parents[2]
POLICY = """version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: pay, risk: MEDIUM, permissions: ["pay:create"], parameters: {type: object, required: [amount], properties: {amount: {type: integer}, note: {type: string}}}}
  - {name: wipe, risk: IRREVERSIBLE, permissions: []}
rules:
  - {id: large, tools: [pay], when: args.amount > 1000, effect: ask, approval: {by: [finance]}}
  - {id: huge, tools: [pay], when: args.amount > 9000, effect: deny}
  - {id: nights, tools: [wipe], when: '"ops" in subject.roles', effect: allow}
"""


def side(*invariants: str) -> Assembled:
    return compiled(load_text(POLICY + "invariants:\n" + "".join(f"  - {one}\n" for one in invariants)))


def only(found: tuple[Verified, ...]) -> Verified:
    (one,) = found
    return one


def test_an_invariant_that_no_call_violates_tells_how_many_were_tried() -> None:
    policy = side("{id: one, tools: [pay], always: 'args.amount <= 9000 || decision.effect == \"deny\"'}")
    one = only(verify(policy, NOW, 500))
    assert (one.violation, one.tried) == (None, 500)


@pytest.mark.parametrize(
    ("always", "arguments"),
    [
        ('args.amount <= 1000 || decision.effect == "deny"', {"amount": 1001}),
        ('args.amount <= 1001 || "finance" in decision.approvers || decision.effect == "deny"', None),
        ('decision.rule != "huge"', {"amount": 9001}),
        ("decision.approvers == []", {"amount": 1001}),
    ],
)
def test_a_violation_is_a_call_that_is_as_simple_as_it_can_be(
    always: str, arguments: dict[str, int] | None
) -> None:
    one = only(verify(side(f"{{id: one, tools: [pay], always: '{always}'}}"), NOW))
    assert (None if one.violation is None else one.violation.request.arguments) == arguments


def test_what_a_role_may_do_is_found() -> None:
    one = only(
        verify(side("{id: one, tools: ['*'], risk: IRREVERSIBLE, always: decision.effect != 'allow'}"), NOW)
    )
    assert one.violation is not None
    assert one.violation.request.tool == "wipe"
    assert one.violation.request.session["subject"]["roles"] == ["ops"]


def test_an_invariant_that_fails_is_violated() -> None:
    one = only(verify(side("{id: one, tools: [pay], always: 10 / (args.amount - 77) != 3}"), NOW))
    assert one.violation is not None
    assert (one.violation.request.arguments, "divi" in one.violation.error) == ({"amount": 77}, True)


def test_calls_that_are_refused_before_any_rule_and_dry_runs_are_not_looked_at() -> None:
    one = only(verify(side("{id: one, tools: [pay], always: '\"pay:create\" in subject.permissions'}"), NOW))
    assert one.violation is None
    one = only(verify(side("{id: one, tools: [pay], always: '!session.dry_run'}"), NOW))
    assert one.violation is None


@pytest.mark.parametrize(
    ("invariant", "code"),
    [
        ("{id: one, tools: [pay], always: args.amout > 3}", "cel-name"),
        ("{id: one, tools: [pay], always: decision.effect == 'alow'}", "cel-type"),
        ("{id: one, tools: [pay], always: decision.effekt == 'allow'}", "cel-name"),
        ("{id: one, tools: [pay], always: 1 + 1}", "cel-type"),
        ("{id: one, tools: [gone], always: 'true'}", "unknown-name"),
        ("{id: one, tools: ['gone*'], always: 'true'}", "matches-no-tool"),
        ("{id: large, tools: [pay], always: 'true'}", "duplicate-id"),
        ("{id: one, tools: [pay]}", "missing-key"),
    ],
)
def test_what_is_wrong_with_an_invariant_stops_the_load(invariant: str, code: str) -> None:
    with pytest.raises(PolicyError) as caught:
        side(invariant)
    assert [found.code for found in caught.value.diagnostics] == [code]


def test_a_lower_layer_states_no_invariants(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY)
    (tmp_path / "lower.yaml").write_text(
        "version: 1\ninvariants: [{id: one, tools: [pay], always: 'true'}]\n"
    )
    with pytest.raises(PolicyError):
        load_policy(tmp_path / "policy.yaml", lower=[tmp_path / "lower.yaml"])


def test_a_condition_of_a_rule_reads_no_decision() -> None:
    with pytest.raises(PolicyError):
        load_text_compiled(POLICY.replace("args.amount > 9000", 'decision.effect == "ask"'))


def load_text_compiled(text: str) -> Assembled:
    return compiled(load_text(text))


def test_an_invariant_that_changes_decides_nothing_and_is_told() -> None:
    old = side("{id: one, tools: [pay], always: args.amount > 3}", "{id: two, tools: [pay], always: 'true'}")
    new = side(
        "{id: one, tools: [pay], always: args.amount > 4}", "{id: three, tools: [pay], always: 'true'}"
    )
    assert [(one.item, one.enforced, one.meaning) for one in changes(old, new)] == [
        ("invariants.one", False, "the invariant is another one"),
        ("invariants.three", False, "the invariant is new"),
        ("invariants.two", False, "the invariant is gone"),
    ]


@pytest.mark.parametrize("name", ["platform", "coding-agent"])
def test_the_invariants_of_the_policies_that_come_along_are_not_violated(name: str) -> None:
    policy = compiled(load_policy(ROOT / "policies" / name))
    found = verify(policy, NOW, 1000)
    assert found
    assert [one.invariant.id for one in found if one.violation is not None] == []


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    (tmp_path / "policy.yaml").write_text(
        POLICY + "invariants:\n  - {id: one, tools: [pay], always: args.amount < 77, message: Not so much.}\n"
    )
    return tmp_path


def test_the_command_prints_the_call_and_ends_with_1(policies: Path) -> None:
    result = CliRunner().invoke(cli, ["verify", "--policies", str(policies)])
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"violated  one  ({policies}/policy.yaml:12:10)",
        "  Not so much.",
        "  tool       pay",
        '  arguments  {"amount": 77}',
        '  subject    {"id": "alice", "permissions": ["pay:create"], "tenant": "acme"}',
        '  session    {"tenant": "acme", "agent": "clerk", "channel": "internal"}',
        "  decision   allow ALLOWED: nothing was held against the call",
        "1 invariant violated, of 1",
    ]


def test_the_json_holds_a_call_that_check_decides_the_same(policies: Path) -> None:
    result = CliRunner().invoke(cli, ["verify", "--policies", str(policies), "--format", "json"])
    (one,) = json.loads(result.stdout)["invariants"]
    batch = policies / "batch.jsonl"
    batch.write_text(json.dumps({"id": "1", "call": one["call"], "session": one["session"]}))
    again = CliRunner().invoke(cli, ["check", "--batch", str(batch), "--policies", str(policies)])
    assert json.loads(again.stdout)["effect"] == one["effect"] == "allow"


def test_a_policy_without_invariants_is_fine_and_one_that_does_not_load_is_exit_2(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY)
    assert CliRunner().invoke(cli, ["verify", "--policies", str(tmp_path)]).exit_code == 0
    assert CliRunner().invoke(cli, ["verify", "--policies", str(tmp_path / "gone")]).exit_code == 2


def test_several_policies_are_each_searched(policies: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(POLICY + "invariants:\n  - {id: two, tools: [pay], always: args.amount < 55}\n")
    for words in ([str(policies / "policy.yaml"), str(other)], [str(other), str(policies / "policy.yaml")]):
        result = CliRunner().invoke(cli, ["verify", *words, "--format", "json"])
        assert result.exit_code == 1
        assert {one["id"]: one["holds"] for one in json.loads(result.stdout)["invariants"]} == {
            "one": False,
            "two": False,
        }
