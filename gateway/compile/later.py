"""Sections that are read and checked, but whose machinery is not built yet: reported as not in force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gateway.compile.conditions import read_expression, read_lets
from gateway.compile.names import governed
from gateway.compile.report import Report
from gateway.diagnostic import Diagnostic, Severity, Span
from gateway.policy import Counted

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.compile.tools import Typed
    from gateway.policy import Policy


def check_later(
    policy: Policy,
    tools: Mapping[str, Declared],
    typed: Mapping[str, Typed],
    not_in_force: list[Diagnostic],
    report: Report,
) -> None:
    """Check the conditions of limits; say loudly that nothing of these sections is enforced."""
    for limit in policy.limits:
        environments = {name: typed[name].environment for name in governed(limit, tools)}
        lets = read_lets(limit.where, limit.let, environments, report)
        for key in ("when", "unless"):
            if getattr(limit, key) is not None:
                read_expression(limit.where, (key,), lets, environments, report)
    for limit in policy.limits:
        if limit.per is not None and limit.per.counted is Counted.VALUE:
            environments = {name: typed[name].environment for name in governed(limit, tools)}
            lets = read_lets(limit.where, limit.let, environments, report)
            read_expression(limit.where, ("per", "cel"), lets, environments, report, expects=None)
        _say(not_in_force, f"the limit `{limit.id}`", limit.where.span("id"), Severity.WARNING)
    for result in policy.results:
        if result.fields is not None:
            what = f"`fields` of the result `{result.id}`"
            _say(not_in_force, what, result.where.key_span("fields"), Severity.WARNING)
    for agent in policy.agents:
        if agent.max_steps is not None:
            _say(
                not_in_force,
                f"`max_steps` of the agent `{agent.name}`",
                agent.where.key_span("max_steps"),
                Severity.NOTE,
            )
    for server in policy.servers:
        _say(not_in_force, f"the server `{server.name}`", server.where.span("name"), Severity.NOTE)


def _say(not_in_force: list[Diagnostic], what: str, span: Span, severity: Severity) -> None:
    message = f"{what} is not in force: it is not built yet"
    not_in_force.append(Diagnostic("not-in-force", message, span, "it changes no decision", severity))
