"""Step 1: who asks, for which tenant, through which agent. Also the check before a model is called at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gateway.decision import Code, Effect, Finding, Step
from gateway.lineage import chain
from gateway.plan import AgentPlan
from gateway.session import Session
from gateway.steps.deciding import Deciding


def step(ctx: Deciding) -> Finding | None:
    """Refuse a call without a known subject, tenant and agent, in this order (B1, B3)."""
    session = ctx.session
    subject = session.subject
    if subject is None:
        return _refusal(Code.NO_IDENTITY, "the session has no subject", "You are not signed in.")
    if not subject.id:
        return _refusal(Code.NO_IDENTITY, "the subject has no id", "You are not signed in.")
    if subject.authenticated is not True:
        return _refusal(
            Code.NO_IDENTITY, f"the subject `{subject.id}` is not authenticated", "You are not signed in."
        )
    tenant = session.tenant
    if not tenant:
        return _refusal(Code.NO_TENANT, "the session has no tenant", "The conversation belongs to no tenant.")
    if subject.tenant != tenant:
        return _refusal(
            Code.CROSS_TENANT,
            f"the subject belongs to tenant `{subject.tenant}`, the session to `{tenant}`",
            "The conversation belongs to another tenant than the user.",
        )
    if session.visiting is not None:
        return _refusal(
            Code.CROSS_TENANT,
            f"the subject is visiting tenant `{session.visiting}`",
            "Agents do not act while the user visits another tenant.",
        )
    agent = _available(ctx, session.agent, tenant)
    if isinstance(agent, Finding):
        return agent
    ctx.agent = agent
    for above in chain(session.parent) if session.parent is not None else ():
        other = _available(ctx, above.agent, tenant)
        if isinstance(other, Finding):
            return other
        ctx.agent = _both(ctx.agent, other)
    if ctx.facts.bound_to is not None:
        for one in chain(session):
            if one.id and (refusal := _binding(ctx, one)) is not None:
                return refusal
    return None


def _available(ctx: Deciding, name: str, tenant: str) -> AgentPlan | Finding:
    agent = ctx.engine.agents.get(name)
    if agent is None:
        return _refusal(
            Code.AGENT_DISABLED,
            f"no agent is called `{name}`{_meant(name, ctx.engine.agents)}",
            "This agent is not available.",
        )
    if not agent.on_for(tenant):
        return _refusal(
            Code.AGENT_DISABLED,
            f"the agent `{name}` is not switched on for tenant `{tenant}`",
            "This agent is not available.",
        )
    return agent


def _both(agent: AgentPlan, above: AgentPlan) -> AgentPlan:
    """An agent with no more tools and steps than one that it works for."""
    steps = [one.max_steps for one in (agent, above) if one.max_steps is not None]
    return replace(agent, tools=agent.tools & above.tools, max_steps=min(steps, default=None))


def _binding(ctx: Deciding, session: Session) -> Finding | None:
    """Refuse a conversation that was another's or another agent's before; note one that is seen first."""
    from gateway.binding import binding, named

    now = named(session)
    before = ctx.facts.bound_to(session) if ctx.facts.bound_to is not None else None
    if before is None:
        if not ctx.session.dry_run:
            ctx.bindings.append(binding(session))
        return None
    if before == now:
        return None
    return _refusal(
        Code.SESSION_MISMATCH,
        f"the conversation `{session.id}` began as {before}, and now is {now}",
        "This conversation belongs to somebody else, or to another agent.",
    )


def _meant(name: str, known: Iterable[str]) -> str:
    from gateway.diagnostic import suggest

    near = suggest(name, known)
    return f" (did you mean `{near[0]}`?)" if near else ""


def _refusal(code: Code, reason: str, message: str) -> Finding:
    return Finding(Effect.DENY, code, reason, message, step=Step.IDENTITY)
