"""Which tools have to be listed just as somebody accepted them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.compile.report import Report
from gateway.diagnostic import Diagnostic, Related, Severity
from gateway.fingerprint import hinted
from gateway.plan import ToolPlan

if TYPE_CHECKING:
    from gateway.policy import Pin, Policy


def with_pins(
    policy: Policy, plans: Mapping[str, ToolPlan], report: Report, not_in_force: list[Diagnostic]
) -> dict[str, ToolPlan]:
    """The tools with the pins that they are held to; what a server itself hints at may raise a risk."""
    pins = _by_tool(policy, report, not_in_force)
    pinned = {server.name for server in policy.servers if server.pinned}
    found = dict(plans)
    for name, plan in plans.items():
        server, slash, _ = name.partition("/")
        if not slash or server not in pinned:
            continue
        pin = pins.get(name)
        if pin is None:
            found[name] = replace(plan, pin="")
            not_in_force.append(
                Diagnostic(
                    "no-pin",
                    f"the tool `{name}` has no pin, so all of its calls are refused",
                    None,
                    f"look at what `{server}` lists, then run `gatewayctl tools pin --server {server}`",
                    Severity.WARNING,
                )
            )
        else:
            found[name] = replace(plan, pin=pin.digest, risk=max(plan.risk, hinted(pin.annotations)))
    return found


def _by_tool(policy: Policy, report: Report, not_in_force: list[Diagnostic]) -> Mapping[str, Pin]:
    servers = {server.name: server for server in policy.servers}
    found: dict[str, Pin] = {}
    idle: dict[str, Pin] = {}
    for pin in policy.pins:
        first = found.setdefault(pin.tool, pin)
        if first is not pin:
            report.error(
                "duplicate-name",
                f"the tool `{pin.tool}` is pinned twice",
                pin.where.span("tool"),
                "remove the pin that is out of date",
                (Related(first.where.span("tool"), "first pinned here"),),
            )
        server = pin.tool.partition("/")[0]
        if server not in servers:
            report.unknown("server", server, pin.where.span("tool"), servers)
        elif not servers[server].pinned:
            idle.setdefault(server, pin)
    for server, pin in idle.items():
        not_in_force.append(
            Diagnostic(
                "not-in-force",
                f"the pins of `{server}` refuse nothing",
                pin.where.span("tool"),
                f"write `pinned: true` in the server `{server}`",
                Severity.NOTE,
            )
        )
    return found
