"""Sections that are read and checked, but whose machinery is not built yet: reported as not in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, Severity, Span

if TYPE_CHECKING:
    from gateway.policy import Policy, Server


def check_later(policy: Policy, not_in_force: list[Diagnostic]) -> None:
    """Say loudly that nothing of these sections is enforced."""
    for result in policy.results:
        if result.fields is not None:
            what = f"`fields` of the result `{result.id}`"
            _say(not_in_force, what, result.where.key_span("fields"), Severity.WARNING)
    for server in policy.servers:
        keys = _idle_keys(server)
        if keys:
            what = f"{' and '.join(f'`{key}`' for key in keys)} of the server `{server.name}`"
            _say(not_in_force, what, server.where.key_span(keys[0]), Severity.NOTE, many=len(keys) > 1)


def _idle_keys(server: Server) -> list[str]:
    """What a server says besides its pins; of a pinned one all tools are no more than its pins say."""
    keys = [key for key in ("tools", "risk", "permissions") if getattr(server, key) is not None]
    return [key for key in keys if not (key == "tools" and server.pinned and list(server.tools) == ["*"])]


def _say(
    not_in_force: list[Diagnostic], what: str, span: Span, severity: Severity, *, many: bool = False
) -> None:
    are, they, change = ("are", "they are", "they change") if many else ("is", "it is", "it changes")
    message = f"{what} {are} not in force: {they} not built yet"
    not_in_force.append(Diagnostic("not-in-force", message, span, f"{change} no decision", severity))
