"""Lower layers can only make a policy stricter."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.diagnostic import PolicyError
from gateway.load import load_policy
from gateway.risk import RiskLevel

TOP = """version: 1
settings: {confirm_from: MEDIUM, packs: [core], switches: {code: true}}
rules: [{id: top, tools: [a], effect: allow}]
"""


def layers(tmp_path: Path, lower: str) -> tuple[Path, Path]:
    (tmp_path / "top.yaml").write_text(TOP)
    (tmp_path / "project.yaml").write_text(f"version: 1\n{lower}\n")
    return tmp_path / "top.yaml", tmp_path / "project.yaml"


def test_a_lower_layer_adds_what_is_stricter(tmp_path: Path) -> None:
    top, project = layers(
        tmp_path,
        """settings: {confirm_from: LOW, packs: [git, core]}
rules: [{id: own, tools: ["*"], effect: deny}, {id: ask, tools: [b], effect: ask}]
limits: [{id: rate, tools: ["*"], per: session, rate: 5/m}]
results: [{id: hide, tools: ["*"], redact: [{detector: secrets}], fields: {"**": untrusted}}]""",
    )
    policy = load_policy(top, lower=[project])
    assert policy.settings.confirm_from is RiskLevel.LOW
    assert policy.settings.packs == ("core", "git")
    assert policy.settings.switches == {"code": True}
    assert [rule.id for rule in policy.rules] == ["top", "own", "ask"]
    assert (len(policy.limits), len(policy.results)) == (1, 1)
    assert policy.settings.where.span("confirm_from").text == "MEDIUM"
    assert policy.digest != load_policy([top, project_without_settings(tmp_path)]).digest


def project_without_settings(tmp_path: Path) -> Path:
    path = tmp_path / "other.yaml"
    path.write_text("version: 1\n")
    return path


def test_packs_named_below_turn_none_off(tmp_path: Path) -> None:
    top, project = layers(tmp_path, "settings: {packs: [git]}")
    top.write_text("version: 1\n")
    settings = load_policy(top, lower=[project]).settings
    # No packs named above means all of them.
    assert not settings.given("packs")


def test_without_lower_layers_only_what_was_written_is_given(tmp_path: Path) -> None:
    top, _ = layers(tmp_path, "")
    assert load_policy(top).settings.model_fields_set == {"confirm_from", "packs", "switches"}
    top.write_text("version: 1\n")
    assert load_policy(top).settings.model_fields_set == set()


@pytest.mark.parametrize(
    ("lower", "underlined"),
    [
        ("rules: [{id: a, tools: [b], effect: allow}]", "effect"),
        ("rules: [{id: a, tools: [b], effect: respond, response: x}]", "effect"),
        ("settings: {confirm_from: HIGH}", "confirm_from"),
        ("settings: {unknown_tools: abstain}", "unknown_tools"),
        ("settings: {switches: {code: true}}", "switches"),
        ("settings: {monitor_until: 2027-01-31}", "monitor_until"),
        ("agents: [{name: a, tools: [b]}]", "agents"),
        ("tools: []", "tools"),
        ("overrides: []", "overrides"),
        ("arguments: []", "arguments"),
        ("lists: {a: [b]}", "lists"),
        ("results: [{id: a, tools: [b], fields: {x: trusted}}]", "fields"),
    ],
)
def test_anything_else_in_a_lower_layer_is_an_error(tmp_path: Path, lower: str, underlined: str) -> None:
    top, project = layers(tmp_path, lower)
    with pytest.raises(PolicyError) as caught:
        load_policy(top, lower=[project])
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert (found.code, found.span.text) == ("lower-layer", underlined)
