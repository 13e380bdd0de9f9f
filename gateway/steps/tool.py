"""Step 2: whether the tool exists for this session: the chain of links that makes a tool visible."""

from __future__ import annotations

from gateway.decision import Code, Effect, Finding, Step
from gateway.facts import Facts
from gateway.plan import AgentPlan, ToolPlan
from gateway.session import Session
from gateway.steps.deciding import Deciding


def step(ctx: Deciding) -> Finding | None:
    """Refuse a tool that is unknown, or hidden by one of its links; the model can't tell which."""
    name = ctx.call.name
    tool = ctx.engine.tools_for(ctx.session, ctx.facts).get(name)
    if tool is None:
        reason = f"no tool is called `{name}`"
        return Finding(Effect.DENY, Code.TOOL_NOT_FOUND, reason, _not_found(ctx, name), step=Step.TOOL)
    broken = missing_link(tool, ctx.agent, ctx.session, ctx.facts)
    if broken is None:
        ctx.tool = tool
        return None
    link, code, reason = broken
    if code is Code.REQUIREMENT_MISSING:
        message = f"The tool `{name}` can't be used here: {reason}."
        return Finding(Effect.DENY, code, f"{link}: {reason}", message, step=Step.TOOL)
    return Finding(Effect.DENY, code, f"{link}: {reason}", _not_found(ctx, name), step=Step.TOOL)


def missing_link(
    tool: ToolPlan, agent: AgentPlan, session: Session, facts: Facts
) -> tuple[str, Code, str] | None:
    """The first link that hides a known tool: its name, the code and the reason; None if all hold."""
    if tool.mode is None and tool.name not in agent.tools:
        above = "" if session.parent is None else ", or one that it works for,"
        return (
            "bound",
            Code.TOOL_NOT_BOUND,
            f"the agent `{agent.name}`{above} is not bound to the tool `{tool.name}`",
        )
    if tool.channels is not None and session.channel not in tool.channels:
        only = ", ".join(sorted(channel.value for channel in tool.channels))
        return (
            "channel",
            Code.TOOL_DISABLED,
            f"the tool `{tool.name}` is for the channel {only}, not {session.channel.value}",
        )
    if not tool.switch_on:
        switch = tool.view.get("switch")
        return "switch", Code.TOOL_DISABLED, f"the deployment's switch `{switch}` is off"
    if tool.mode is not None and session.modes.get(tool.mode, "off") == "off":
        return "mode", Code.TOOL_DISABLED, f"the mode `{tool.mode}` is off or not set in this session"
    if not tool.enabled:
        why = (
            f"switched off by an override ({tool.overridden})"
            if tool.overridden
            else "declared `enabled: false`"
        )
        return "enabled", Code.TOOL_DISABLED, f"the tool `{tool.name}` is {why}"
    if tool.pin is not None and (why := _differs(tool, facts)):
        return "pin", Code.TOOL_CHANGED, why
    for requirement in tool.requires:
        if requirement not in session.capabilities:
            return (
                "requirement",
                Code.REQUIREMENT_MISSING,
                f"the session does not supply `{requirement}`",
            )
    return None


def _differs(tool: ToolPlan, facts: Facts) -> str:
    """Why a tool of a pinned server is not the one that was accepted; nothing if it is."""
    server = tool.name.partition("/")[0]
    if not tool.pin:
        return f"the tool `{tool.name}` of the pinned server `{server}` has no pin"
    listed = facts.listed.get(server)
    if listed is None:
        return f"the host has not said what the pinned server `{server}` lists"
    if tool.name not in listed:
        return f"the server `{server}` lists no tool `{tool.name}` now"
    return "" if listed[tool.name] == tool.pin else f"the tool `{tool.name}` is not the one that was pinned"


_MOST_ALIKE = 6


def _not_found(ctx: Deciding, name: str) -> str:
    """The same words for an unknown and for a hidden tool, with at most two visible names (B14)."""
    from gateway.diagnostic import printable, suggest

    shown = printable(name[:80])
    alike = suggest(name, ctx.engine.tools, most=_MOST_ALIKE)
    near = [one for one in alike if ctx.engine.shows(one, ctx.session, ctx.facts)][:2]
    hint = f" Similar tools: {', '.join(f'`{n}`' for n in near)}." if near else ""
    return f"There is no tool called `{shown}`.{hint}"
