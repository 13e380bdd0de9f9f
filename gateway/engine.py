"""The decision: a pure function of a compiled policy, a call, its session and the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall, new_id, normal_arguments
from gateway.decision import (
    Code,
    Decision,
    Effect,
    Finding,
    Obligation,
    Step,
)
from gateway.facts import Facts
from gateway.interval import passed
from gateway.plan import AgentPlan, ToolPlan, UnlistedResultPlan
from gateway.risk import RiskLevel
from gateway.session import Session
from gateway.steps import EVALUATING, REFUSING, identity
from gateway.steps.answer import PASSED, answer_of, refusal_of
from gateway.steps.deciding import Deciding, Trace
from gateway.steps.disclosure import disclosed
from gateway.steps.permissions import by_override
from gateway.steps.secrets import below, secrets, sensitive
from gateway.steps.work import Bounds, Work, purse_of, work_of

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic
    from gateway.effective import Catalogue
    from gateway.inspect.inspector import Inspector
    from gateway.interval import Until
    from gateway.narrow import Narrow
    from gateway.results.review import Review
    from gateway.results.shape import Shape
    from gateway.steps.listing import Listing

EVERYTHING = frozenset(Obligation)
"""What a host supports that runs `Decision.arguments` and has asks answered by whom they name."""


_MOST_OVERRIDDEN = 1024
"""How many tools with overrides are remembered with the rules that they have."""


class Engine:
    """A compiled policy. It reads no clock, file or network, and is safe on any thread.

    It holds nothing that a decision depends on: what it makes when it is first asked for is always the same.
    """

    def __init__(
        self,
        *,
        digest: str,
        catalogue: Catalogue,
        agents: Mapping[str, AgentPlan],
        lists: Mapping[str, Any],
        declared: Mapping[str, Mapping[str, Callable[[Any], bool]]],
        confirm_from: RiskLevel,
        monitor_until: Until | None,
        inspector: Callable[[], Inspector],
        unready: tuple[Diagnostic, ...],
        unlisted_results: tuple[UnlistedResultPlan, ...] = (),
    ) -> None:
        self.digest: str = digest
        self.catalogue = catalogue
        self.tools: Mapping[str, ToolPlan] = catalogue.declared
        self.agents: Mapping[str, AgentPlan] = agents
        self.lists: Mapping[str, Any] = lists
        self.declared: Mapping[str, Mapping[str, Callable[[Any], bool]]] = declared
        self.confirm_from = confirm_from
        self.inspector = inspector
        """Gives what reads commands, SQL and paths; it is asked for where there is something to inspect."""
        self.unready = unready
        self.unlisted_results = unlisted_results
        self.monitor_until = monitor_until
        self.counts = bool(catalogue.counted) or any(one.max_steps is not None for one in agents.values())
        """Whether calls are counted, which takes a store."""
        self._narrow: dict[int, tuple[ToolPlan, Narrow]] = {}
        self._work: dict[str, Work] = {}
        self._bounds = Bounds()

    def with_tools(self, digest: str, catalogue: Catalogue) -> Engine:
        """An engine of the same policy with another catalogue, whose tools have the same rules."""
        made = copy(self)
        made.digest, made.catalogue, made.tools = digest, catalogue, catalogue.declared
        made._narrow = {}
        return made

    @property
    def pins(self) -> dict[str, dict[str, str]]:
        """What servers list, as `Facts` have it, where each tool is as it is pinned."""
        found: dict[str, dict[str, str]] = {}
        for name, tool in self.tools.items():
            if tool.pin:
                found.setdefault(name.partition("/")[0], {})[name] = tool.pin
        return found

    def varied(
        self,
        catalogue: Catalogue | None = None,
        agents: Mapping[str, AgentPlan] | None = None,
        confirm_from: RiskLevel | None = None,
    ) -> Engine:
        """An engine that differs in some of its parts: what a policy would decide if it said something else."""
        made = copy(self)
        made.catalogue = catalogue or self.catalogue
        made.tools = made.catalogue.declared
        made.agents = self.agents if agents is None else agents
        made.confirm_from = confirm_from or self.confirm_from
        limited = any(one.max_steps is not None for one in made.agents.values())
        made.counts = bool(made.catalogue.counted) or limited
        made._narrow, made._work = {}, {}
        return made

    def all_monitored(self, facts: Facts) -> bool:
        """Whether the settings only watch rules, patterns and confirmations for now."""
        until = self.monitor_until
        return until is not None and not passed(until, facts.now)

    def narrow(self, tool: ToolPlan) -> Narrow:
        """Which rules of a tool have to be evaluated for a call; made when it is first asked for."""
        known = self._narrow.get(id(tool))
        if known is not None and known[0] is tool:
            return known[1]
        from gateway.narrow import narrow
        from gateway.schema import fields

        flat = None if tool.defaults.any else tool.validator.flat
        found = narrow(tool.rules, fields(tool.schema), flat)
        if len(self._narrow) > 2 * len(self.tools) + _MOST_OVERRIDDEN:
            self._narrow = {}
        self._narrow[id(tool)] = (tool, found)
        return found

    def work(self, tool: ToolPlan) -> Work:
        """What the conditions of a tool take together; worked out when it is first asked for."""
        found = self._work.get(tool.name)  # overrides change no condition
        if found is None:
            found = self._work[tool.name] = work_of(tool, self._bounds)
        return found

    def tools_for(self, session: Session, facts: Facts) -> Mapping[str, ToolPlan]:
        """The tools as they are in effect for the session's tenant."""
        return self.catalogue.tools_of(session.tenant, facts.now)

    def decide(
        self,
        call: ToolCall,
        session: Session,
        facts: Facts,
        *,
        findings: Sequence[Finding] = (),
        supports: frozenset[Obligation] = EVERYTHING,
        trace: Trace | None = None,
    ) -> Decision:
        """The decision about one call. `findings` are the host's own; `trace` watches and changes nothing."""
        ctx = Deciding(self, call, session, facts, supports, trace)
        decision = self._run(ctx, findings)
        if trace is not None:
            trace.decided(ctx, decision)
        return decision

    def decide_inner(self, call: ToolCall, outer: Deciding) -> tuple[Decision, Mapping[str, Any]]:
        """The decision about a call that another call wraps, and what of its arguments may be repeated."""
        trace = None if outer.trace is None else outer.trace.inner()
        ctx = Deciding(self, call, outer.session, outer.facts, outer.supports, trace)
        ctx.depth = outer.depth + 1
        ctx.purse = purse_of(outer)
        ctx.tally = outer.tally
        if outer.tool.wraps is not None:
            ctx.around = below(sensitive(outer), outer.tool.wraps.arguments)
        ctx.secrets_around = secrets(outer)
        decision = self._run(ctx, ())
        if trace is not None:
            trace.decided(ctx, decision)
        outer.claims += ctx.claims
        outer.stops = outer.stops or ctx.stops or (ctx.tool is not None and ctx.tool.stops)
        return decision, {} if decision.arguments is None else disclosed(ctx)

    def decide_unlisted(self, call: ToolCall, session: Session, facts: Facts) -> Decision:
        """What the guard and the patterns hold against a call of a tool that the catalogue lacks.

        For hosts that have such tools judged by somebody else: its arguments are read by their names.
        """
        from gateway.steps.unlisted import inspect_unlisted

        ctx = Deciding(self, call, session, facts, EVERYTHING, None)
        refusal = self._not_ready() if self.unready else identity.step(ctx)
        if refusal is not None:
            return refusal_of(ctx, refusal)
        ctx.given = ctx.arguments = normal_arguments(call.arguments)
        inspect_unlisted(ctx)
        return answer_of(ctx)

    def review(
        self,
        call: ToolCall,
        session: Session,
        facts: Facts,
        result: Any,
        decision: Decision | None = None,
        *,
        nonce: str,
        rest: str = "",
        trace: Trace | None = None,
    ) -> Review:
        """What may be shown of a call's result; `nonce` is what no result can know beforehand.

        `rest` is what the model is told of a result that was cut: how all of it can be had.
        """
        from gateway.steps.review import review

        return review(self, call, session, facts, result, decision, nonce, rest, trace)

    def refusal(self, ctx: Deciding) -> Decision | None:
        """The refusal of a call by the steps that read nothing of it but the tool's name, if they refuse it."""
        for number, refuse in REFUSING:
            if number < Step.ARGUMENTS and (refused := refuse(ctx)) is not None:
                return refusal_of(ctx, refused)
        return None

    def allowing(self, ctx: Deciding) -> Decision:
        """The decision about a call against which nothing is held."""
        return answer_of(ctx)

    def entry(self, session: Session, facts: Facts) -> Decision:
        """Step 1 alone: whether a conversation may start, before any model is called (B3)."""
        ctx = Deciding(self, ToolCall("", id=new_id("call-")), session, facts, EVERYTHING, None)
        refusal = self._not_ready() if self.unready else identity.step(ctx)
        return refusal_of(ctx, refusal) if refusal is not None else answer_of(ctx)

    def shows(self, name: str, session: Session, facts: Facts) -> bool:
        """Whether this session sees the tool."""
        from gateway.steps.listing import list_tools

        return bool(list_tools(self, session, facts, (name,)).visible)

    def list_tools(self, session: Session, facts: Facts) -> Listing:
        """The tools that this session sees, and the link that hides each other one."""
        from gateway.steps.listing import list_tools

        return list_tools(self, session, facts)

    def shapes(self, names: Iterable[str]) -> tuple[Shape, ...]:
        """What these tools declare about the lists in their results."""
        from gateway.results.shape import Shape

        tools = ((name, self.tools[name].returns) for name in names)
        return tuple(Shape(name, returns.arrays, returns.known) for name, returns in tools)

    def _not_ready(self) -> Finding:
        why = "; ".join(
            d.message + (f" ({d.span.place})" if d.span is not None else "") for d in self.unready
        )
        return Finding(
            Effect.DENY, Code.NOT_READY, why, "The gateway's policy is not ready to decide.", step=Step.READY
        )

    def _run(self, ctx: Deciding, findings: Sequence[Finding]) -> Decision:
        trace = ctx.trace
        if self.unready:
            return refusal_of(ctx, self._not_ready())
        for number, refuse in REFUSING:
            refusal = refuse(ctx)
            if refusal is not None:
                return refusal_of(ctx, refusal)
            if trace is not None and (number is not Step.JOURNAL or ctx.journal is not None):
                by = by_override(ctx.tool) if number is Step.PERMISSIONS else ""
                trace.note(number, "passed", PASSED[number] + by)
        if findings:
            ctx.findings.extend(findings)
        for _, evaluate in EVALUATING:
            evaluate(ctx)
        return answer_of(ctx)
