"""Names in a policy: exact ones must exist, ids are unique, selectors choose among what is declared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gateway.compile.report import Report
from gateway.diagnostic import Related, Span
from gateway.glob import Glob, select_governed
from gateway.plan import EVERY_SESSION, Selector

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.policy import Condition, Invariant, Part, Policy


def check_names(
    policy: Policy, tools: Mapping[str, Declared], patterns: frozenset[str], report: Report
) -> None:
    """Report every exact name that nothing has, and every id that stands twice."""
    _unique_ids(policy, patterns, report)
    _unique(policy.agents, "agent", report)
    _unique(policy.servers, "server", report)
    servers = {server.name for server in policy.servers}
    for section in (
        policy.agents,
        policy.defaults,
        policy.arguments,
        policy.rules,
        policy.limits,
        policy.results,
        policy.overrides,
        policy.invariants,
    ):
        for part in section:
            exact_tools(part, tools, servers, report)
    for agent in policy.agents:
        _no_exclusion(agent, "tenants", agent.tenants, report)
    agents = [agent.name for agent in policy.agents]
    tenants = [Glob(t) for agent in policy.agents for t in agent.tenants]
    for section in (policy.arguments, policy.rules, policy.limits, policy.results):
        for condition in section:
            _no_exclusion(condition, "tenants", condition.tenants or (), report)
            _no_exclusion(condition, "agents", condition.agents or (), report)
            _selected(condition, "agents", "agent", agents, report)
            for index, tenant in enumerate(condition.tenants or ()):
                known_tenant = any(glob.matches(tenant) for glob in tenants)
                if "*" not in tenant and not tenant.startswith("!") and not known_tenant:
                    known = [g.text for g in tenants if g.exact]
                    report.unknown("tenant", tenant, condition.where.span("tenants", index), known)
    for override in policy.overrides:
        if not any(glob.matches(override.tenant) for glob in tenants):
            report.unknown(
                "tenant", override.tenant, override.where.span("tenant"), [g.text for g in tenants if g.exact]
            )


def exact_tools(part: Part, tools: Mapping[str, Declared], servers: Iterable[str], report: Report) -> None:
    """Report exact names in a part's `tools` that no tool has; a declared server's tools are not known yet."""
    patterns: tuple[str, ...] = part.tools  # type: ignore[attr-defined]
    for index, pattern in enumerate(patterns):
        name = pattern.removeprefix("!")
        if "*" in name or name in tools or (name.partition("/")[0] in servers and "/" in name):
            continue
        report.unknown("tool", name, part.where.span("tools", index), tools)


def governed(part: Condition | Invariant, tools: Mapping[str, Declared]) -> list[str]:
    """The names of the tools that a rule is about, sorted."""
    names = select_governed(part.tools, tools)
    if part.risk is not None:
        names = frozenset(name for name in names if part.risk.holds(tools[name].risk))
    return sorted(names)


def _globs(patterns: tuple[str, ...] | None) -> tuple[Glob, ...] | None:
    """The patterns of a selector; a lone `*` means every one, also those with a `/` in their name."""
    return None if patterns is None or "*" in patterns else tuple(Glob(pattern) for pattern in patterns)


def selector(part: Condition) -> Selector:
    """Which sessions a rule is about."""
    if part.tenants is None and part.agents is None and part.channels is None:
        return EVERY_SESSION
    return Selector(
        tenants=_globs(part.tenants),
        agents=_globs(part.agents),
        channels=None if part.channels is None else frozenset(part.channels),
    )


def _no_exclusion(part: Part, key: str, patterns: tuple[str, ...], report: Report) -> None:
    """Report a `!`, which takes away from `tools` only: here it would be a name that nobody has."""
    for index, pattern in enumerate(patterns):
        if pattern.startswith("!"):
            report.error(
                "no-exclusion",
                f"`{pattern}` takes nothing away: `{key}` lists what is meant",
                part.where.span(key, index),
                "list the others, or add a rule for the one",
            )


def _selected(part: Condition, key: str, what: str, known: list[str], report: Report) -> None:
    for index, pattern in enumerate(getattr(part, key) or ()):
        if "*" not in pattern and not pattern.startswith("!") and pattern not in known:
            report.unknown(what, pattern, part.where.span(key, index), known)


def _unique(parts: Iterable[Part], what: str, report: Report) -> None:
    first: dict[str, Span] = {}
    for part in parts:
        name: str = part.name  # type: ignore[attr-defined]
        span = part.where.span("name")
        if name in first:
            report.error(
                "duplicate-name",
                f"the {what} `{name}` is declared twice",
                span,
                "remove one, or rename it",
                (Related(first[name], "first declared here"),),
            )
        first.setdefault(name, span)


def _unique_ids(policy: Policy, patterns: frozenset[str], report: Report) -> None:
    first: dict[str, Span] = {}
    for section in (policy.arguments, policy.rules, policy.limits, policy.results, policy.invariants):
        for part in section:
            span = part.where.span("id")
            if part.id in first:
                report.error(
                    "duplicate-id",
                    f"the id `{part.id}` stands twice",
                    span,
                    "ids of rules, arguments, limits, results and patterns share one name space",
                    (Related(first[part.id], "first used here"),),
                )
            elif part.id in patterns or part.id == "guard":
                report.error(
                    "duplicate-id",
                    f"the id `{part.id}` belongs to a built-in pattern",
                    span,
                    "ids of rules and patterns share one name space",
                )
            first.setdefault(part.id, span)
