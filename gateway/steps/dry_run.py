"""Step 11: in a dry run, whatever is not read-only is answered with a placeholder and does not run."""

from __future__ import annotations

from typing import Any

from gateway.decision import Code, Effect, Finding, Step
from gateway.risk import RiskLevel
from gateway.steps.deciding import Deciding
from gateway.steps.disclosure import described


def step(ctx: Deciding) -> None:
    """Answer a write of a dry run in place of the tool; everything above was checked as usual (B11)."""
    if not ctx.session.dry_run or ctx.risk is RiskLevel.READ_ONLY:
        return
    ctx.tally.pretended = True
    what = described(ctx)
    response: dict[str, Any] = {"dry_run": True, "would": what, **{name: [] for name in ctx.tool.arrays}}
    ctx.findings.append(
        Finding(
            Effect.RESPOND,
            Code.DRY_RUN,
            f"the session is a dry run and the risk is {ctx.risk.value}",
            f"Dry run: nothing was changed. It would have: {what}.",
            step=Step.DRY_RUN,
            response=response,
        )
    )
    if ctx.trace is not None:
        ctx.trace.note(Step.DRY_RUN, "held against", f"dry run: would have {what}")
