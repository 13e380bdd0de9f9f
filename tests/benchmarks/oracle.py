"""The right answer to each call, worked out in the plainest way; no engine has anything to do with it."""

from __future__ import annotations

from typing import Any

from tests.benchmarks.workload import (
    CONFIRMED,
    Atom,
    Call,
    Effect,
    Lacks,
    NameBegins,
    NameIs,
    Over,
    PathHolds,
    Policy,
)


def right_answer(policy: Policy, call: Call) -> Effect:
    """Permissions first, then the strictest of what the rules and the risk say."""
    tool = policy.by_name[call.tool]
    if any(permission not in call.person.permissions for permission in tool.permissions):
        return Effect.DENY
    held = {
        rule.effect
        for rule in policy.rules
        if call.tool in rule.tools and all(_holds(atom, call) for atom in rule.atoms)
    }
    if Effect.DENY in held:
        return Effect.DENY
    return Effect.ASK if Effect.ASK in held or tool.risk == CONFIRMED else Effect.ALLOW


def _holds(atom: Atom, call: Call) -> bool:
    arguments: Any = call.arguments
    match atom:
        case Over(number):
            return bool(arguments["amount"] > number)
        case NameBegins(text):
            return bool(arguments["name"][: len(text)] == text)
        case NameIs(text):
            return bool(arguments["name"] == text)
        case PathHolds(text):
            return "path" in arguments and text in arguments["path"]
        case Lacks(role):
            return role not in call.person.roles
