"""The decision: a pure function of a compiled policy, a call, its session and the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall, fresh, new_id, normal_arguments, same
from gateway.codes import PAGES
from gateway.decision import (
    Basis,
    Code,
    Decision,
    Effect,
    Finding,
    Obligation,
    Step,
)
from gateway.diagnostic import printable, printable_lines
from gateway.facts import Facts, Remembering
from gateway.interval import passed
from gateway.plan import AgentPlan, ToolPlan, UnlistedResultPlan
from gateway.risk import RiskLevel
from gateway.session import Session
from gateway.steps import EVALUATING, REFUSING, identity
from gateway.steps.approval import STOP, question, stops_after
from gateway.steps.deciding import Deciding, Trace
from gateway.steps.disclosure import disclosed, shown
from gateway.steps.inspection import analysis_of, pinned_by, written_by
from gateway.steps.journal import repeatable
from gateway.steps.permissions import by_override
from gateway.steps.remembering import Remembered, remembered
from gateway.steps.secrets import below, secrets, sensitive
from gateway.steps.work import Work, purse_of, work_of

if TYPE_CHECKING:
    from gateway.diagnostic import Diagnostic
    from gateway.effective import Catalogue
    from gateway.inspect.inspector import Inspector
    from gateway.interval import Until
    from gateway.narrow import Narrow
    from gateway.results.review import Review
    from gateway.results.shape import Shape
    from gateway.steps.listing import Listing

_NOTHING = Remembered()
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

    def with_tools(self, digest: str, catalogue: Catalogue) -> Engine:
        """An engine of the same policy with another catalogue, whose tools have the same rules."""
        made = copy(self)
        made.digest, made.catalogue, made.tools = digest, catalogue, catalogue.declared
        made._narrow = {}
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
            found = self._work[tool.name] = work_of(tool)
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
        return self._run(ctx, findings)

    def decide_inner(self, call: ToolCall, outer: Deciding) -> tuple[Decision, Mapping[str, Any]]:
        """The decision about a call that another call wraps, and what of its arguments may be repeated."""
        ctx = Deciding(self, call, outer.session, outer.facts, outer.supports, None)
        ctx.depth = outer.depth + 1
        ctx.purse = purse_of(outer)
        ctx.tally = outer.tally
        if outer.tool.wraps is not None:
            ctx.around = below(sensitive(outer), outer.tool.wraps.arguments)
        ctx.secrets_around = secrets(outer)
        decision = self._run(ctx, ())
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
            return _refused(ctx, refusal)
        ctx.given = ctx.arguments = normal_arguments(call.arguments)
        inspect_unlisted(ctx)
        return _answer(ctx)

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
    ) -> Review:
        """What may be shown of a call's result; `nonce` is what no result can know beforehand.

        `rest` is what the model is told of a result that was cut: how all of it can be had.
        """
        from gateway.steps.review import review

        return review(self, call, session, facts, result, decision, nonce, rest)

    def refusal(self, ctx: Deciding) -> Decision | None:
        """The refusal of a call by the steps that read nothing of it but the tool's name, if they refuse it."""
        for number, refuse in REFUSING:
            if number < Step.ARGUMENTS and (refused := refuse(ctx)) is not None:
                return _refused(ctx, refused)
        return None

    def allowing(self, ctx: Deciding) -> Decision:
        """The decision about a call against which nothing is held."""
        return _answer(ctx)

    def entry(self, session: Session, facts: Facts) -> Decision:
        """Step 1 alone: whether a conversation may start, before any model is called (B3)."""
        ctx = Deciding(self, ToolCall("", id=new_id("call-")), session, facts, EVERYTHING, None)
        refusal = self._not_ready() if self.unready else identity.step(ctx)
        return _refused(ctx, refusal) if refusal is not None else _answer(ctx)

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
            return _refused(ctx, self._not_ready())
        for number, refuse in REFUSING:
            refusal = refuse(ctx)
            if refusal is not None:
                return _refused(ctx, refusal)
            if trace is not None and (number is not Step.JOURNAL or ctx.journal is not None):
                by = by_override(ctx.tool) if number is Step.PERMISSIONS else ""
                trace.note(number, "passed", _PASSED[number] + by)
        if findings:
            ctx.findings.extend(findings)
        for _, evaluate in EVALUATING:
            evaluate(ctx)
        return _answer(ctx)


_PASSED = {
    Step.IDENTITY: "subject, tenant and agent are known",
    Step.TOOL: "the tool is visible to this session",
    Step.PERMISSIONS: "all permissions are held",
    Step.ARGUMENTS: "the arguments are readable",
    Step.RESOURCE: "resource permissions are held, the schema is satisfied",
    Step.JOURNAL: "the call did not come before",
}


def _refused(ctx: Deciding, refusal: Finding) -> Decision:
    if ctx.trace is not None:
        ctx.trace.note(refusal.step, "refused", f"{refusal.code}: {refusal.reason}", refusal.rule)
        for number, _ in REFUSING:
            if number > refusal.step and number is not Step.JOURNAL:
                ctx.trace.note(number, "not reached", _PASSED[number])
        ctx.trace.note(Step.EVALUATION, "not reached", "guard, inspection and rules")
        ctx.trace.note(Step.CONFIRMATION, "not reached", "confirmation")
    return _decision(ctx, refusal, (refusal,), ())


def _answer(ctx: Deciding) -> Decision:
    """Steps 12 and 13: the strictest finding wins; what nobody can answer or do is refused."""
    if not ctx.findings:
        obligations = _obligations(ctx)
        return _decision(ctx, _answerable(ctx, _ALLOWED, obligations), (), obligations)
    findings = tuple(sorted(ctx.findings, key=_rank) if len(ctx.findings) > 1 else ctx.findings)
    obligations = _obligations(ctx)
    return _decision(ctx, _answerable(ctx, findings[0], obligations), findings, obligations)


_ALLOWED = Finding(Effect.ALLOW, Code.ALLOWED, "nothing was held against the call", step=Step.RESULT)


def _rank(finding: Finding) -> tuple[int, int, int, str, str]:
    return (*finding.rank, finding.reason)


def _answerable(ctx: Deciding, top: Finding, obligations: tuple[Obligation, ...]) -> Finding:
    if ctx.depth:
        return top  # the outermost call is what a person is asked about and what a host runs
    if top.effect is not Effect.ASK and top.effect is not Effect.ALLOW:
        return top
    if top.effect is Effect.ASK and ctx.session.can_ask is not True:
        return Finding(
            Effect.DENY,
            Code.NOBODY_TO_ASK,
            f"would have been asked: {top.code}: {top.reason}",
            f"{top.message} Nobody can be asked in this conversation.",
            rule=top.rule,
            step=Step.ANSWER,
            errors=top.errors,
        )
    if not obligations:
        return top
    unsupported = [o.value for o in obligations if o not in ctx.supports]
    if unsupported:
        return Finding(
            Effect.DENY,
            Code.OBLIGATION_UNSUPPORTED,
            f"the host does not support {', '.join(f'`{name}`' for name in unsupported)}",
            "This program can't carry out the call in the way that the policy demands.",
            rule=top.rule,
            step=Step.ANSWER,
        )
    return top


def _obligations(ctx: Deciding) -> tuple[Obligation, ...]:
    obligations: tuple[Obligation, ...] = ()
    if ctx.given is not None and not same(ctx.arguments, ctx.given):
        obligations += (Obligation.FINAL_ARGUMENTS,)
    if ctx.findings and any(finding.approval for finding in ctx.findings):
        obligations += (Obligation.NAMED_APPROVER,)
    if (ctx.inspections or ctx.inner is not None) and pinned_by(ctx):
        obligations += (Obligation.PINNED_ADDRESSES,)
    return obligations


def _decision(
    ctx: Deciding, top: Finding, findings: tuple[Finding, ...], obligations: tuple[Obligation, ...]
) -> Decision:
    if ctx.trace is not None and top.step is Step.ANSWER:
        ctx.trace.note(Step.ANSWER, "refused", f"{top.code}: {top.reason}", top.rule)
    effect = top.effect
    message, detail, stops = "", top.reason, effect is Effect.DENY and stops_after(ctx, findings)
    if top is not _ALLOWED:
        # Whatever asks, the model waits for the answer; what a code says of trying again is for refusals.
        retry = STOP if stops else PAGES[Code.CONFIRM if effect is Effect.ASK else top.code].retry
        message = printable_lines(f"{_said(top, findings)} {retry}".strip())
        detail = printable_lines(detail)
    reached = top.step > Step.RESOURCE
    going_on = effect is Effect.ALLOW or effect is Effect.ASK
    approval = question(ctx, top, findings) if effect is Effect.ASK else None
    name = new_id("d-")
    kept = _NOTHING if ctx.facts.remembering is Remembering.NOTHING else remembered(ctx, top, name, approval)
    return Decision(
        id=name,
        effect=effect,
        code=top.code,
        message=message,
        detail=detail,
        basis=_basis(ctx, effect),
        rule=top.rule,
        tool=printable(ctx.call.name),
        call_id=ctx.call.id,
        arguments=ctx.arguments if reached else None,
        shown=shown(ctx) if reached and ctx.tool is not None else None,
        response=top.response if top.response is None else fresh(top.response),
        approval=kept.approval or approval,
        context=tuple(sorted(set(ctx.context))) if ctx.context else (),
        obligations=obligations if going_on else (),
        findings=findings,
        monitored=tuple(sorted(ctx.monitored, key=_rank)) if ctx.monitored else (),
        errors=_errors(ctx, findings) if findings or ctx.errors else (),
        trace=tuple(ctx.trace.entries) if ctx.trace is not None else (),
        policy=ctx.engine.digest,
        analysis=analysis_of(ctx) if ctx.inspections or ctx.inner is not None else None,
        pinned=(pinned_by(ctx) or None) if going_on and (ctx.inspections or ctx.inner is not None) else None,
        written=(written_by(ctx) or None) if going_on and (ctx.written or ctx.inner is not None) else None,
        risk=ctx.risk if going_on else None,
        timeout=ctx.tool.timeout if going_on and ctx.tool is not None else None,
        repeatable=going_on and repeatable(ctx),
        stops=stops,
        changes=kept.changes,
    )


def _basis(ctx: Deciding, effect: Effect) -> Basis:
    """Why a call goes on."""
    if ctx.approved and effect is Effect.ALLOW:
        return Basis.APPROVAL
    by_rule = ctx.allows and effect is Effect.ALLOW and not ctx.basis_is_default
    return Basis.RULE if by_rule else Basis.DEFAULT


def _errors(ctx: Deciding, findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """The errors of what is held against the call, then those of allow rules."""
    held = [error for finding in findings for error in finding.errors]
    return tuple(dict.fromkeys(held + sorted(ctx.errors)))


_MOST_SAID = 4


def _said(top: Finding, findings: tuple[Finding, ...]) -> str:
    """What the model and whoever is asked are told: every reason of the same weight, the first one first."""
    if len(findings) < 2:
        return top.message
    same_weight = [f.message for f in findings if f.effect is top.effect and f is not top and f.message]
    others = [message for message in dict.fromkeys(same_weight) if message != top.message]
    return " Also: ".join((top.message, *others[:_MOST_SAID]))
