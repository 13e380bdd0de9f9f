"""Every key of the language has a judge; one that is added to a model and forgotten here fails."""

from __future__ import annotations

import pytest

from gateway.policy import (
    Agent,
    Approval,
    ArgumentEntry,
    Limit,
    Override,
    Part,
    Pin,
    Result,
    Rule,
    Server,
    Settings,
    Tool,
)
from gateway.relaxation import JUDGES, Direction, Kind, compare
from gateway.relaxation.change import context

CONDITION = {"when": "condition", "unless": "condition", "let": "condition", "risk": "tools", "id": None}
"""Keys that are judged under another name, and those that name the part."""
MONITORED = {**CONDITION, "until": "monitor"}
KEYS: list[tuple[type[Part], Kind, dict[str, str | None]]] = [
    (Settings, Kind.SETTINGS, {"switches": None, "patterns": None}),
    (Agent, Kind.AGENT, {"name": None}),
    (Server, Kind.SERVER, {"name": None}),
    (
        Pin,
        Kind.PIN,
        {
            "tool": None,
            "accepted": None,
            **dict.fromkeys(("title", "description", "input", "output", "annotations"), "digest"),
        },
    ),
    (Tool, Kind.TOOL, {"name": None}),
    (ArgumentEntry, Kind.ARGUMENTS, CONDITION),
    (Rule, Kind.RULE, {**CONDITION, "approval": None}),
    (Limit, Kind.LIMIT, MONITORED),
    (Result, Kind.RESULT, CONDITION),
    (
        Override,
        Kind.OVERRIDE,
        {"until": "permissions.until", "tenant": None, "tools": None, "reason": None, "confirm": None},
    ),
]


@pytest.mark.parametrize(("model", "kind", "renamed"), KEYS, ids=[model.__name__ for model, _, _ in KEYS])
def test_every_key_has_a_judge(model: type[Part], kind: Kind, renamed: dict[str, str | None]) -> None:
    for key in model.model_fields:
        name = renamed.get(key, key)
        assert name is None or JUDGES[kind].get(name, context) is not context, key


def test_every_key_of_an_approval_has_a_judge() -> None:
    for key in Approval.model_fields:
        assert f"approval.{key}" in JUDGES[Kind.RULE]


def test_every_kind_is_among_those_whose_keys_are_looked_at() -> None:
    assert {kind for _, kind, _ in KEYS} == set(Kind)


@pytest.mark.parametrize("kind", list(Kind))
def test_a_key_that_nobody_knows_is_enforced_and_of_unknown_direction(kind: Kind) -> None:
    (change,) = compare(kind, "x", {"novel": 1}, {"novel": 2})
    assert change.item == "x.novel"
    assert (change.direction, change.enforced) == (Direction.OTHER, True)


def test_numbers_that_python_takes_for_truth_are_no_truth_here() -> None:
    assert compare(Kind.OVERRIDE, "x", {"novel": 1}, {"novel": True})
    assert compare(Kind.OVERRIDE, "x", {"novel": 1}, {"novel": 1}) == ()
