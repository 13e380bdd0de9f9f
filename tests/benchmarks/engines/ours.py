"""This gateway on its full path: the call is read, validated and decided, and the decision is recorded in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from gateway.compile import compile_policy
from gateway.decision import Decision
from gateway.inspect.guard import Guard
from gateway.load import load_text
from gateway.runtime import Gateway
from gateway.serving import Manifest
from gateway.session import Session
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
    Person,
    Policy,
    Rule,
    people,
)

_RECORDED = 1024
_PARAMETERS = (
    "{type: object, required: [amount, name], properties: "
    "{amount: {type: integer}, name: {type: string}, path: {type: string}, body: {type: string}}}"
)


def ready(policy: Policy) -> Ready:
    """The gateway for the policy's text."""
    compiled = compile_policy(load_text(text_of(policy), "bench.yaml"), Guard((), ()))
    gate = Gateway(compiled.engine, Manifest(path="", **compiled.summary))
    before = gate.before
    records: deque[Decision] = deque(maxlen=_RECORDED)
    record = records.append

    def ask(call: Mapping[str, Any], session: Session) -> Decision:
        decision = before(call, session)
        record(decision)
        return decision

    sessions = {person.id: session_of(person) for person in people()}

    def prepare(call: Call) -> tuple[Any, ...]:
        return {"id": "c-1", "tool": call.tool, "arguments": call.arguments}, sessions[call.person.id]

    return Ready(ask, prepare, lambda decision: Effect(decision.effect.value))


def session_of(person: Person) -> Session:
    """The session that a host keeps for a person."""
    return Session.of(
        {
            "id": f"s-{person.id}",
            "tenant": person.tenant,
            "agent": "a",
            "channel": "internal",
            "can_ask": True,
            "subject": {
                "id": person.id,
                "tenant": person.tenant,
                "authenticated": True,
                "roles": list(person.roles),
                "permissions": list(person.permissions),
            },
        }
    )


def text_of(policy: Policy) -> str:
    """The policy as somebody would write it."""
    lines = [
        "version: 1",
        f"settings: {{confirm_from: {CONFIRMED}}}",
        "agents: [{name: a, tools: ['*'], tenants: ['*']}]",
        "tools:",
    ]
    for tool in policy.tools:
        permissions = ", ".join(tool.permissions)
        lines.append(
            f"  - {{name: {tool.name}, risk: {tool.risk}, permissions: [{permissions}], parameters: {_PARAMETERS}}}"
        )
    lines.append("rules:")
    for rule in policy.rules:
        tools = ", ".join(f"'{name}'" for name in rule.written)
        lines.append(
            f"  - {{id: {rule.id}, tools: [{tools}], when: '{cel_of(rule)}', effect: {rule.effect.value}}}"
        )
    return "\n".join(lines) + "\n"


def cel_of(rule: Rule) -> str:
    """A rule's condition."""
    return " && ".join(map(_cel, rule.atoms))


def _cel(atom: Atom) -> str:
    match atom:
        case Over(number):
            return f"args.amount > {number}"
        case NameBegins(text):
            return f'args.name.startsWith("{text}")'
        case NameIs(text):
            return f'args.name == "{text}"'
        case PathHolds(text):
            return f'has(args.path) && args.path.contains("{text}")'
        case Lacks(role):
            return f'!("{role}" in subject.roles)'
