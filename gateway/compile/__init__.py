"""Turn a loaded policy into an engine, or refuse it with every error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gateway.compile.agents import plan_agents
from gateway.compile.declared import Declared, declare
from gateway.compile.environment import declared_checks, listing_environment
from gateway.compile.in_force import in_force, packs
from gateway.compile.inspected import Facts
from gateway.compile.invariants import InvariantPlan, plan_invariants
from gateway.compile.later import check_later
from gateway.compile.limits import plan_limits
from gateway.compile.management import check_reserved, with_management
from gateway.compile.names import check_names
from gateway.compile.overrides import Relaxation, plan_overrides
from gateway.compile.pins import with_pins
from gateway.compile.planned import Planned
from gateway.compile.posture import Weakness, posture
from gateway.compile.report import Report
from gateway.compile.results import check_fields, plan_results, with_results
from gateway.compile.rules import plan_rules
from gateway.compile.shapes import Shapes
from gateway.compile.tools import Typed, plan_tool, type_tool
from gateway.diagnostic import Diagnostic
from gateway.effective import Catalogue
from gateway.engine import Engine
from gateway.form import Form
from gateway.glob import select_governed
from gateway.inspect.clued import clued
from gateway.inspect.guard import Guard
from gateway.inspect.inspector import Inspector
from gateway.inspect.pattern import Pattern
from gateway.inspect.place import Conventions
from gateway.interval import Until, parse_until

if TYPE_CHECKING:
    from gateway.policy import Policy


@dataclass(frozen=True, slots=True)
class Compiled:
    """An engine, what was found on the way to it, the figures of its manifest, and what checks look into."""

    engine: Engine
    diagnostics: tuple[Diagnostic, ...]
    summary: Mapping[str, Any]
    declared: Mapping[str, Declared]
    typed: Mapping[str, Typed]
    relaxations: tuple[Relaxation, ...]
    """What overrides relax; each was confirmed by somebody."""
    posture: tuple[Weakness, ...]
    patterns: tuple[Pattern, ...]
    """The dangerous commands of the packs that are on."""
    conventions: Conventions
    """What the deployment protects and what it lets go."""
    invariants: tuple[InvariantPlan, ...] = ()
    """What must hold of every decision."""

    @property
    def form(self) -> Form:
        """What of it is served."""
        return Form(self.engine, self.summary, tuple(each.confirmed for each in self.relaxations))


def compile_policy(policy: Policy, guard: Guard) -> Compiled:
    """The engine of a policy; every error of every part is in one `PolicyError`."""
    report = Report()
    check_reserved(policy, report)
    policy = with_management(policy)
    force = in_force(policy, report)
    patterns = force.patterns
    conventions = _conventions(policy)
    tools = declare(policy, report)
    check_names(policy, tools, force.ids, report)
    agents = plan_agents(policy, tools, report)
    base = listing_environment(policy)
    forced = _forced(policy, tools)
    shapes = Shapes(base, Facts(force))
    lists = {name: list(named.values) for name, named in policy.lists.items()}
    inspector = Inspector(lambda: clued(patterns), guard, conventions)
    typed: dict[str, Typed] = {}
    for name, declared in tools.items():
        typed[name] = type_tool(declared, shapes, lists, forced.get(name, frozenset()), inspector, report)
    planned = plan_rules(policy, tools, typed, force, base, report)
    results, unlisted = plan_results(policy, tools, typed, base, planned, report)
    limits = plan_limits(policy, tools, typed, planned, report)
    invariants = plan_invariants(policy, tools, typed, report)
    check_later(policy, planned.not_in_force)
    plans = {
        name: plan_tool(
            declared,
            typed[name],
            policy,
            tuple(planned.rules.get(name, ())),
            tuple(planned.forced.get(name, ())),
            tuple(limits.get(name, ())),
            report,
            planned.not_in_force,
        )
        for name, declared in tools.items()
    }
    plans = {
        name: with_results(plan, tools[name], typed[name], tuple(results.get(name, ())))
        for name, plan in plans.items()
    }
    plans = with_pins(policy, plans, report, planned.not_in_force)
    check_fields(policy, plans.values(), unlisted, report)
    overrides = plan_overrides(policy.overrides, plans, report)
    report.raise_errors()
    unready = _unready(policy, tools, planned)
    engine = Engine(
        digest=policy.digest,
        catalogue=Catalogue(plans, overrides.by_tenant, frozenset(limits)),
        agents=agents,
        lists={name: list(named.values) for name, named in policy.lists.items()},
        declared=declared_checks(policy),
        confirm_from=policy.settings.confirm_from,
        monitor_until=_monitored_until(policy),
        inspector=lambda: inspector,
        unready=unready,
        unlisted_results=unlisted,
    )
    weak = posture(policy, tools)
    summary = {
        "digest": policy.digest,
        "files": len(policy.documents),
        "tools": len(tools),
        "agents": len(agents),
        "rules": len(policy.rules),
        "packs": packs(policy),
        "patterns": len(patterns),
        "skipped": 0,
        "ready": not unready,
        "unready": unready,
        "not_in_force": tuple(planned.not_in_force),
        "without_rule": tuple(sorted(name for name, plan in plans.items() if not plan.rules)),
        "unknown_tools": policy.settings.unknown_tools.value,
        "posture": tuple(one.message for one in weak),
    }
    found = (*report.diagnostics, *planned.not_in_force, *unready)
    found = tuple(sorted(found, key=lambda d: d.sort_key))
    return Compiled(
        engine, found, summary, tools, typed, overrides.relaxations, weak, patterns, conventions, invariants
    )


def _monitored_until(policy: Policy) -> Until | None:
    day = policy.settings.monitor_until
    return None if day is None else parse_until(day.isoformat())


def _forced(policy: Policy, tools: Mapping[str, Declared]) -> dict[str, frozenset[str]]:
    """The arguments of each tool that some entry sets, so that nothing tells the model of them."""
    forced: dict[str, frozenset[str]] = {}
    for entry in policy.arguments:
        for name in select_governed(entry.tools, tools):
            forced[name] = forced.get(name, frozenset()) | entry.set.keys()
    return forced


def _conventions(policy: Policy) -> Conventions:
    settings = policy.settings
    return Conventions(settings.artifacts, settings.protected_paths, settings.protected_branches)


def _unready(policy: Policy, tools: Mapping[str, Declared], planned: Planned) -> tuple[Diagnostic, ...]:
    """What keeps a policy from deciding anything: it loads, and refuses every call until it is mended."""
    missing: list[Diagnostic] = []
    if not policy.agents:
        message = "the policy has no `agents`, so nothing may call a tool"
        missing.append(Diagnostic("no-agents", message, help="add `agents` with the tools that each may use"))
    if not tools:
        message = "the policy has no `tools`, so there is nothing to decide"
        missing.append(
            Diagnostic("no-tools", message, help="declare each tool with its risk and permissions")
        )
    return (*missing, *planned.unready)
