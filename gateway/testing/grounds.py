"""What an answer rests on, and what kept a rule that was expected to decide from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.decision import Decision, Effect, Step, TraceEntry
from gateway.testing.expected import Expected

if TYPE_CHECKING:
    from gateway.testing.case import Case


def deciding_entry(decision: Decision) -> TraceEntry | None:
    """The line of a trace that the answer rests on: the refusal, what is held against the call, or what lifted it."""
    if decision.effect is Effect.ALLOW:
        return _letting_entry(decision)
    for state in ("refused", "held against"):
        entries = [entry for entry in decision.trace if entry.state == state]
        by_rule = [entry for entry in entries if decision.rule is not None and entry.rule == decision.rule]
        by_step = [
            entry for entry in entries if decision.findings and entry.step is decision.findings[0].step
        ]
        if entries:
            return (by_rule or by_step or entries)[-1]
    return None


def _letting_entry(decision: Decision) -> TraceEntry | None:
    """What let a call run that would have been held up: an approval, or a rule that the detail names."""
    lifted = [entry for entry in decision.trace if entry.state == "lifted"]
    if not lifted or lifted[-1].step is Step.APPROVAL:
        return lifted[-1] if lifted else None
    rules = [entry for entry in decision.trace if entry.step is Step.EVALUATION and entry.rule]
    return next((entry for entry in rules if f"`{entry.rule}` (" in decision.detail), None)


def expected_entry(case: Case, decision: Decision) -> TraceEntry | None:
    """What the rule or limit came to that a case expects to decide, where another one did, or none."""
    name = case.expected.rule if isinstance(case.expected, Expected) else None
    if name is None or name == decision.rule:
        return None
    for entry in decision.trace:
        if entry.rule == name and entry.step is Step.EVALUATION:
            return entry
    policy, plan = case.loaded.policy, case.loaded.compiled.engine.tools.get(decision.tool)
    written = next((one for one in (*policy.rules, *policy.limits) if one.id == name), None)
    if written is None:
        return None
    refused = next((entry for entry in decision.trace if entry.state == "refused"), None)
    if plan is None or name not in {*(one.id for one in plan.rules), *(one.id for one in plan.limits)}:
        why = f"it is not about `{decision.tool}`"
    elif refused is not None and refused.step < Step.EVALUATION:
        why = "the call was refused before any rule"
    else:
        why = "it held nothing against the call"
    return TraceEntry(Step.EVALUATION, "not reached", f"{why} ({written.where.span('id').place})", name)
