"""Cedar by cedarpy, with its policies and entities read once; permissions and risk are looked up in Python.

Cedar permits or forbids. What asks is a `forbid`, too, and which of them held is told by the answer's reasons.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
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
    """The policies as a handle, and the tools below the rules that are about them as another."""
    import cedarpy

    policies = cedarpy.PolicySet.from_str("\n".join(_policies(policy)))
    entities = cedarpy.Entities.from_json_str(json.dumps(list(_entities(policy))))
    effects = {f"policy{number}": rule.effect for number, rule in enumerate(policy.rules, 1)}
    needed = {tool.name: frozenset(tool.permissions) for tool in policy.tools}
    otherwise = {tool.name: Effect.ASK if tool.risk == CONFIRMED else Effect.ALLOW for tool in policy.tools}
    held = {person.id: frozenset(person.permissions) for person in people()}
    action = {"type": "Action", "id": "call"}
    authorized, allowed = cedarpy.is_authorized, cedarpy.Decision.Allow

    def ask(tool: str, arguments: Mapping[str, Any], person: str) -> Effect:
        if not needed[tool] <= held[person]:
            return Effect.DENY
        request = {
            "principal": {"type": "User", "id": person},
            "action": action,
            "resource": {"type": "Tool", "id": tool},
            "context": arguments,
        }
        answer = authorized(request, policies, entities)
        if answer.decision == allowed:
            return otherwise[tool]
        if any(effects[reason] is Effect.DENY for reason in answer.diagnostics.reasons):
            return Effect.DENY
        return Effect.ASK

    def prepare(call: Call) -> tuple[Any, ...]:
        return call.tool, call.arguments, call.person.id

    return Ready(ask, prepare, lambda effect: effect)


def _policies(policy: Policy) -> Iterator[str]:
    yield "permit(principal, action, resource);"
    for rule in policy.rules:
        when = " && ".join(map(_cedar, rule.atoms))
        yield f'forbid(principal, action, resource in Rule::"{rule.id}") when {{ {when} }};'


def _entities(policy: Policy) -> Iterator[dict[str, Any]]:
    for person in people():
        yield {
            "uid": {"type": "User", "id": person.id},
            "attrs": {"roles": list(person.roles)},
            "parents": [],
        }
    for tool in policy.tools:
        parents = [{"type": "Rule", "id": rule.id} for rule in policy.by_tool[tool.name]]
        yield {"uid": {"type": "Tool", "id": tool.name}, "attrs": {}, "parents": parents}


def _cedar(atom: Atom) -> str:
    match atom:
        case Over(number):
            return f"context.amount > {number}"
        case NameBegins(text):
            return f'context.name like "{text}*"'
        case NameIs(text):
            return f'context.name == "{text}"'
        case PathHolds(text):
            return f'context has path && context.path like "*{text}*"'
        case Lacks(role):
            return f'!principal.roles.contains("{role}")'
