"""Limits, as they apply to each tool that they govern."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from gateway.cel import Outcome
from gateway.compile.conditions import listed, possible, read_conditions, read_expression, read_lets
from gateway.compile.names import governed, selector
from gateway.compile.planned import Planned, selects_nothing
from gateway.compile.report import Report
from gateway.diagnostic import Diagnostic, Severity
from gateway.plan import LimitPlan, Scope
from gateway.policy import Counted

if TYPE_CHECKING:
    from gateway.compile.conditions import Compiled
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.policy import Limit, Policy


def plan_limits(
    policy: Policy,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    planned: Planned,
    report: Report,
) -> dict[str, list[LimitPlan]]:
    """The limits of each tool."""
    found: dict[str, list[LimitPlan]] = {}
    for limit in policy.limits:
        for name, plan in _planned(limit, tools, typed, planned, report).items():
            found.setdefault(name, []).append(plan)
    return found


def _planned(
    limit: Limit,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    planned: Planned,
    report: Report,
) -> dict[str, LimitPlan]:
    environments = {name: typed[name].environment for name in governed(limit, tools)}
    lets = read_lets(limit.where, limit.let, environments, report)
    conditions = read_conditions(limit, lets, environments, report)
    by: Compiled | None = None
    counted = Counted.SESSION if limit.per is None else limit.per.counted
    if counted is Counted.VALUE:
        by = read_expression(limit.where, ("per", "cel"), lets, environments, report, expects=None)
        if by is None:
            return {}
    if conditions is None:
        return {}
    if not environments:
        selects_nothing(limit, tools, planned)
        return {}
    when, unless = conditions
    unbuilt = frozenset[str]().union(*(each.unbuilt for each in (when, unless, by) if each is not None))
    if unbuilt:
        planned.not_in_force.append(
            Diagnostic(
                "not-in-force",
                f"the limit `{limit.id}` is not in force: {listed(unbuilt)} is not built yet",
                limit.where.span("id"),
                "until then it refuses nothing",
                Severity.WARNING,
            )
        )
        return {}
    window = None if limit.rate is None else limit.rate.window // timedelta(microseconds=1)
    most = limit.repeats if limit.rate is None else limit.rate.count
    plans = {
        name: LimitPlan(
            id=limit.id,
            place=limit.where.span("id").place,
            scope=Scope(counted.value),
            most=most or 0,
            window=window,
            by=by.condition(name) if by else None,
            when=when.condition(name) if when else None,
            unless=unless.condition(name) if unless else None,
            selector=selector(limit),
            monitored=limit.monitor,
            until=limit.until,
            message=limit.message or "",
            reason=limit.reason or "",
        )
        for name in environments
    }
    holding = {
        name: plan
        for name, plan in plans.items()
        if possible(plan.when, plan.unless, typed[name].known) != {Outcome.FALSE}
    }
    if not holding:
        planned.unready.append(
            Diagnostic(
                "never-matches",
                f"the limit `{limit.id}` can never match any of its tools",
                limit.where.span("when" if limit.when is not None else "unless"),
                "compare with what the tools declare, or remove the limit",
            )
        )
    return holding
