"""Rego by regorus, with its policy read once; permissions and risk are looked up in Python."""

from __future__ import annotations

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
    """One engine with one module, in which every rule adds to a set."""
    import regorus

    engine = regorus.Engine()
    engine.add_policy("gate.rego", "\n".join(_module(policy)))
    needed = {tool.name: frozenset(tool.permissions) for tool in policy.tools}
    confirmed = frozenset(tool.name for tool in policy.tools if tool.risk == CONFIRMED)
    held = {person.id: frozenset(person.permissions) for person in people()}
    set_input, evaluate = engine.set_input, engine.eval_rule

    def ask(tool: str, arguments: Mapping[str, Any], person: str, roles: list[str]) -> str:
        if not needed[tool] <= held[person]:
            return "deny"
        set_input({"tool": tool, "args": arguments, "roles": roles})
        answer: str = evaluate("data.gate.answer")
        return "ask" if answer == "allow" and tool in confirmed else answer

    def prepare(call: Call) -> tuple[Any, ...]:
        return call.tool, call.arguments, call.person.id, list(call.person.roles)

    return Ready(ask, prepare, Effect)


def _module(policy: Policy) -> Iterator[str]:
    yield "package gate\nimport rego.v1"
    yield 'default answer := "allow"'
    for rule in policy.rules:
        tools = ", ".join(f'"{name}"' for name in rule.tools)
        conditions = "; ".join([f"input.tool in {{{tools}}}", *map(_rego, rule.atoms)])
        yield f'{rule.effect.value} contains "{rule.id}" if {{ {conditions} }}'
    yield 'answer := "deny" if { count(deny) > 0 } else := "ask" if { count(ask) > 0 }'


def _rego(atom: Atom) -> str:
    match atom:
        case Over(number):
            return f"input.args.amount > {number}"
        case NameBegins(text):
            return f'startswith(input.args.name, "{text}")'
        case NameIs(text):
            return f'input.args.name == "{text}"'
        case PathHolds(text):
            return f'contains(input.args.path, "{text}")'
        case Lacks(role):
            return f'not "{role}" in input.roles'
