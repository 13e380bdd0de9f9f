"""What the cases of a policy ought to reach: each part of it, and what must be seen of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.plan import EVERY_SESSION, Condition, LimitPlan, RulePlan
from gateway.testing.watcher import Reached, atoms, place_key

if TYPE_CHECKING:
    from gateway.plan import ForcedPlan, ResultPlan, ToolPlan
    from gateway.testing.loaded import Loaded

    Conditioned = RulePlan | LimitPlan | ForcedPlan | ResultPlan


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a case ought to show: `what` of `name` was seen, if one of `by` was reached."""

    kind: str
    name: str
    what: str
    place: str
    by: tuple[Reached, ...]
    hint: str
    """The shortest way to a case that shows it."""
    counts: bool = True
    """Whether it is part of the percentage."""


def targets(loaded: Loaded) -> Iterator[Target]:
    """Everything that the cases ought to show, kind by kind, in the order of the policy."""
    yield from _rules(loaded)
    yield from _tools(loaded)
    yield from _permissions(loaded)
    yield from _arguments(loaded)
    yield from _limits(loaded)
    yield from _results(loaded)
    yield from _overrides(loaded)
    for pattern in loaded.compiled.patterns:
        by = (("held", pattern.id, "reached"),)
        yield Target("patterns", pattern.id, "matched", f"pack {pattern.id}", by, "", counts=False)


def by_tool(loaded: Loaded, section: str, name: str) -> dict[str, Conditioned]:
    """A rule, limit or entry as it applies to each of its tools."""
    return {
        tool.name: plan
        for tool in loaded.compiled.engine.tools.values()
        for plan in getattr(tool, section)
        if plan.id == name
    }


def callable_tools(loaded: Loaded) -> dict[str, ToolPlan]:
    """The declared tools that some session can be let call."""
    engine = loaded.compiled.engine
    bound = {
        name
        for agent in engine.agents.values()
        if agent.tenants or agent.tenant_globs
        for name in agent.tools
    }
    switched = {
        plan.tool
        for plans in engine.catalogue.overrides.values()
        for plan in plans
        if plan.values.get("enabled")
    }
    return {
        tool.name: engine.tools[tool.name]
        for tool in loaded.policy.tools
        if (plan := engine.tools[tool.name]).switch_on
        and (plan.enabled or tool.name in switched)
        and (plan.mode is not None or tool.name in bound)
    }


def _rules(loaded: Loaded) -> Iterator[Target]:
    for rule in loaded.policy.rules:
        plans = by_tool(loaded, "rules", rule.id)
        if plans:
            place = rule.where.span("id").place
            yield from _condition("rules", rule.id, place, plans, "matched", "not matched", "the rule")


def _condition(
    kind: str, name: str, place: str, plans: dict[str, Conditioned], yes: str, no: str, noun: str
) -> Iterator[Target]:
    tool, plan = next(iter(plans.items()))
    texts = [f"`{_text(plan.when)}`"] if plan.when is not None else []
    texts += [f"not `{_text(plan.unless)}`"] if plan.unless is not None else []
    where = f" where {' and '.join(texts)}" if texts else f" that {noun} is about"
    call = f"add a case that calls `{tool}`"
    # An error counts against the call as a match does, and is one that is seen.
    yield Target(kind, name, yes, place, _outcome(name, "matched"), call + where)
    if _choosy(plan):
        yield Target(kind, name, no, place, _outcome(name, "not matched"), f"{call} and that {noun} lets be")
    yield from _parts(kind, name, plan, call)


def _outcome(name: str, came: str) -> tuple[Reached, ...]:
    return (("condition", name, came),)


def _choosy(plan: Conditioned) -> bool:
    """Whether it lets some calls of its tools be."""
    return plan.when is not None or plan.unless is not None or plan.selector != EVERY_SESSION


def _parts(kind: str, name: str, plan: Conditioned, begin: str) -> Iterator[Target]:
    parts = [span for one in (plan.when, plan.unless) if one is not None for span in atoms(one)]
    if len(parts) < 2:
        return
    for span in parts:
        for value in ("true", "false"):
            by = (("atom", place_key(span), value),)
            hint = f"{begin} where `{_short(span.text)}` is {value}"
            yield Target(kind, name, f"`{_short(span.text)}` {value}", span.place, by, hint)


def _tools(loaded: Loaded) -> Iterator[Target]:
    open_ = callable_tools(loaded)
    for tool in loaded.policy.tools:
        name, place = tool.name, tool.where.span("name").place
        plan = loaded.compiled.engine.tools[name]
        called = (("tools", name, "called"), ("reviewed", name, "reviewed"))
        yield Target("tools", name, "called", place, called, f"add a case with `call: {{tool: {name}}}`")
        if name in open_:
            hint = f"add a case of a call of `{name}` that goes on, or is asked about"
            yield Target("tools", name, "let through", place, (("tools", name, "let through"),), hint)
        how = f"without `{plan.permissions[0]}`" if plan.permissions else "that it must not pass"
        hint = f"add a case of a call of `{name}` {how}"
        yield Target("tools", name, "refused", place, (("tools", name, "refused"),), hint)


def _permissions(loaded: Loaded) -> Iterator[Target]:
    known: dict[str, tuple[str, str]] = {}
    for tool in loaded.policy.tools:
        plan = callable_tools(loaded).get(tool.name)
        if plan is None:
            continue
        place = tool.where.span("name").place
        for permission in (*plan.permissions, *(one.template.text for one in plan.resource)):
            known.setdefault(permission, (tool.name, place))
    for permission in sorted(known):
        tool_name, place = known[permission]
        for what, who in (("held", "somebody who holds"), ("lacked", "somebody who lacks only")):
            hint = f"add a case in which {who} `{permission}` calls `{tool_name}`"
            yield Target("permissions", permission, what, place, (("permissions", permission, what),), hint)


def _arguments(loaded: Loaded) -> Iterator[Target]:
    for entry in loaded.policy.arguments:
        plans = by_tool(loaded, "forced", entry.id)
        if plans:
            place = entry.where.span("id").place
            yield from _condition("arguments", entry.id, place, plans, "set", "left alone", "the entry")


def _limits(loaded: Loaded) -> Iterator[Target]:
    for limit in loaded.policy.limits:
        plans = by_tool(loaded, "limits", limit.id)
        if not plans:
            continue
        place = limit.where.span("id").place
        yield from _condition("limits", limit.id, place, plans, "applied", "left alone", "the limit")
        plan = next(iter(plans.values()))
        often = (
            f" with `repeated: {plan.most + 1}`"
            if isinstance(plan, LimitPlan) and plan.amount is None
            else ""
        )
        hint = f"add a case that calls `{next(iter(plans))}`{often or ' and spends too much'}"
        yield Target("limits", limit.id, "reached", place, (("held", limit.id, "reached"),), hint)


def _results(loaded: Loaded) -> Iterator[Target]:
    for result in loaded.policy.results:
        plans = by_tool(loaded, "results", result.id)
        if not plans or result.redact is None:
            continue
        place, tool = result.where.span("id").place, next(iter(plans))
        plan = plans[tool]
        for redaction in getattr(plan, "redactions", ()):
            by = (("results", result.id, redaction.what),)
            hint = f"add a `review` of a result of `{tool}` that holds what `{redaction.what}` finds"
            yield Target("results", result.id, f"`{redaction.what}` blanked out", place, by, hint)
        if _choosy(plan):
            hint = f"add a `review` of a result of `{tool}` that the entry lets be"
            yield Target("results", result.id, "left alone", place, _outcome(result.id, "not matched"), hint)
            yield from _parts("results", result.id, plan, f"add a `review` of a result of `{tool}`")
        else:
            hint = f"add a `review` of a result of `{tool}` in which it finds nothing"
            by = (("results", result.id, "finds nothing"),)
            yield Target("results", result.id, "left alone", place, by, hint)


def _overrides(loaded: Loaded) -> Iterator[Target]:
    known: dict[str, str] = {}
    for plans in loaded.compiled.engine.catalogue.overrides.values():
        for plan in plans:
            known.setdefault(
                plan.place, f"add a case in which the tenant `{plan.tenant}` calls `{plan.tool}`"
            )
    for place, hint in sorted(known.items()):
        yield Target("overrides", place, "in force", place, (("overrides", place, "in force"),), hint)


def _text(condition: Condition | None) -> str:
    return "" if condition is None else _short(condition.parsed.excerpt.text)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


_LONGEST = 80


def kinds(found: Iterable[Target]) -> list[str]:
    """The kinds of targets, in order."""
    return list(dict.fromkeys(one.kind for one in found))
