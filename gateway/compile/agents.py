"""Agents: which tools each is bound to, and what an unattended one may never hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gateway.compile.declared import Declared
from gateway.compile.management import bound_by
from gateway.compile.report import Report
from gateway.diagnostic import Related
from gateway.glob import Glob
from gateway.plan import AgentPlan

if TYPE_CHECKING:
    from gateway.policy import Agent, Policy


def plan_agents(policy: Policy, tools: Mapping[str, Declared], report: Report) -> dict[str, AgentPlan]:
    """All agents by name; one that binds a tool above its `max_risk` is an error (B24)."""
    agents: dict[str, AgentPlan] = {}
    for agent in policy.agents:
        bound = bound_by(agent.tools, tools)
        _capped(agent, bound, tools, report)
        view: dict[str, Any] = {"name": agent.name, "tools": sorted(bound)}
        if agent.max_steps is not None:
            view["max_steps"] = agent.max_steps
        if agent.max_risk is not None:
            view["max_risk"] = agent.max_risk.value
        globs = tuple(Glob(tenant) for tenant in agent.tenants)
        exact = frozenset(glob.text for glob in globs if glob.exact)
        agents[agent.name] = AgentPlan(
            agent.name,
            bound,
            exact,
            tuple(glob for glob in globs if not glob.exact),
            view,
            agent.max_steps,
        )
    return agents


def _capped(agent: Agent, bound: frozenset[str], tools: Mapping[str, Declared], report: Report) -> None:
    if agent.max_risk is None:
        return
    modes = {name for name, tool in tools.items() if tool.get("mode") is not None}
    for name in sorted(bound | modes):
        if tools[name].risk > agent.max_risk:
            report.error(
                "risk-above-maximum",
                f"the agent `{agent.name}` has `max_risk: {agent.max_risk.value}`, "
                f"but the tool `{name}` is {tools[name].risk.value}",
                agent.where.span("max_risk"),
                f'take `{name}` out of the agent\'s `tools` (`"!{name}"`), or raise `max_risk`',
                (Related(tools[name].tool.where.span("name"), "the tool"),),
            )
