"""Entries of `results` as they apply to each tool, and what a tool declares about its results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.cel import DYN, Outcome
from gateway.compile.conditions import listed, possible, read_conditions, read_lets
from gateway.compile.environment import any_call_environment
from gateway.compile.names import governed, selector
from gateway.compile.planned import Planned, selects_nothing
from gateway.compile.report import Report
from gateway.diagnostic import Diagnostic, Severity
from gateway.malformed import Malformed
from gateway.plan import ResultPlan, ToolPlan, UnlistedResultPlan
from gateway.results.bounds import paging_arguments
from gateway.results.detectors import NAMES
from gateway.results.fields import FieldPattern, start
from gateway.results.filters import field_patterns
from gateway.results.redaction import Redact, sensitive_field
from gateway.results.returns import DEFAULT_LIMIT, Returns
from gateway.risk import RiskLevel, parse_or_high
from gateway.schema import ArgumentPath

if TYPE_CHECKING:
    from gateway.cel import Environment
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.policy import Policy, Result


def plan_results(
    policy: Policy,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    base: Environment,
    planned: Planned,
    report: Report,
) -> tuple[Mapping[str, list[ResultPlan]], tuple[UnlistedResultPlan, ...]]:
    """Each entry that redacts, for each tool that it is about, and for tools that the catalogue lacks."""
    by_tool: dict[str, list[ResultPlan]] = {}
    unlisted: list[UnlistedResultPlan] = []
    for entry in sorted(policy.results, key=lambda e: e.id):
        common = ResultPlan(
            id=entry.id,
            place=entry.where.span("id").place,
            redactions=_redactions(entry, report),
            selector=selector(entry),
            message=entry.message or "",
        )
        if entry.redact is not None and (entry.risk is None or entry.risk.holds(parse_or_high(None))):
            unlisted.append(UnlistedResultPlan(tuple(entry.tools), common))
        names = governed(entry, tools)
        environments = {name: typed[name].environment for name in names} or {"": any_call_environment(base)}
        environments = {name: e.with_variables(result=DYN) for name, e in environments.items()}
        lets = read_lets(entry.where, entry.let, environments, report)
        conditions = read_conditions(entry, lets, environments, report)
        if not names:
            selects_nothing(entry, tools, planned)
        if conditions is None or not names or entry.redact is None:
            continue
        when, unless = conditions
        unbuilt = (when.unbuilt if when else frozenset()) | (unless.unbuilt if unless else frozenset())
        if unbuilt:
            planned.not_in_force.append(_always(entry, unbuilt))
            when = unless = None
        plans = {
            name: replace(
                common,
                when=when.condition(name) if when else None,
                unless=unless.condition(name) if unless else None,
            )
            for name in names
        }
        may_hold = {
            name: possible(plan.when, plan.unless, typed[name].known) != {Outcome.FALSE}
            for name, plan in plans.items()
        }
        if not any(may_hold.values()):
            planned.unready.append(
                Diagnostic(
                    "never-matches",
                    f"the result `{entry.id}` can never match any of its tools",
                    entry.where.span("when" if entry.when is not None else "unless"),
                    "compare with what the tools declare, or remove the entry",
                )
            )
        for name, plan in plans.items():
            if may_hold[name]:
                by_tool.setdefault(name, []).append(plan)
    return by_tool, tuple(unlisted)


def check_fields(
    policy: Policy, plans: Iterable[ToolPlan], unlisted: Iterable[UnlistedResultPlan], report: Report
) -> None:
    """Report field patterns that together would be too many to look for, for a tool or for those not listed."""
    entries = {entry.id: entry for entry in policy.results}
    groups = [(plan.results, plan.sensitive_fields) for plan in plans]
    seen: set[frozenset[FieldPattern]] = set()
    for results, more in [*groups, (tuple(one.plan for one in unlisted), ())]:
        wanted = field_patterns((*(one for result in results for one in result.redactions), *more))
        if not results or frozenset(wanted) in seen:
            continue
        seen.add(frozenset(wanted))
        try:
            start(wanted)
        except Malformed as problem:
            where = entries[results[-1].id].where
            report.error("wrong-value", problem.message, where.span("redact"), problem.help)
            return


def _redactions(entry: Result, report: Report) -> tuple[Redact, ...]:
    found: list[Redact] = []
    for index, redaction in enumerate(entry.redact or ()):
        if redaction.detector is not None and redaction.detector not in NAMES:
            report.unknown(
                "detector", redaction.detector, entry.where.span("redact", index, "detector"), NAMES
            )
            continue
        found.append(Redact(entry.id, redaction.detector, redaction.field))
    return tuple(found)


def _always(entry: Result, unbuilt: frozenset[str]) -> Diagnostic:
    return Diagnostic(
        "not-in-force",
        f"the condition of the result `{entry.id}` is not in force: {listed(unbuilt)} is not built yet",
        entry.where.span("id"),
        "until then it redacts as if the condition held",
        Severity.WARNING,
    )


def with_results(
    plan: ToolPlan, declared: Declared, typed: Typed, results: tuple[ResultPlan, ...]
) -> ToolPlan:
    """A tool with its entries of `results` and with what it declares about its results."""
    conditions = [condition for entry in results for condition in (entry.when, entry.unless)]
    names = (name for path in plan.sensitive for name in _names(path, typed))
    return replace(
        plan,
        results=results,
        result_reads=frozenset[str]().union(*(c.reads for c in conditions if c is not None)),
        returns=_returns(declared, typed),
        sensitive_fields=tuple(map(sensitive_field, dict.fromkeys(names))),
    )


def _returns(declared: Declared, typed: Typed) -> Returns:
    result = declared.get("result")
    reads = declared.risk is RiskLevel.READ_ONLY
    paging = paging_arguments(typed.whole.fields) if reads else None
    if result is None:
        return Returns(limit=DEFAULT_LIMIT, paging=paging)
    known = result.shape is not None and result.shape.value == "known"
    limit = (result.limit or DEFAULT_LIMIT) if result.truncate else None
    return Returns(tuple(result.arrays), known, limit, paging)


def _names(path: ArgumentPath, typed: Typed) -> tuple[str, ...]:
    """The name of a sensitive argument; where all are, all their names."""
    name = next((step for step in reversed(path) if step is not None), None)
    return (name,) if name is not None else tuple(typed.arguments)
