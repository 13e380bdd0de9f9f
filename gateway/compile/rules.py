"""Rules as they apply to each tool; what can't be in force is left out and reported."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gateway.cel import Environment, Outcome
from gateway.cel.reads import read_of
from gateway.compile.conditions import listed, possible, read_conditions, read_lets
from gateway.compile.environment import any_call_environment
from gateway.compile.examples import check_examples
from gateway.compile.forcing import plan_forced
from gateway.compile.in_force import InForce
from gateway.compile.names import governed, selector
from gateway.compile.planned import Planned, selects_nothing
from gateway.compile.report import Report
from gateway.decision import Effect
from gateway.diagnostic import Diagnostic, Severity
from gateway.patterns import PACKS
from gateway.plan import EVERY_SESSION, RulePlan
from gateway.steps.rules import finding_of

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.policy import Policy, Rule


def plan_rules(
    policy: Policy,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    patterns: InForce,
    base: Environment,
    report: Report,
) -> Planned:
    """Every rule and every `arguments` entry, for each tool that it is about."""
    planned = Planned()
    anywhere = any_call_environment(base)
    for rule in sorted(policy.rules, key=lambda r: r.id):
        _plan_rule(rule, tools, typed, anywhere, planned, report)
        if rule.lifts:
            _check_lifts(policy, rule, patterns, report)
    for entry in sorted(policy.arguments, key=lambda e: e.id):
        plan_forced(entry, tools, typed, base, planned, report)
    return planned


def _check_lifts(policy: Policy, rule: Rule, patterns: InForce, report: Report) -> None:
    """Report the names in `lifts` that nothing has which asks; that nothing lifts a deny is for the linter."""
    effects = {other.id: other.effect for other in policy.rules}
    liftable = {
        name for name, effect in effects.items() if effect in (Effect.ASK, Effect.DENY)
    } | patterns.ids
    for index, lifted in enumerate(rule.lifts):
        span = rule.where.span("lifts", index)
        if lifted in liftable or (patterns.unsure and lifted in patterns.missing):
            continue
        if lifted in effects:
            message = f"the rule `{lifted}` has `effect: {effects[lifted].value}`, so it asks nothing"
            report.error("unknown-name", message, span, "`lifts` names ask rules and patterns")
        elif lifted in patterns.missing:
            help_ = (
                "write the ids of patterns" if lifted in PACKS else "remove it from `lifts`, or turn it on"
            )
            report.error("idle-pattern", patterns.missing[lifted].partition(":")[0], span, help_)
        else:
            report.unknown("ask rule or pattern", lifted, span, liftable)


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
    # A rule without a tool is checked as far as that goes: its tool may be declared later.
    checked = environments or {"": anywhere}
    lets = read_lets(rule.where, rule.let, checked, report)
    conditions = read_conditions(rule, lets, checked, report)
    if conditions is None:
        return
    if not names:
        selects_nothing(rule, tools, planned)
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
    alone = unless is None and rule.until is None and common["selector"] is EVERY_SESSION
    for name in names:
        condition = when.condition(name) if when else None
        plan = RulePlan(
            when=condition,
            unless=unless.condition(name) if unless else None,
            only_when=condition.program if condition is not None and alone else None,
            **common,
        )
        plans[name] = plan if rule.effect is Effect.ALLOW else replace(plan, finding=finding_of(plan))
    holding = _holding(plans, typed)
    if when or unless:
        _proved_constant(rule, plans, typed, holding, planned)
    check_examples(rule, plans, typed, report)
    for name in holding:
        planned.rules.setdefault(name, []).append(plans[name])


def _holding(plans: Mapping[str, RulePlan], typed: Mapping[str, Typed]) -> list[str]:
    """The tools for which a rule can count; of those that it can't tell apart, only the first is looked at."""
    found: dict[tuple[Hashable, Hashable], bool] = {}
    holding: list[str] = []
    some = next(iter(plans.values()))
    parts = [part for part in (some.when, some.unless) if part is not None]
    read = read_of(part.parsed for part in parts)
    for name, plan in plans.items():
        key = (read.alike(typed[name].environment), read.told_by(typed[name].known["tool"]))
        if key not in found:
            found[key] = _may_hold(plan, typed[name].known)
        if found[key]:
            holding.append(name)
    return holding


def _may_hold(plan: RulePlan, known: Mapping[str, Any]) -> bool:
    """Whether a rule can ever count for a tool: folding what is declared leaves it out otherwise."""
    outcomes = possible(plan.when, plan.unless, known)
    if plan.effect is Effect.ALLOW:
        return Outcome.TRUE in outcomes
    return outcomes != {Outcome.FALSE}


def _proved_constant(
    part: Rule,
    plans: Mapping[str, RulePlan],
    typed: Mapping[str, Typed],
    holding: Collection[str],
    planned: Planned,
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
    elif not holding:
        planned.unready.append(
            Diagnostic(
                "never-matches",
                f"the rule `{part.id}` can never match any of its tools",
                part.where.span(key),
                "compare with what the tools declare, or remove the rule",
            )
        )


def _approval(rule: Rule) -> dict[str, Any]:
    approval = rule.approval
    if approval is None:
        return {}
    demand: dict[str, Any] = {"rule": rule.id}
    if approval.by is not None:
        demand["by"] = list(approval.by)
    if approval.not_self:
        demand["not_self"] = True
    if approval.expires is not None:
        demand["expires"] = int(approval.expires.total_seconds())
    if approval.use_within is not None:
        demand["use_within"] = int(approval.use_within.total_seconds())
    return demand
