"""One call on its way through the steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from gateway.decision import Finding, Obligation, Observed, State, Step, TraceEntry
from gateway.risk import RiskLevel
from gateway.schema import collected

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


def listing_variables(ctx: Deciding) -> dict[str, Any]:
    """The variables that are known before any argument is: what listing and forced values may read."""
    return {
        "tool": ctx.tool.view,
        "subject": _subject(ctx),
        "session": ctx.session.view,
        "agent": ctx.agent.view,
        "turn": ctx.session.turn,
        "lists": ctx.engine.lists,
        "now": ctx.facts.now,
    }


def call_variables(ctx: Deciding) -> dict[str, Any]:
    """The variables that a tool's conditions read, for arguments that are final; built once for all rules."""
    variables = ctx.variables
    if variables is None:
        variables = ctx.variables = {name: _VARIABLES[name](ctx) for name in ctx.tool.reads}
    return variables


def _subject(ctx: Deciding) -> Mapping[str, Any]:
    subject = ctx.session.subject
    return {} if subject is None else subject.view


def _call(ctx: Deciding) -> dict[str, Any]:
    call: dict[str, Any] = {"id": ctx.call.id, "tool": ctx.call.tool}
    if ctx.call.server is not None:
        call["server"] = ctx.call.server
    if ctx.call.iteration is not None:
        call["iteration"] = ctx.call.iteration
    return call


_VARIABLES: Mapping[str, Callable[[Deciding], Any]] = {
    "tool": lambda ctx: ctx.tool.view,
    "subject": _subject,
    "session": lambda ctx: ctx.session.view,
    "agent": lambda ctx: ctx.agent.view,
    "turn": lambda ctx: ctx.session.turn,
    "lists": lambda ctx: ctx.engine.lists,
    "now": lambda ctx: ctx.facts.now,
    "args": lambda ctx: ctx.arguments,
    "roles": lambda ctx: {role: collected(ctx.arguments, paths) for role, paths in ctx.tool.roles.items()},
    "call": _call,
}
