"""Rules and forced arguments as they apply to each tool; what can't be in force is left out and reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gateway.cel import Environment, ObjectType, Outcome, Parsed, check
from gateway.cel.types import comparable
from gateway.compile.conditions import Compiled, listed, possible, read_expression, read_lets
from gateway.compile.environment import any_call_environment
from gateway.compile.examples import check_examples
from gateway.compile.names import governed, selector
from gateway.compile.report import Report
from gateway.decision import Effect
from gateway.diagnostic import Diagnostic, Severity
from gateway.glob import select_governed
from gateway.plan import ForcedPlan, RulePlan
from gateway.steps.rules import finding_of

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.policy import ArgumentEntry, Policy, Rule
    from gateway.policy import Condition as Part


@dataclass(slots=True)
class Planned:
    """Rules and forced arguments by tool, and what keeps the policy from being ready or complete."""

    rules: dict[str, list[RulePlan]] = field(default_factory=dict)
    forced: dict[str, list[ForcedPlan]] = field(default_factory=dict)
    unready: list[Diagnostic] = field(default_factory=list)
    not_in_force: list[Diagnostic] = field(default_factory=list)


def plan_rules(
    policy: Policy,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    patterns: frozenset[str],
    base: Environment,
    report: Report,
) -> Planned:
    """Every rule and every `arguments` entry, for each tool that it is about."""
    planned = Planned()
    anywhere = any_call_environment(base)
    liftable = _liftable(policy, patterns)
    for rule in sorted(policy.rules, key=lambda r: r.id):
        _plan_rule(rule, tools, typed, anywhere, planned, report)
        for index, lifted in enumerate(rule.lifts):
            if lifted not in liftable:
                known = sorted(liftable)
                report.unknown("ask rule or pattern", lifted, rule.where.span("lifts", index), known)
    for entry in sorted(policy.arguments, key=lambda e: e.id):
        _plan_forced(entry, tools, typed, base, planned, report)
    return planned


def _liftable(policy: Policy, patterns: frozenset[str]) -> frozenset[str]:
    return patterns | {rule.id for rule in policy.rules if rule.effect in (Effect.ASK, Effect.DENY)}


def _selects_nothing(part: Part, tools: Mapping[str, Declared], planned: Planned) -> None:
    """Its patterns match tools, but its exclusions or its risk leave none of them."""
    if select_governed([pattern for pattern in part.tools if not pattern.startswith("!")], tools):
        planned.unready.append(
            Diagnostic(
                "never-matches",
                f"`{part.id}` selects none of the tools that its patterns match",
                part.where.span("risk" if part.risk is not None else "tools"),
                "widen `tools` or `risk`, or remove it",
            )
        )


def _plan_rule(
    rule: Rule,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    anywhere: Environment,
    planned: Planned,
    report: Report,
) -> None:
    names = governed(rule, tools)
    environments = {name: typed[name].environment for name in names}
    lets = read_lets(rule.where, rule.let, report)
    # A rule without a tool is checked as far as that goes: its tool may be declared later.
    conditions = _conditions(rule, lets, environments or {"": anywhere}, report)
    if conditions is None:
        return
    if not names:
        _selects_nothing(rule, tools, planned)
        return
    when, unless = conditions
    unbuilt = (when.unbuilt if when else frozenset()) | (unless.unbuilt if unless else frozenset())
    if unbuilt:
        loud = (
            Severity.WARNING
            if rule.effect in (Effect.DENY, Effect.ASK) and not rule.monitor
            else Severity.NOTE
        )
        planned.not_in_force.append(
            Diagnostic(
                "not-in-force",
                f"the {rule.effect.value} rule `{rule.id}` is not in force: {listed(unbuilt)} is not built yet",
                rule.where.span("id"),
                "until then it refuses, asks and allows nothing",
                loud,
            )
        )
        return
    place = rule.where.span("id").place
    common: dict[str, Any] = {
        "id": rule.id,
        "effect": rule.effect,
        "place": place,
        "selector": selector(rule),
        "monitored": rule.monitor,
        "until": rule.until,
        "message": rule.message or "",
        "reason": rule.reason or "",
        "owner": rule.owner or "",
        "lifts": frozenset(rule.lifts),
        "approval": _approval(rule),
        "response": rule.response,
        "context": rule.context or "",
    }
    plans: dict[str, RulePlan] = {}
    for name in names:
        condition = when.condition(name) if when else None
        plan = RulePlan(
            when=condition,
            unless=unless.condition(name) if unless else None,
            only_when=condition.program.evaluate if condition is not None and unless is None else None,
            **common,
        )
        plans[name] = plan if rule.effect is Effect.ALLOW else replace(plan, finding=finding_of(plan))
    if when or unless:
        _proved_constant(rule, plans, typed, planned)
    check_examples(rule, plans, typed, report)
    for name, plan in plans.items():
        if _may_hold(plan, typed[name].known):
            planned.rules.setdefault(name, []).append(plan)


def _may_hold(plan: RulePlan, known: Mapping[str, Any]) -> bool:
    """Whether a rule can ever count for a tool: folding what is declared leaves it out otherwise."""
    outcomes = possible(plan.when, plan.unless, known)
    if plan.effect is Effect.ALLOW:
        return Outcome.TRUE in outcomes
    return outcomes != {Outcome.FALSE}


def _proved_constant(
    part: Rule, plans: Mapping[str, RulePlan], typed: Mapping[str, Typed], planned: Planned
) -> None:
    key = "when" if part.when is not None else "unless"
    some = next(iter(plans))
    alone = possible(plans[some].when, plans[some].unless, {"lists": typed[some].known["lists"]})
    if len(alone) == 1:
        value = next(iter(alone)).value
        planned.unready.append(
            Diagnostic(
                "constant-condition",
                f"the condition of the rule `{part.id}` is always {value}",
                part.where.span(key),
                "a condition depends on the call, the session or the tool; "
                "leave it out if the rule is for every call",
            )
        )
    elif not any(_may_hold(plan, typed[name].known) for name, plan in plans.items()):
        planned.unready.append(
            Diagnostic(
                "never-matches",
                f"the rule `{part.id}` can never match any of its tools",
                part.where.span(key),
                "compare with what the tools declare, or remove the rule",
            )
        )


def _conditions(
    part: Part, lets: Mapping[str, Parsed], environments: Mapping[str, Environment], report: Report
) -> tuple[Compiled | None, Compiled | None] | None:
    """The compiled `when` and `unless` of a part; None if one of them is wrong."""
    compiled: list[Compiled | None] = []
    fine = True
    for key in ("when", "unless"):
        if getattr(part, key) is None:
            compiled.append(None)
            continue
        expression = read_expression(part.where, (key,), lets, environments, report)
        fine = fine and expression is not None
        compiled.append(expression)
    return (compiled[0], compiled[1]) if fine else None


def _approval(rule: Rule) -> dict[str, Any]:
    approval = rule.approval
    if approval is None:
        return {}
    demand: dict[str, Any] = {"rule": rule.id}
    if approval.by is not None:
        demand["by"] = list(approval.by)
    if approval.not_self:
        demand["not_self"] = True
    return demand


def _plan_forced(
    entry: ArgumentEntry,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    base: Environment,
    planned: Planned,
    report: Report,
) -> None:
    if not governed(entry, tools):
        _selects_nothing(entry, tools, planned)
    names = _with_argument(entry, tools, typed, report)
    environments = {name: typed[name].listing_environment for name in names} or {"": base}
    lets = read_lets(entry.where, entry.let, report)
    conditions = _conditions(entry, lets, environments, report)
    values: dict[str, Compiled] = {}
    for key in sorted(entry.set):
        value = read_expression(entry.where, ("set", key), lets, environments, report, expects=None)
        if value is not None and _fits(entry, key, value, names, typed, report):
            values[key] = value
    if conditions is None or len(values) != len(entry.set):
        return
    when, unless = conditions
    unbuilt = frozenset[str]().union(*(c.unbuilt for c in (when, unless, *values.values()) if c is not None))
    if unbuilt:
        report.error(
            "not-built",
            f"the entry `{entry.id}` needs {listed(unbuilt)}, which is not built yet",
            entry.where.span("id"),
            "an argument that can't be forced would be the model's own; remove the entry until then",
        )
        return
    for name in names:
        declared = typed[name].arguments
        planned.forced.setdefault(name, []).append(
            ForcedPlan(
                id=entry.id,
                place=entry.where.span("id").place,
                values=tuple(
                    (key, value.condition(name)) for key, value in values.items() if key in declared
                ),
                when=when.condition(name) if when else None,
                unless=unless.condition(name) if unless else None,
                otherwise_deny=entry.otherwise == "deny",
                selector=selector(entry),
                message=entry.message or "",
            )
        )


def _fits(
    entry: ArgumentEntry,
    key: str,
    value: Compiled,
    names: list[str],
    typed: Mapping[str, Typed],
    report: Report,
) -> bool:
    """Whether the value has the argument's type in each tool that declares it, as far as types tell."""
    for name in names:
        arguments = typed[name].environment.variables["args"]
        declared = arguments.fields.get(key) if isinstance(arguments, ObjectType) else None
        given = check(value.parsed, typed[name].listing_environment, expects=None).type
        if declared is not None and not comparable(declared.type, given):
            report.error(
                "wrong-type",
                f"`{key}` of `{name}` is {declared.type}, but the value is {given}",
                entry.where.span("set", key),
                "set a value of the argument's type",
            )
            return False
    return True


def _with_argument(
    entry: ArgumentEntry, tools: Mapping[str, Declared], typed: Mapping[str, Typed], report: Report
) -> list[str]:
    """The entry's tools that declare one of its keys; a tool named exactly must declare all of them."""
    names: list[str] = []
    exact = {pattern for pattern in entry.tools if "*" not in pattern}
    for name in governed(entry, tools):
        declared = typed[name].arguments
        missing = [key for key in sorted(entry.set) if key not in declared]
        if name in exact:
            for key in missing:
                known = sorted(declared)
                report.unknown(f"argument of `{name}`", key, entry.where.key_span("set", key), known)
        if len(missing) < len(entry.set):
            names.append(name)
    matched = [name for name in governed(entry, tools) if name not in exact]
    known_to_any = frozenset[str]().union(*(typed[name].arguments for name in matched))
    for key in sorted(entry.set):
        if matched and not exact and key not in known_to_any:
            report.unknown(
                "argument of any of these tools", key, entry.where.key_span("set", key), known_to_any
            )
    return names
