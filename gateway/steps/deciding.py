"""One call on its way through the steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gateway.decision import Finding, Obligation, Observed, State, Step, TraceEntry
from gateway.risk import RiskLevel
from gateway.schema import collected
from gateway.session import Channel, SubjectKind

if TYPE_CHECKING:
    from gateway.call import ToolCall
    from gateway.engine import Engine
    from gateway.facts import Facts
    from gateway.plan import AgentPlan, RulePlan, ToolPlan
    from gateway.session import Session

MAX_WRAPPING = 4
"""How many meta-tools may be wrapped in one another."""


class Trace:
    """Watches a decision: what each step and each rule came to, in order."""

    def __init__(self) -> None:
        self.entries: list[TraceEntry] = []

    def note(
        self,
        step: Step,
        state: State,
        text: str,
        rule: str | None = None,
        observed: tuple[Observed, ...] = (),
    ) -> None:
        """One more line of the trace."""
        self.entries.append(TraceEntry(step, state, text, rule, observed))


class Deciding:
    """What is known about one call so far; each step reads it and adds to it."""

    __slots__ = (
        "agent",
        "allows",
        "arguments",
        "basis_is_default",
        "call",
        "context",
        "depth",
        "engine",
        "facts",
        "findings",
        "given",
        "monitored",
        "risk",
        "session",
        "supports",
        "tool",
        "trace",
        "variables",
    )

    def __init__(
        self,
        engine: Engine,
        call: ToolCall,
        session: Session,
        facts: Facts,
        supports: frozenset[Obligation],
        trace: Trace | None,
    ) -> None:
        self.engine = engine
        self.call = call
        self.session = session
        self.facts = facts
        self.supports = supports
        self.trace = trace
        self.tool: ToolPlan = None  # type: ignore[assignment]  # step 2 refuses or sets it
        self.agent: AgentPlan = None  # type: ignore[assignment]  # step 1 refuses or sets it
        self.arguments: Mapping[str, Any] = {}
        self.given: Mapping[str, Any] | None = None
        self.findings: list[Finding] = []
        self.monitored: list[Finding] = []
        self.allows: list[RulePlan] = []
        self.context: list[str] = []
        self.risk = RiskLevel.HIGH
        self.variables: dict[str, Any] | None = None
        self.depth = 0
        self.basis_is_default = False


_CHANNELS = {channel: channel.value for channel in Channel}
_KINDS = {kind: kind.value for kind in SubjectKind}


def session_variables(ctx: Deciding) -> dict[str, Any]:
    """The variables that are known before any argument is: what listing and forced values may read."""
    session, subject = ctx.session, ctx.session.subject
    view: dict[str, Any] = {
        "id": session.id,
        "tenant": session.tenant,
        "agent": session.agent,
        "channel": _CHANNELS[session.channel],
        "modes": session.modes,
        "capabilities": session.capabilities,
        "facts": session.facts,
        "can_ask": session.can_ask,
        "dry_run": session.dry_run,
        "roots": session.roots,
    }
    if session.cwd is not None:
        view["cwd"] = session.cwd
    if session.home is not None:
        view["home"] = session.home
    who: dict[str, Any] = {}
    if subject is not None:
        who = {
            "id": subject.id,
            "tenant": subject.tenant,
            "kind": _KINDS[subject.kind],
            "authenticated": subject.authenticated,
            "roles": subject.roles,
            "permissions": subject.permissions,
            "attributes": subject.attributes,
        }
    return {
        "tool": ctx.tool.view,
        "subject": who,
        "session": view,
        "agent": ctx.agent.view,
        "turn": session.turn,
        "lists": ctx.engine.lists,
        "now": ctx.facts.now,
    }


def call_variables(ctx: Deciding) -> dict[str, Any]:
    """All variables of a call whose arguments are final; built once for all rules."""
    variables = ctx.variables
    if variables is None:
        variables = session_variables(ctx)
        call: dict[str, Any] = {"id": ctx.call.id, "tool": ctx.call.tool}
        if ctx.call.server is not None:
            call["server"] = ctx.call.server
        if ctx.call.iteration is not None:
            call["iteration"] = ctx.call.iteration
        variables["args"] = ctx.arguments
        variables["call"] = call
        variables["inspect"] = {}
        variables["roles"] = {role: collected(ctx.arguments, paths) for role, paths in ctx.tool.roles.items()}
        ctx.variables = variables
    return variables
