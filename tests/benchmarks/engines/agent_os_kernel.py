"""Microsoft's agent-os-kernel by its SharedPolicyEvaluator; permissions and risk are looked up in Python.

It has no conditions on lists, so the roles come as flags, and no prefix or part of a text but by a regular expression.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.benchmarks.engines import Ready
from tests.benchmarks.workload import (
    CONFIRMED,
    ROLES,
    Atom,
    Call,
    Effect,
    Lacks,
    NameBegins,
    NameIs,
    Over,
    PathHolds,
    Policy,
    people,
)

_EFFECTS = {"allow": Effect.ALLOW, "deny": Effect.DENY, "escalate": Effect.ASK}


def ready(policy: Policy) -> Ready:
    """The evaluator with the list of rules; those that deny have the higher priority."""
    from agent_os.policies.shared import Condition, SharedPolicyEvaluator, SharedPolicyRule

    rules = [
        SharedPolicyRule(
            id=rule.id,
            action="deny" if rule.effect is Effect.DENY else "escalate",
            conditions=[
                Condition("tool", "in", frozenset(rule.tools)),
                *(Condition(*_condition(atom)) for atom in rule.atoms),
            ],
            priority=2 if rule.effect is Effect.DENY else 1,
        )
        for rule in policy.rules
    ]
    evaluate = SharedPolicyEvaluator().evaluate
    needed = {tool.name: frozenset(tool.permissions) for tool in policy.tools}
    confirmed = frozenset(tool.name for tool in policy.tools if tool.risk == CONFIRMED)
    held = {person.id: frozenset(person.permissions) for person in people()}
    flags = {person.id: {role: role in person.roles for role in ROLES} for person in people()}

    def ask(tool: str, arguments: Mapping[str, Any], person: str) -> str:
        if not needed[tool] <= held[person]:
            return "deny"
        action: str = evaluate({"tool": tool, **arguments, **flags[person]}, rules).action
        return "escalate" if action == "allow" and tool in confirmed else action

    def prepare(call: Call) -> tuple[Any, ...]:
        return call.tool, call.arguments, call.person.id

    return Ready(ask, prepare, lambda action: _EFFECTS[action])


def _condition(atom: Atom) -> tuple[str, str, Any]:
    match atom:
        case Over(number):
            return "amount", "gt", number
        case NameBegins(text):
            return "name", "matches", f"^{text}"
        case NameIs(text):
            return "name", "eq", text
        case PathHolds(text):
            return "path", "matches", text
        case Lacks(role):
            return role, "eq", False
