"""Step 7, rules: every rule of the tool is evaluated; order never matters, an error counts against the call."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.cel import CelError, Outcome, Watched
from gateway.cel.budget import MAX_STEPS
from gateway.decision import Class, Code, Effect, Finding, Observed, Step, TraceState
from gateway.diagnostic import printable
from gateway.interval import passed
from gateway.plan import RulePlan
from gateway.steps.above import along
from gateway.steps.arguments import selects
from gateway.steps.deciding import Deciding, Trace, call_variables
from gateway.steps.outcome import NEITHER, holds
from gateway.steps.secrets import UNTOLD, secrets
from gateway.steps.work import counted

_UNSAID = f"its error {UNTOLD}"


def step(ctx: Deciding) -> None:
    """Collect a finding for each deny, ask and respond rule that holds; remember the allow rules that do.

    They are evaluated by their ids: where the work runs out, no order of files decides for which.
    """
    if not ctx.tool.rules:
        return
    _evaluate(ctx)
    if ctx.session.parent is not None:
        for above in along(ctx):
            if above is not ctx:
                _evaluate(above)
                _take_over(ctx, above)


def _take_over(ctx: Deciding, above: Deciding) -> None:
    """Hold against a sub-agent's call what is held against it above; allow rules count if they hold there, too."""
    known = {(one.rule, one.effect) for one in (*ctx.findings, *ctx.monitored)}
    held, watched = (
        [one for one in found if (one.rule, one.effect) not in known]
        for found in (above.findings, above.monitored)
    )
    ctx.findings += held
    ctx.monitored += watched
    ctx.context += above.context
    ctx.errors += above.errors
    allowed = {rule.id for rule in above.allows}
    ctx.allows = [rule for rule in ctx.allows if rule.id in allowed]
    if ctx.trace is not None:
        for one in (*held, *watched):
            text = f"for the agent `{above.session.agent}` above: {one.reason}"
            state: TraceState = "held against" if one in held else "monitored"
            ctx.trace.note(Step.EVALUATION, state, text, one.rule)


def _evaluate(ctx: Deciding) -> None:
    variables, session, trace = call_variables(ctx), ctx.session, ctx.trace
    purse = counted(ctx, variables)
    for rule in _candidates(ctx):
        only_when = rule.only_when
        before = MAX_STEPS if purse is None else purse.left
        if only_when is not None and trace is None and purse is None:
            # Most rules are like this and do not hold: one call, and nothing else to ask.
            try:
                value = only_when.evaluate(variables)
            except CelError as failure:
                outcome, error = Outcome.ERROR, str(failure)
            else:
                if value is False:
                    continue
                outcome, error = (Outcome.TRUE, "") if value is True else (Outcome.ERROR, NEITHER)
        else:
            if not selects(rule.selector, session) or lapsed(rule, ctx):
                if trace is not None:
                    trace.evaluated(rule.id, Outcome.FALSE)
                continue
            outcome, error = holds(rule, variables, purse)
        if outcome is Outcome.ERROR:
            error = _told(ctx, rule, error)
        if trace is not None:
            _trace(ctx, trace, rule, outcome, error, before)
        if outcome is Outcome.FALSE:
            continue
        if rule.effect is Effect.ALLOW:
            if outcome is Outcome.TRUE and not monitored(rule, ctx):
                ctx.allows.append(rule)
                _add_context(ctx, rule)
            continue
        finding = rule.finding
        if finding is None or outcome is Outcome.ERROR:
            finding = finding_of(rule, error or "the evaluation failed")
        if monitored(rule, ctx):
            ctx.monitored.append(finding)
        else:
            ctx.findings.append(finding)
            _add_context(ctx, rule)


def _candidates(ctx: Deciding) -> Sequence[RulePlan]:
    """The rules that may hold: all of them where each is watched or paid for, or where the arguments may be any."""
    tool = ctx.tool
    if ctx.trace is not None or ctx.counts or tool.wraps is not None or len(tool.rules) < _MANY:
        return tool.rules
    narrow = ctx.engine.narrow(tool)
    return [tool.rules[place] for place in sorted({*narrow.always, *narrow.candidates(ctx.arguments)})]


_MANY = 2


def lapsed(rule: RulePlan, ctx: Deciding) -> bool:
    """Whether an allow rule's time is over."""
    if rule.until is None or rule.monitored:
        return False
    return passed(rule.until, ctx.facts.now)


def monitored(rule: RulePlan, ctx: Deciding) -> bool:
    """Whether a rule is only watched: by its own `monitor`, until its `until`, or by the settings."""
    if rule.monitored and not (rule.until is not None and passed(rule.until, ctx.facts.now)):
        return True
    return ctx.engine.all_monitored(ctx.facts)


def _told(ctx: Deciding, rule: RulePlan, error: str) -> str:
    """What is told of an error, which may repeat an argument, or come of what the host supplied.

    No finding has that of an allow rule, so it is noted here.
    """
    if secrets(ctx):
        error = _UNSAID
    else:
        from gateway.steps.supplied import in_words

        error = in_words(ctx, rule, error)
    if rule.effect is Effect.ALLOW:
        ctx.errors.append(f"{rule.id}: {error}")
    return error


def _add_context(ctx: Deciding, rule: RulePlan) -> None:
    if rule.context:
        ctx.context.append(rule.context)


def finding_of(rule: RulePlan, error: str = "") -> Finding:
    """What a rule holds against a call that it matches, or that it can't be evaluated for."""
    effect = rule.effect
    if error and effect is Effect.RESPOND:
        effect = Effect.DENY
    why = rule.reason or rule.message
    reason = f"the rule `{rule.id}` ({rule.place}) matched{': ' + why if why else ''}"
    if error:
        reason = f"the rule `{rule.id}` ({rule.place}) can't be evaluated, which counts as a match: {error}"
    doing = {Effect.DENY: "refuses", Effect.ASK: "asks a person about", Effect.RESPOND: "answers"}[effect]
    return Finding(
        effect,
        Code.RULE,
        reason,
        rule.message or f"The rule `{rule.id}` {doing} this call.",
        rule=rule.id,
        kind=Class.RULE,
        errors=(f"{rule.id}: {error}",) if error else (),
        response=rule.response if effect is Effect.RESPOND else None,
        approval=rule.approval,
    )


def _trace(ctx: Deciding, trace: Trace, rule: RulePlan, outcome: Outcome, error: str, steps: int) -> None:
    from gateway.steps.misfit import misfit
    from gateway.steps.observed import shown

    observed: list[Observed] = []
    seen_parts: list[Watched] = []
    hidden = secrets(ctx)
    for condition in (rule.when, rule.unless):
        if condition is not None:
            watched = condition.program.watch(call_variables(ctx), min(steps, MAX_STEPS))
            if not (condition is rule.unless and seen_parts and seen_parts[0].value is False):
                seen_parts.append(watched)
            for seen in watched.observed:
                why = "" if hidden else misfit(seen, watched.observed, ctx.engine.lists)
                value = shown(seen, hidden)
                observed.append(Observed(seen.text, f"{value}: {printable(why)}" if why else value))
    effect = rule.effect.value
    text = {
        Outcome.TRUE: f"{effect} rule holds",
        Outcome.FALSE: f"{effect} rule does not hold",
        Outcome.ERROR: f"{effect} rule can't be evaluated: {error}",
    }[outcome]
    state: TraceState = "passed"
    if outcome is Outcome.ERROR and rule.effect is Effect.ALLOW:
        state = "error"
    elif outcome is not Outcome.FALSE and monitored(rule, ctx):
        state = "monitored"
    elif outcome is not Outcome.FALSE and rule.effect is not Effect.ALLOW:
        state = "held against"
    trace.evaluated(rule.id, outcome, seen_parts)
    trace.note(Step.EVALUATION, state, f"{text} ({rule.place})", rule.id, tuple(observed))
