"""One call on its way through the steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gateway.decision import Decision, Finding, Obligation, Observed, Step, TraceEntry, TraceState
from gateway.risk import RiskLevel
from gateway.schema import collected
from gateway.steps.tally import Tally

if TYPE_CHECKING:
    from gateway.call import ToolCall
    from gateway.cel import Outcome, Watched
    from gateway.cel.budget import Purse
    from gateway.engine import Engine
    from gateway.facts import Facts
    from gateway.inspect.inspection import Inspection
    from gateway.once import Noted
    from gateway.plan import AgentPlan, RulePlan, ToolPlan
    from gateway.schema import ArgumentPath
    from gateway.session import Session, Subject
    from gateway.state import Change, Key, State, Window
    from gateway.steps.approval import Asked
    from gateway.steps.journal import Journaled

MAX_WRAPPING = 4
"""How many meta-tools may be wrapped in one another."""


class Trace:
    """Watches a decision: what each step and each rule came to, in order."""

    def __init__(self) -> None:
        self.entries: list[TraceEntry] = []

    def note(
        self,
        step: Step,
        state: TraceState,
        text: str,
        rule: str | None = None,
        observed: tuple[Observed, ...] = (),
    ) -> None:
        """One more line of the trace."""
        self.entries.append(TraceEntry(step, state, text, rule, observed))

    def evaluated(self, part: str, outcome: Outcome, watched: Sequence[Watched] = ()) -> None:
        """The condition of a rule, a limit or an entry came to this; one that is not about the call is false."""

    def decided(self, ctx: Deciding, decision: Decision) -> None:
        """All of it came to this."""

    def inner(self) -> Trace | None:
        """What watches a call that this one wraps; nobody does, where only this one is explained."""
        return None


class Deciding:
    """What is known about one call so far; each step reads it and adds to it."""

    __slots__ = (
        "agent",
        "allows",
        "approved",
        "arguments",
        "around",
        "asked",
        "basis_is_default",
        "bindings",
        "call",
        "claims",
        "context",
        "counts",
        "depth",
        "engine",
        "errors",
        "facts",
        "findings",
        "forced",
        "given",
        "inner",
        "inspections",
        "journal",
        "lifting",
        "monitored",
        "places",
        "purse",
        "risk",
        "secrets",
        "secrets_around",
        "seen",
        "session",
        "stops",
        "supports",
        "tally",
        "tool",
        "trace",
        "variables",
        "wrapped",
        "written",
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
        self.around: tuple[ArgumentPath, ...] = ()
        self.secrets: tuple[Mapping[str, Any], frozenset[str]] | None = None
        self.secrets_around: frozenset[str] = frozenset()
        self.forced: frozenset[str] = frozenset()
        self.given: Mapping[str, Any] | None = None
        self.findings: list[Finding] = []
        self.monitored: list[Finding] = []
        self.allows: list[RulePlan] = []
        self.lifting: tuple[RulePlan, ...] = ()
        """The allow rules of which each lifted something that would have been held against the call."""
        self.context: list[str] = []
        self.errors: list[str] = []
        self.risk = RiskLevel.HIGH
        self.variables: dict[str, Any] | None = None
        self.depth = 0
        self.basis_is_default = False
        self.wrapped: Mapping[str, Any] = {}
        self.inner: Decision | None = None
        self.written: Mapping[str, tuple[str, ...]] | None = None
        self.inspections: dict[str, tuple[str, list[Inspection]]] = {}
        self.purse: Purse | None = None
        self.counts: bool | None = None
        self.journal: Journaled | None = None
        self.asked: Asked | None = None
        self.approved = False
        self.claims: tuple[tuple[Key, tuple[int, Noted | None]], ...] = ()
        self.stops = False
        self.seen: tuple[frozenset[Key | Window], State] | None = None
        self.bindings: list[Change] = []
        self.tally = Tally()
        self.places: dict[str, Key] = {}
        """Where limits count, by their id, as far as that was needed before the arguments were looked at."""

    def read(self, keys: Sequence[Key | Window]) -> State:
        """What is remembered under the keys; what was read beforehand is not asked for again."""
        if self.seen is not None and self.seen[0].issuperset(keys):
            return self.seen[1]
        return self.facts.read(keys)

    def foresee(self, keys: Sequence[Key | Window]) -> State:
        """What is remembered under the keys, which includes what is going to be asked."""
        state = self.facts.read(keys)
        self.seen = frozenset(keys), state
        return state


def listing_variables(ctx: Deciding) -> dict[str, Any]:
    """The variables that are known before any argument is: what listing and forced values may read."""
    names = ("tool", "subject", "session", "agent", "turn", "lists", "now")
    return {name: _VARIABLES[name](ctx) for name in names if _is_there(ctx, name)}


def call_variables(ctx: Deciding) -> dict[str, Any]:
    """The variables that a tool's conditions read, for arguments that are final; built once for all rules."""
    variables = ctx.variables
    if variables is None:
        variables = ctx.variables = some_variables(ctx, ctx.tool.reads)
    return variables


def some_variables(ctx: Deciding, names: Iterable[str]) -> dict[str, Any]:
    """The variables of these names, but for a turn that is not as declared."""
    variables = {name: _VARIABLES[name](ctx) for name in names}
    if "turn" in variables and not _is_there(ctx, "turn"):
        del variables["turn"]
    return variables


def _subject(ctx: Deciding) -> Mapping[str, Any]:
    subject: Subject = ctx.session.subject  # type: ignore[assignment]  # step 1 refuses a session without one
    return _checked(ctx, "subject.attributes", subject.view, "attributes", subject.attributes)


def _session(ctx: Deciding) -> Mapping[str, Any]:
    return _checked(ctx, "session.facts", ctx.session.view, "facts", ctx.session.facts)


def _checked(
    ctx: Deciding, part: str, view: Mapping[str, Any], name: str, values: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The view, or the view without a part in which a value has another type than declared.

    Then every condition that reads the part fails, also one that asks with `has()`, so it is decided strictly.
    """
    if _conform(ctx, part, values):
        return view
    return {key: value for key, value in view.items() if key != name}


def _conform(ctx: Deciding, part: str, values: Mapping[str, Any]) -> bool:
    checks = ctx.engine.declared.get(part) if ctx.engine.declared else None
    return not checks or all(check(values[key]) for key, check in checks.items() if key in values)


def _is_there(ctx: Deciding, name: str) -> bool:
    return name != "turn" or _conform(ctx, "turn", ctx.session.turn)


def _call(ctx: Deciding) -> dict[str, Any]:
    call: dict[str, Any] = {"id": ctx.call.id, "tool": ctx.call.tool}
    if ctx.call.server is not None:
        call["server"] = ctx.call.server
    if ctx.call.iteration is not None:
        call["iteration"] = ctx.call.iteration
    return call


def _inspect(ctx: Deciding) -> Mapping[str, Any]:
    from gateway.steps.inspection import facts_of_call

    return facts_of_call(ctx)


_VARIABLES: Mapping[str, Callable[[Deciding], Any]] = {
    "tool": lambda ctx: ctx.tool.view,
    "subject": _subject,
    "session": _session,
    "agent": lambda ctx: ctx.agent.view,
    "turn": lambda ctx: ctx.session.turn,
    "lists": lambda ctx: ctx.engine.lists,
    "now": lambda ctx: ctx.facts.now,
    "args": lambda ctx: ctx.arguments,
    "roles": lambda ctx: {role: collected(ctx.arguments, paths) for role, paths in ctx.tool.roles.items()},
    "call": _call,
    "inspect": _inspect,
}
