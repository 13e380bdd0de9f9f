"""Step 3: all declared permissions of the tool must be held; never any one of them."""

from __future__ import annotations

from gateway.decision import Code, Effect, Finding, Step
from gateway.plan import ToolPlan
from gateway.session import Session
from gateway.steps.deciding import Deciding


def step(ctx: Deciding) -> Finding | None:
    """Refuse with the first missing permission (B2)."""
    lacking = missing(ctx.tool, ctx.session)
    if lacking is None:
        return None
    return Finding(
        Effect.DENY,
        Code.PERMISSION_DENIED,
        f"the subject lacks the permission `{lacking}`{by_override(ctx.tool)}",
        f"The user lacks the permission `{lacking}` that `{ctx.tool.name}` needs.",
        step=Step.PERMISSIONS,
    )


def by_override(tool: ToolPlan) -> str:
    """Where an override of the tool stands, for whoever wonders why it is not as declared."""
    return f" (the tenant overrides this tool: {tool.overridden})" if tool.overridden else ""


def missing(tool: ToolPlan, session: Session) -> str | None:
    """The first permission of the tool, in declared order, that the subject does not hold."""
    held = session.subject.permissions if session.subject is not None else frozenset()
    if tool.permission_set <= held:
        return None
    return next(permission for permission in tool.permissions if permission not in held)
