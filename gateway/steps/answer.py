"""Steps 12 and 13: the strictest finding wins, what nobody can answer or do is refused, and the decision is made."""

from __future__ import annotations

from gateway.call import fresh, new_id, same
from gateway.codes import PAGES
from gateway.decision import Basis, Code, Decision, Effect, Finding, Obligation, Step
from gateway.diagnostic import printable, printable_lines
from gateway.facts import Remembering
from gateway.steps import REFUSING
from gateway.steps.approval import STOP, question, stops_after
from gateway.steps.deciding import Deciding
from gateway.steps.disclosure import shown
from gateway.steps.inspection import analysis_of, pinned_by, written_by
from gateway.steps.journal import repeatable
from gateway.steps.remembering import Remembered, remembered

_NOTHING = Remembered()
PASSED = {
    Step.IDENTITY: "subject, tenant and agent are known",
    Step.TOOL: "the tool is visible to this session",
    Step.PERMISSIONS: "all permissions are held",
    Step.ARGUMENTS: "the arguments are readable",
    Step.RESOURCE: "resource permissions are held, the schema is satisfied",
    Step.JOURNAL: "the call did not come before",
}
"""What a trace says of each refusing step that refused nothing."""


def refusal_of(ctx: Deciding, refusal: Finding) -> Decision:
    """The decision about a call that a step refuses."""
    if ctx.trace is not None:
        ctx.trace.note(refusal.step, "refused", f"{refusal.code}: {refusal.reason}", refusal.rule)
        for number, _ in REFUSING:
            if number > refusal.step and number is not Step.JOURNAL:
                ctx.trace.note(number, "not reached", PASSED[number])
        ctx.trace.note(Step.EVALUATION, "not reached", "guard, inspection and rules")
        ctx.trace.note(Step.CONFIRMATION, "not reached", "confirmation")
    return _decision(ctx, refusal, (refusal,), ())


def answer_of(ctx: Deciding) -> Decision:
    """The decision about a call by what is held against it, if anything."""
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
    if top is _ALLOWED:
        detail = printable_lines(_let_run(ctx)) if ctx.lifting else detail
    else:
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


def _let_run(ctx: Deciding) -> str:
    """Which rules let a call run that would have been held up."""
    named = [f"`{rule.id}` ({rule.place})" for rule in ctx.lifting]
    return (
        f"the rule {named[0]} lets it run"
        if len(named) == 1
        else f"the rules {' and '.join(named)} let it run"
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
