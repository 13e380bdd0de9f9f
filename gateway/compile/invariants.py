"""Invariants, checked against each tool that they are about; nothing of them is served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gateway.cel import STRING, Field, ListType, ObjectType
from gateway.cel.domain import texts
from gateway.compile.conditions import read_expression
from gateway.compile.names import governed
from gateway.compile.report import Report
from gateway.decision import Basis, Code, Effect
from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.cel import Environment
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.plan import Condition
    from gateway.policy import Policy

DECISION = ObjectType(
    "decision",
    {
        "effect": Field(STRING, domain=texts(tuple(effect.value for effect in Effect))),
        "code": Field(STRING, domain=texts(tuple(code.value for code in Code))),
        "rule": Field(STRING),
        "basis": Field(STRING, domain=texts(tuple(basis.value for basis in Basis))),
        "approvers": Field(ListType(STRING)),
    },
)
"""What an invariant reads of a decision: `rule` is empty where none decided, `approvers` are roles that must agree."""


@frozen
class InvariantPlan:
    """An invariant, with its expression for each tool that it is about."""

    id: str
    place: str
    message: str
    conditions: Mapping[str, Condition]


def plan_invariants(
    policy: Policy, tools: Mapping[str, Declared], typed: Mapping[str, Typed], report: Report
) -> tuple[InvariantPlan, ...]:
    """Every invariant of a policy."""
    found: list[InvariantPlan] = []
    made: dict[int, Environment] = {}
    for one in sorted(policy.invariants, key=lambda each: each.id):
        environments = {}
        for name in governed(one, tools):
            known = typed[name].environment
            if id(known) not in made:
                made[id(known)] = known.with_variables(decision=DECISION)
            environments[name] = made[id(known)]
        if not environments and all("*" in pattern for pattern in one.tools):
            report.error(
                "matches-no-tool",
                f"the invariant `{one.id}` is about no tool",
                one.where.span("tools"),
                "name tools that are declared",
            )
        compiled = read_expression(one.where, ("always",), {}, environments, report)
        if compiled is not None:
            conditions = {name: compiled.condition(name) for name in environments}
            place = one.where.span("id").place
            found.append(InvariantPlan(one.id, place, one.message or "", conditions))
    return tuple(found)
