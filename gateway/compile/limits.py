"""Limits, as they apply to each tool that they govern."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

from gateway.cel import DECIMAL, DOUBLE, INT, STRING, UINT, Outcome
from gateway.cel.types import Variable
from gateway.compile.conditions import listed, possible, read_conditions, read_expression, read_lets
from gateway.compile.names import governed, selector
from gateway.compile.planned import Planned, selects_nothing
from gateway.compile.report import Report
from gateway.decision import Code
from gateway.diagnostic import Diagnostic, Severity
from gateway.plan import LimitPlan, Scope
from gateway.policy import Counted

if TYPE_CHECKING:
    from gateway.cel import Environment, Parsed, Type
    from gateway.compile.conditions import Compiled
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.policy import Limit, Policy

_NUMBER = Variable("a number", frozenset({INT, UINT, DOUBLE, DECIMAL}))


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
    values = _values(limit, lets, environments, report)
    if not environments:
        selects_nothing(limit, tools, planned)
        return {}
    if conditions is None or values is None:
        return {}
    when, unless = conditions
    unbuilt = frozenset[str]().union(
        *(each.unbuilt for each in (when, unless, *values.values()) if each is not None)
    )
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
    code, most, window = _bound(limit)
    plans = {
        name: LimitPlan(
            id=limit.id,
            place=limit.where.span("id").place,
            scope=_scope(limit),
            code=code,
            most=most,
            window=window,
            currencies=_currencies(limit),
            **{key: value.condition(name) for key, value in values.items()},
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


def _values(
    limit: Limit, lets: Mapping[str, Parsed], environments: Mapping[str, Environment], report: Report
) -> dict[str, Compiled] | None:
    """The expressions beside the condition, by the plan's name for them; None if one is wrong."""
    written: dict[str, tuple[tuple[str, ...], Type | None]] = {}
    if limit.per is not None and limit.per.counted is Counted.VALUE:
        written["by"] = ("per", "cel"), None
    if limit.amount is not None:
        written["amount"] = ("amount",), _NUMBER
    if limit.currency is not None:
        written["currency"] = ("currency",), STRING
    read = {
        name: read_expression(limit.where, keys, lets, environments, report, expects=expects)
        for name, (keys, expects) in written.items()
    }
    found = {name: one for name, one in read.items() if one is not None}
    return found if len(found) == len(read) else None


def _bound(limit: Limit) -> tuple[Code, int, int | None]:
    """What a limit refuses with, how much it allows, and in how many microseconds."""
    if limit.rate is not None:
        return Code.RATE_LIMIT, limit.rate.count, _microseconds(limit.rate.window)
    if limit.budget is not None:
        one = next(iter(limit.budget.values()))
        return Code.BUDGET, one.most, _microseconds(one.window)
    if limit.repeats is not None:
        return Code.REPEATED, limit.repeats, None
    return Code.NOTHING_NEW, limit.empty_rounds or 0, None


def _scope(limit: Limit) -> Scope:
    if limit.per is not None:
        return Scope(limit.per.counted.value)
    return Scope.SESSION if limit.empty_rounds is None else Scope.TURN


def _currencies(limit: Limit) -> Mapping[str, tuple[int, int]]:
    if limit.budget is None or limit.currency is None:
        return {}
    return {name: (one.most, _microseconds(one.window)) for name, one in limit.budget.items()}


def _microseconds(stretch: timedelta) -> int:
    return stretch // timedelta(microseconds=1)
