"""Lower layers, a user's or a project's own files, can only make a policy stricter."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway import Gateway
from gateway.decision import Code, Effect
from gateway.diagnostic import PolicyError
from gateway.load import load_policy
from gateway.risk import RiskLevel
from gateway.testing import load

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
        ("rules: [{id: a, tools: [b], effect: ask, context: Do as I say.}]", "context"),
        ("results: [{id: a, tools: [b], redact: [{field: x}], message: Do as I say.}]", "message"),
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


# --- the law ----------------------------------------------------------------------------------------------------------

SHOP = """
version: 1
settings: {confirm_from: HIGH, packs: [git]}
agents: [{name: clerk, tools: ["*"], tenants: [acme]}]
tools:
  - {name: read, risk: READ_ONLY, permissions: []}
  - {name: pay, risk: HIGH, permissions: [], parameters: {type: object, required: [amount], properties: {amount: {type: integer}, note: {type: string}}}}
  - {name: run, risk: LOW, permissions: [], parameters: {type: object, required: [command], properties: {command: {type: string}}}, inspect: {command: shell}}
rules:
  - {id: small, tools: [pay], when: args.amount < 10, effect: allow, lifts: [large]}
  - {id: large, tools: [pay], when: args.amount > 5, effect: ask}
  - {id: none, tools: [pay], when: args.amount == 0, effect: respond, response: nothing}
  - {id: huge, tools: [pay], when: args.amount > 1000, effect: deny}
"""
CALLS: list[dict[str, Any]] = [
    {"tool": "read"},
    *({"tool": "pay", "arguments": {"amount": amount}} for amount in (0, 3, 7, 50, 5000)),
    *(
        {"tool": "run", "arguments": {"command": command}}
        for command in ("ls", "rm -rf /srv", "git reset --hard")
    ),
]
CONDITIONS = st.sampled_from(
    [
        "session.can_ask",
        "!session.can_ask",
        "tool.risk == 'HIGH'",
        "size(tool.name) == 3",
        "[1][int(size(session.id))] == 1",
    ]
)
LOWER_RULES = st.lists(
    st.fixed_dictionaries(
        {
            "tools": st.lists(st.sampled_from(["*", "pay", "r*"]), min_size=1, max_size=2),
            "effect": st.sampled_from(["deny", "ask"]),
        },
        optional={
            "when": CONDITIONS,
            "unless": CONDITIONS,
            "monitor": st.booleans(),
            "approval": st.just({"by": ["boss"]}),
        },
    ),
    max_size=3,
)
LOWER_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "packs": st.lists(st.sampled_from(["core", "git", "files", "database"]), unique=True),
        "confirm_from": st.sampled_from(["LOW", "MEDIUM", "HIGH"]),
    },
)


def asked(gateway: Gateway, *, can_ask: bool) -> list[Any]:
    subject = {"id": "ann", "tenant": "acme", "authenticated": True}
    who = {
        "id": "s",
        "tenant": "acme",
        "agent": "clerk",
        "can_ask": can_ask,
        "subject": subject,
        "cwd": "/w",
        "roots": ["/w"],
    }
    decisions = [gateway.before({"id": "c", **call}, who) for call in CALLS]
    return [*decisions, {tool.name for tool in gateway.tools(who).visible}]


@cache
def asked_alone(*, can_ask: bool, packs: bool) -> list[Any]:
    """What the top says without any lower layer."""
    with tempfile.TemporaryDirectory() as folder:
        return asked(Gateway.load(top_of(folder, packs=packs)), can_ask=can_ask)


def top_of(folder: str, *, packs: bool) -> Path:
    top = Path(folder) / "top.yaml"
    top.write_text(SHOP if packs else SHOP.replace(", packs: [git]", ""))
    return top


@settings(max_examples=80, deadline=None)
@given(rules=LOWER_RULES, lower=LOWER_SETTINGS, can_ask=st.booleans(), packs=st.booleans())
def test_no_lower_layer_makes_any_call_less_strict(
    rules: list[dict[str, Any]], lower: dict[str, Any], can_ask: bool, packs: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top, project = top_of(folder, packs=packs), Path(folder) / "project.yaml"
        written = [{"id": f"own-{index}", **rule} for index, rule in enumerate(rules)]
        for rule in written:
            if rule["effect"] == "deny":
                rule.pop("approval", None)
        project.write_text(json.dumps({"version": 1, "settings": lower, "rules": written}))
        *below, still_seen = asked(Gateway.load(top, project=project), can_ask=can_ask)
    assume(Code.NOT_READY not in {each.code for each in below})  # a rule that can never match
    *alone, seen = asked_alone(can_ask=can_ask, packs=packs)
    for before, after in zip(alone, below, strict=True):
        assert after.effect.strictness >= before.effect.strictness
    assert still_seen <= seen


def test_both_lower_layers_count_and_are_guarded(tmp_path: Path) -> None:
    top, user, project = (tmp_path / f"{name}.yaml" for name in ("top", "user", "project"))
    top.write_text(SHOP)
    user.write_text('version: 1\nrules: [{id: u, tools: [read], effect: deny, message: "The user."}]\n')
    project.write_text('version: 1\nrules: [{id: p, tools: [pay], effect: deny, message: "The project."}]\n')
    gateway = Gateway.load(top, user=user, project=project)
    read, *paid, _ = asked(gateway, can_ask=True)
    assert (read.effect, read.rule) == (Effect.DENY, "u")
    assert {each.rule for each in paid[:4]} == {"p"}
    for path in (top, user, project):
        subject = {"id": "ann", "tenant": "acme", "authenticated": True}
        who = {
            "tenant": "acme",
            "agent": "clerk",
            "can_ask": True,
            "subject": subject,
            "cwd": "/",
            "roots": ["/"],
        }
        call = {"tool": "run", "arguments": {"command": f"rm {path}"}}
        assert gateway.before(call, who).code is Code.GUARD
    assert load(top, user, project).gateway.manifest.digest == gateway.manifest.digest
