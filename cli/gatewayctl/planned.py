"""What a tool's rules were compiled into: the Python that tells which of them may hold, and that of each condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.narrow import Narrow
    from gateway.plan import RulePlan


def plan_json(engine: Engine, tool: str) -> dict[str, Any]:
    """The plan of a tool for scripts."""
    from gateway.fastpath import left_to_the_steps

    plan = engine.tools[tool]
    narrow = engine.narrow(plan)
    return {
        "tool": tool,
        "place": plan.place,
        "left_to_the_steps": left_to_the_steps(plan, engine),
        "candidates": narrow.source if plan.rules else "",
        "rules": [_rule_json(place, rule, narrow) for place, rule in enumerate(plan.rules)],
    }


def _rule_json(place: int, rule: RulePlan, narrow: Narrow) -> dict[str, Any]:
    parts = {"when": rule.when, "unless": rule.unless}
    return {
        "id": rule.id,
        "effect": rule.effect.value,
        "place": rule.place,
        "always_evaluated": place in narrow.always,
        **{key: condition.program.source for key, condition in parts.items() if condition is not None},
    }


def plan_lines(engine: Engine, tool: str) -> Iterator[str]:
    """The plan of a tool for people."""
    plan = plan_json(engine, tool)
    rules = plan["rules"]
    yield f"{tool} ({plan['place']}): {len(rules)} rule{'' if len(rules) == 1 else 's'}"
    why = plan["left_to_the_steps"]
    yield (
        f"each call goes through all steps: {why}"
        if why
        else "a call is allowed without the steps where no rule holds, in a session that comes again"
    )
    if plan["candidates"]:
        yield "the rules that may hold for a call:"
        yield from _indented(plan["candidates"])
    for rule in rules:
        often = "evaluated for each call" if rule["always_evaluated"] else "evaluated where it may hold"
        yield f"{rule['effect']} rule {rule['id']} ({rule['place']}), {often}:"
        for key in ("when", "unless"):
            if key in rule:
                yield f"  {key}"
                yield from _indented(rule[key])
    code = [plan["candidates"], *(rule.get(key, "") for rule in rules for key in ("when", "unless"))]
    used = [text for mark, text in _LEGEND.items() if any(mark.search(each) for each in code)]
    if used:
        yield "in this code:"
        yield from (f"  {text}" for text in used)


_LEGEND = {
    re.compile(
        r"\bfound \+= c\d"
    ): "c1, c2, … are values of the policy; after `found +=`, the rules named above the line",
    re.compile(r"\bk\d"): "k1, k2, … are functions of CEL and values that were worked out beforehand",
    re.compile(r"\bDoubt\b"): "Doubt is raised by a value of a kind that this code was not written for",
    re.compile(r"\bCAUGHT\b"): "CAUGHT is every error, Doubt too: none of them is an answer",
    re.compile(
        r"\bexact\("
    ): "exact(variables) evaluates the whole condition again, part by part, and has the last word",
}
"""What the names in generated code mean, each where it occurs."""


def _indented(source: str) -> Iterator[str]:
    return (f"    {line}".rstrip() for line in source.splitlines())
