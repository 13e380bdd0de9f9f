"""What equal schemas share, and what keeps tools with equal schemas apart."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.cel import Environment
from gateway.compile.in_force import InForce
from gateway.compile.inspected import Facts
from gateway.compile.shapes import Shapes
from gateway.schema import resolved
from tests.engine.build import compiled

NOTHING: frozenset[str] = frozenset()
FACTS = Facts(InForce((), (), frozenset(), unsure=False))


def of(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_equal_schemas_have_one_shape() -> None:
    shapes = Shapes(Environment({}), FACTS)
    one = shapes.of(of(n={"type": "integer"}), {"n": "shell"}, NOTHING)
    assert shapes.of(of(n={"type": "integer"}), {"n": "shell"}, NOTHING) is one
    assert shapes.of(of(n={"type": "integer"}), {}, NOTHING) is not one
    assert shapes.of(of(n={"type": "integer"}), {"n": "shell"}, frozenset({"n"})) is not one


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (of(n={"const": 1}), of(n={"const": True})),
        (of(n={"enum": [0]}), of(n={"enum": [False]})),
        (of(n={"const": 1}), of(n={"const": 1.0})),
        (of(n={"const": None}), of(n={"const": "None"})),
        (of(n={}, m={}), of(m={}, n={})),
    ],
)
def test_what_python_takes_for_equal_is_told_apart(one: dict[str, Any], other: dict[str, Any]) -> None:
    shapes = Shapes(Environment({}), FACTS)
    assert shapes.of(one, {}, NOTHING) is not shapes.of(other, {}, NOTHING)


def test_a_schema_is_resolved_once() -> None:
    schema = {**of(a={"$ref": "#/$defs/t"}), "$defs": {"t": {"type": "string"}}}
    once = resolved(schema)
    assert once == of(a={"type": "string"})
    assert resolved(once) is once
    assert resolved(dict(once)) == once


@pytest.mark.parametrize(
    "condition",
    [
        "when: 'tool.risk == \"LOW\"'",
        "unless: 'tool.risk != \"LOW\"'",
        "let: {low: 'tool.risk == \"LOW\"'}, when: low && args.n > 1",
        'when: args.n > 1, unless: \'tool["risk"] != "LOW"\'',
    ],
)
def test_a_rule_tells_tools_with_equal_schemas_apart(condition: str) -> None:
    parameters = (
        "permissions: [], parameters: {type: object, properties: {n: {type: integer}}, required: [n]}"
    )
    engine = compiled(
        f"""
version: 1
agents: [{{name: a, tools: ['*'], tenants: ['*']}}]
tools:
  - {{name: high, risk: HIGH, {parameters}}}
  - {{name: low, risk: LOW, {parameters}}}
  - {{name: low_too, risk: LOW, {parameters}}}
rules: [{{id: r, tools: ['*'], {condition}, effect: deny}}]
"""
    ).engine
    assert {name: len(tool.rules) for name, tool in engine.tools.items()} == {
        "high": 0,
        "low": 1,
        "low_too": 1,
    }
