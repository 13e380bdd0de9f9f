"""Decisions: the strictest finding wins, and a decision is no boolean."""

from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.decision import OUTSIDE, Class, Code, Decision, Effect, Finding, Step


def decision(effect: Effect, code: Code) -> Decision:
    return Decision(id="d-1", effect=effect, code=code, message="", detail="")


findings = st.builds(
    Finding,
    effect=st.sampled_from(Effect),
    code=st.just(Code.RULE),
    reason=st.just(""),
    rule=st.none() | st.sampled_from(["a", "b", "c"]),
    kind=st.sampled_from(Class),
    step=st.sampled_from(Step),
)


@pytest.mark.parametrize("effect", list(Effect))
def test_a_decision_has_no_truth_value(effect: Effect) -> None:
    with pytest.raises(TypeError, match=r"\.proceeds"):
        bool(decision(effect, Code.ALLOWED))


def test_only_allow_proceeds() -> None:
    proceeding = [effect for effect in Effect if decision(effect, Code.ALLOWED).proceeds]
    assert proceeding == [Effect.ALLOW]


def test_deny_is_stricter_than_respond_than_ask_than_allow() -> None:  # C3
    assert sorted(Effect, key=lambda effect: effect.strictness) == [
        Effect.ALLOW,
        Effect.ASK,
        Effect.RESPOND,
        Effect.DENY,
    ]


@pytest.mark.parametrize("code", [Code.TOOL_NOT_BOUND, Code.TOOL_DISABLED])
def test_a_hidden_tool_looks_like_one_that_does_not_exist(code: Code) -> None:  # A2 B14
    assert decision(Effect.DENY, code).outside_code == "TOOL_NOT_FOUND"


def test_every_other_code_is_told_as_it_is() -> None:
    for code in set(Code) - set(OUTSIDE):
        assert decision(Effect.DENY, code).outside_code == code.value


def test_a_code_is_spelled_as_its_name() -> None:  # B1
    assert [code.value for code in Code] == [code.name for code in Code]


def test_assertions_have_codes_of_their_own() -> None:  # B1 B13
    six = [
        Code.NO_IDENTITY,
        Code.NO_TENANT,
        Code.CROSS_TENANT,
        Code.AGENT_DISABLED,
        Code.TOOL_NOT_FOUND,
        Code.PERMISSION_DENIED,
        Code.RESOURCE_PERMISSION_DENIED,
    ]
    assert len({code.value for code in six}) == 7


def test_ties_go_by_step_then_class_then_id() -> None:
    def deny(step: Step, kind: Class, rule: str) -> Finding:
        return Finding(Effect.DENY, Code.RULE, "", rule=rule, kind=kind, step=step)

    expected = [
        deny(Step.EVALUATION, Class.GUARD, "z"),
        deny(Step.EVALUATION, Class.INSPECTION, "y"),
        deny(Step.EVALUATION, Class.FLOW, "x"),
        deny(Step.EVALUATION, Class.RULE, "a"),
        deny(Step.EVALUATION, Class.RULE, "b"),
        deny(Step.EVALUATION, Class.LIMIT, "a"),
        deny(Step.CONFIRMATION, Class.OTHER, "a"),
        Finding(Effect.ASK, Code.RULE, "", rule="a", kind=Class.GUARD, step=Step.IDENTITY),
    ]
    mixed = random.Random(7).sample(expected, len(expected))  # noqa: S311
    assert sorted(mixed, key=lambda finding: finding.rank) == expected


@given(st.lists(findings, min_size=1))
def test_the_strictest_finding_comes_first_in_any_order(given_findings: list[Finding]) -> None:  # C3
    first = min(given_findings, key=lambda finding: finding.rank)
    assert first.effect.strictness == max(finding.effect.strictness for finding in given_findings)
    again = min(reversed(given_findings), key=lambda finding: finding.rank)
    assert first.rank == again.rank


def test_a_decision_can_not_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        decision(Effect.DENY, Code.RULE).effect = Effect.ALLOW  # type: ignore[misc]


def test_a_misspelt_attribute_of_a_decision_is_named() -> None:
    with pytest.raises(AttributeError, match="'Decision' object has no attribute 'alowed'"):
        decision(Effect.ALLOW, Code.ALLOWED).alowed  # noqa: B018
