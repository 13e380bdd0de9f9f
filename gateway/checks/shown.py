"""The tools that an agent may be shown, as checks count them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.plan import AgentPlan


def shown(agent: AgentPlan, compiled: Compiled) -> list[str]:
    """Names in the order of the catalogue: what it is bound to, and what a mode shows to every agent."""
    return [
        name
        for name, tool in compiled.engine.tools.items()
        if tool.enabled and tool.switch_on and (tool.mode is not None or name in agent.tools)
    ]
