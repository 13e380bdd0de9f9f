"""Step 8: risk at or above the policy's threshold needs a person's confirmation."""

from __future__ import annotations

from gateway.cel import Outcome
from gateway.decision import Code, Effect, Finding, Step
from gateway.plan import Condition
from gateway.risk import RiskLevel
from gateway.steps.above import along
from gateway.steps.deciding import Deciding, call_variables
from gateway.steps.disclosure import described
from gateway.steps.outcome import evaluate
from gateway.steps.work import counted


def step(ctx: Deciding) -> None:
    """Set the enforced risk, and ask where it reaches `confirm_from` (B7: declared risk, never a label)."""
    ctx.risk = ctx.tool.risk
    condition = ctx.tool.read_only_when
    if condition is not None:
        only_reads = all(_only_reads(one, condition) for one in along(ctx))
        if only_reads:
            ctx.risk = RiskLevel.READ_ONLY
        if ctx.trace is not None:
            outcome = Outcome.TRUE if only_reads else Outcome.FALSE
            ctx.trace.evaluated(ctx.tool.name, outcome, [condition.program.watch(call_variables(ctx))])
    threshold, own = ctx.engine.confirm_from, ctx.risk
    inner = None if ctx.inner is None else ctx.inner.risk
    if inner is not None and inner >= own:
        ctx.risk = inner  # the inner call was asked about where it was decided
    if own >= threshold:
        what = described(ctx)
        finding = Finding(
            Effect.ASK,
            Code.CONFIRM,
            f"risk {own.value} is at or above `confirm_from: {threshold.value}`",
            f"A person must confirm: {what}.",
            step=Step.CONFIRMATION,
        )
        (ctx.monitored if ctx.engine.all_monitored(ctx.facts) else ctx.findings).append(finding)
    if ctx.trace is not None:
        asks = own >= threshold
        ctx.trace.note(
            Step.CONFIRMATION,
            "held against" if asks else "passed",
            f"risk {own.value}, `confirm_from: {threshold.value}`",
        )


def _only_reads(ctx: Deciding, condition: Condition) -> bool:
    variables = call_variables(ctx)
    return evaluate(condition, variables, counted(ctx, variables))[0] is Outcome.TRUE
