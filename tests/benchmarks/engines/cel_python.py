"""cel-python as a part of a gate: rules are found by their tool, and each condition is a program of its own."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from tests.benchmarks.engines import Ready
from tests.benchmarks.engines.ours import cel_of
from tests.benchmarks.workload import CONFIRMED, Call, Effect, Policy, people


def ready(policy: Policy) -> Ready:
    """A program for each rule; the arguments are converted once for a call."""
    import celpy
    from celpy.adapter import json_to_cel

    limit = sys.getrecursionlimit()
    environment = celpy.Environment()
    sys.setrecursionlimit(limit)  # the library raises it for the whole process
    programs = {rule.id: environment.program(environment.compile(cel_of(rule))) for rule in policy.rules}
    by_tool = {
        name: tuple((programs[rule.id], rule.effect) for rule in rules)
        for name, rules in policy.by_tool.items()
    }
    needed = {tool.name: frozenset(tool.permissions) for tool in policy.tools}
    otherwise = {tool.name: Effect.ASK if tool.risk == CONFIRMED else Effect.ALLOW for tool in policy.tools}
    held = {person.id: frozenset(person.permissions) for person in people()}
    subjects = {person.id: {"roles": list(person.roles)} for person in people()}

    def ask(tool: str, arguments: Mapping[str, Any], person: str) -> Effect:
        if not needed[tool] <= held[person]:
            return Effect.DENY
        rules = by_tool[tool]
        if not rules:
            return otherwise[tool]
        activation: Any = json_to_cel({"args": arguments, "subject": subjects[person]})
        for program, effect in rules:
            if program.evaluate(activation):
                return effect
        return otherwise[tool]

    def prepare(call: Call) -> tuple[Any, ...]:
        return call.tool, call.arguments, call.person.id

    return Ready(ask, prepare, lambda effect: effect)
