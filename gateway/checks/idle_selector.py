"""A rule whose selectors meet nobody together.

Each of `agents`, `tenants`, `channels` and `tools` is checked by itself. What they leave together is not: an agent that
is not on for the tenant, or is bound to none of the tools, or a channel on which none of the tools may be called. Such
a rule is about no call at all.

Bad, where the tool may only be called from inside:

    tools:
      - {name: close_books, risk: HIGH, permissions: [], channels: [internal]}
    rules:
      - {id: not-outside, tools: [close_books], channels: [external], effect: deny, message: Not from outside.}

Good:

    tools:
      - {name: close_books, risk: HIGH, permissions: []}
    rules:
      - {id: not-outside, tools: [close_books], channels: [external], effect: deny, message: Not from outside.}

To keep it for an agent or a tool that is to come, write `# gateway: ignore[idle-selector] …` on the line that the
finding points at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.compile.names import governed
from gateway.diagnostic import Confidence, Diagnostic
from gateway.glob import Glob, select
from gateway.policy import Result

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.plan import AgentPlan, ToolPlan
    from gateway.policy import Condition, Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each part of which one selector leaves nothing of another."""
    agents, every = compiled.engine.agents, compiled.engine.tools
    for part in (*policy.arguments, *policy.rules, *policy.limits, *policy.results):
        tools = [every[name] for name in governed(part, compiled.declared)]
        if not tools or isinstance(part, Result):
            continue
        allowed = frozenset(channel for tool in tools for channel in tool.channels or ())
        if (
            part.channels is not None
            and all(tool.channels for tool in tools)
            and not allowed & set(part.channels)
        ):
            message = f"`{part.id}` is about no call: its tools can't be called on these channels"
            yield Diagnostic("", message, part.where.span("channels"), "correct the channels, or remove it")
        if part.agents is None:
            continue
        chosen = [agents[name] for name in sorted(select(part.agents, agents))]
        if chosen and not any(map(_may_call, chosen, [tools] * len(chosen))):
            message = f"`{part.id}` is about no call: {_these(chosen)} can't use any of its tools"
            yield Diagnostic(
                "", message, part.where.span("agents"), "correct the agents or `tools`, or remove it"
            )
        elif chosen and not any(_on_for(agent, part) for agent in chosen):
            message = f"`{part.id}` is about no call: {_these(chosen)} is not on for these tenants"
            yield Diagnostic("", message, part.where.span("tenants"), "correct the tenants, or remove it")


def _these(agents: list[AgentPlan]) -> str:
    return f"the agent `{agents[0].name}`" if len(agents) == 1 else "none of its agents"


def _may_call(agent: AgentPlan, tools: list[ToolPlan]) -> bool:
    """Whether an agent is bound to a tool; those with a mode need no binding."""
    return any(tool.name in agent.tools or tool.mode is not None for tool in tools)


def _on_for(agent: AgentPlan, part: Condition) -> bool:
    """Whether an agent is on for one of the tenants; of two patterns with stars that is presumed."""
    return part.tenants is None or any(
        agent.on_for(text) or any(not glob.exact or Glob(text).matches(glob.text) for glob in _globs(agent))
        for text in part.tenants
    )


def _globs(agent: AgentPlan) -> list[Glob]:
    return [*map(Glob, agent.tenants), *agent.tenant_globs]
