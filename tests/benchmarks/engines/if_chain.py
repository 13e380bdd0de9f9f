"""What somebody would write by hand: one function with an `if` for each rule, without validation, ids or records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.benchmarks.engines import Ready
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
    people,
)


def ready(policy: Policy) -> Ready:
    """The function for the policy, made from its source."""
    ask = function(policy)
    held = {person.id: frozenset(person.permissions) for person in people()}

    def prepare(call: Call) -> tuple[Any, ...]:
        return call.tool, call.arguments, held[call.person.id], call.person.roles

    return Ready(ask, prepare, Effect)


def function(policy: Policy) -> Callable[..., str]:
    """The chain: permissions, rules that deny, rules that ask, confirmation by risk."""
    lines = [
        "def decide(tool, args, held, roles):",
        "    if not NEEDED[tool] <= held:",
        "        return 'deny'",
    ]
    known: dict[str, Any] = {
        "NEEDED": {tool.name: frozenset(tool.permissions) for tool in policy.tools},
        "CONFIRMED": frozenset(tool.name for tool in policy.tools if tool.risk == CONFIRMED),
    }
    for effect in (Effect.DENY, Effect.ASK):
        for rule in policy.rules:
            if rule.effect is effect:
                known[rule.id] = frozenset(rule.tools)
                conditions = " and ".join([f"tool in {rule.id}", *map(_python, rule.atoms)])
                lines += [f"    if {conditions}:", f"        return {effect.value!r}"]
    lines.append("    return 'ask' if tool in CONFIRMED else 'allow'")
    exec("\n".join(lines), known)  # noqa: S102 - our own text
    made: Callable[..., str] = known["decide"]
    return made


def _python(atom: Atom) -> str:
    match atom:
        case Over(number):
            return f"args['amount'] > {number}"
        case NameBegins(text):
            return f"args['name'].startswith({text!r})"
        case NameIs(text):
            return f"args['name'] == {text!r}"
        case PathHolds(text):
            return f"'path' in args and {text!r} in args['path']"
        case Lacks(role):
            return f"{role!r} not in roles"
