"""Which tools have to be listed just as somebody accepted them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.compile.report import Report
from gateway.diagnostic import Diagnostic, Related, Severity
from gateway.fingerprint import hinted
from gateway.plan import ToolPlan

if TYPE_CHECKING:
    from gateway.policy import Pin, Policy, Server


def with_pins(
    policy: Policy, plans: Mapping[str, ToolPlan], report: Report, not_in_force: list[Diagnostic]
) -> dict[str, ToolPlan]:
    """The tools with the pins that they are held to; what a server itself hints at may raise a risk."""
    pins = _by_tool(policy, report, not_in_force)
    pinned = {server.name: server for server in policy.servers if server.pinned}
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
                    pinned[server].where.span("name"),
                    f"look at what `{server}` lists, then run `gatewayctl tools pin --server {server} --list FILE`",
                    Severity.WARNING,
                )
            )
        else:
            found[name] = replace(plan, pin=pin.digest, risk=max(plan.risk, hinted(pin.annotations)))
    _undeclared((pin for pin in pins.values() if pin.tool not in plans), pinned, not_in_force)
    return found


def _undeclared(pins: Iterable[Pin], pinned: Mapping[str, Server], not_in_force: list[Diagnostic]) -> None:
    """Say of each pinned server which pins are of tools that the catalogue lacks."""
    lacking: dict[str, list[Pin]] = {}
    for pin in pins:
        lacking.setdefault(pin.tool.partition("/")[0], []).append(pin)
    for server, (first, *more) in lacking.items():
        if server not in pinned:
            continue
        what = f"`{first.tool}`" + (f" and {len(more)} more of `{server}`" if more else "")
        not_in_force.append(
            Diagnostic(
                "not-in-force",
                f"the pin of {what} lets nothing be called: `tools` does not declare {'them' if more else 'it'}",
                first.where.span("tool"),
                "declare under `tools` what agents are to call; the rest can stay pinned",
                Severity.NOTE,
            )
        )


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
