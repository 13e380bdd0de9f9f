"""Step 9: an allow rule that holds lifts the confirmation, and the asks that it names."""

from __future__ import annotations

from gateway.decision import Class, Code, Effect, Finding, Step
from gateway.steps.deciding import Deciding


def step(ctx: Deciding) -> None:
    """Remove what the allow rules lift; never a deny, an error, or an ask that no rule names (C3)."""
    if not ctx.allows:
        return
    named = frozenset[str]().union(*(rule.lifts for rule in ctx.allows))
    lifted = [finding for finding in ctx.findings if _lifts(finding, named)]
    if lifted:
        ctx.findings = [finding for finding in ctx.findings if finding not in lifted]
        ctx.lifting = tuple(
            rule for rule in ctx.allows if any(_lifts(finding, rule.lifts) for finding in lifted)
        )
    if ctx.trace is not None:
        for rule in ctx.allows:
            ctx.trace.note(
                Step.LIFTING,
                "passed",
                f"the allow rule `{rule.id}` ({rule.place}) "
                + ("holds, and what it does not lift is left" if ctx.findings else "grants the call"),
                rule.id,
            )
        for finding in lifted:
            ctx.trace.note(Step.LIFTING, "lifted", f"{finding.code}: {finding.reason}", finding.rule)


def _lifts(finding: Finding, named: frozenset[str]) -> bool:
    if finding.effect is not Effect.ASK or finding.errors:
        return False
    if finding.code is Code.CONFIRM:
        return finding.step is Step.CONFIRMATION
    if finding.kind not in (Class.RULE, Class.INSPECTION):
        return False  # a host's own finding, or one of an inner call
    return finding.code in (Code.RULE, Code.PATTERN) and finding.rule in named
