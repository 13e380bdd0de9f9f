"""Sections that are read and checked, but whose machinery is not built yet: reported as not in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, Severity, Span

if TYPE_CHECKING:
    from gateway.policy import Policy


def check_later(policy: Policy, not_in_force: list[Diagnostic]) -> None:
    """Say loudly that nothing of these sections is enforced."""
    for result in policy.results:
        if result.fields is not None:
            what = f"`fields` of the result `{result.id}`"
            _say(not_in_force, what, result.where.key_span("fields"), Severity.WARNING)
    for server in policy.servers:
        what = f"the server `{server.name}`" + (", but for its pins," if server.pinned else "")
        _say(not_in_force, what, server.where.span("name"), Severity.NOTE)


def _say(not_in_force: list[Diagnostic], what: str, span: Span, severity: Severity) -> None:
    message = f"{what} is not in force: it is not built yet"
    not_in_force.append(Diagnostic("not-in-force", message, span, "it changes no decision", severity))
