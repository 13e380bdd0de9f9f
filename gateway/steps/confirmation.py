"""Step 8: risk at or above the policy's threshold needs a person's confirmation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gateway.cel import Outcome
from gateway.decision import Code, Effect, Finding, Step
from gateway.diagnostic import printable
from gateway.plan import ToolPlan
from gateway.risk import RiskLevel
from gateway.steps.deciding import Deciding, call_variables
from gateway.steps.outcome import evaluate
from gateway.steps.resource import reach


def step(ctx: Deciding) -> None:
    """Set the enforced risk, and ask where it reaches `confirm_from` (B7: declared risk, never a label)."""
    ctx.risk = ctx.tool.risk
    if ctx.tool.read_only_when is not None:
        outcome, _ = evaluate(ctx.tool.read_only_when, call_variables(ctx))
        if outcome is Outcome.TRUE:
            ctx.risk = RiskLevel.READ_ONLY
    threshold = ctx.engine.confirm_from
    if ctx.risk >= threshold:
        what = described(ctx.tool, ctx.arguments)
        finding = Finding(
            Effect.ASK,
            Code.CONFIRM,
            f"risk {ctx.risk.value} is at or above `confirm_from: {threshold.value}`",
            f"A person must confirm: {what}.",
            step=Step.CONFIRMATION,
        )
        (ctx.monitored if ctx.engine.all_monitored(ctx.facts) else ctx.findings).append(finding)
    if ctx.trace is not None:
        asks = ctx.risk >= threshold
        ctx.trace.note(
            Step.CONFIRMATION,
            "held against" if asks else "passed",
            f"risk {ctx.risk.value}, `confirm_from: {threshold.value}`",
        )


def described(tool: ToolPlan, arguments: Mapping[str, Any]) -> str:
    """What a call would do, in the words of the tool's `describe`, or as the raw call."""
    raw = f"`{tool.name}` with {_shown(arguments, 400)}"
    if tool.describe is None:
        return raw
    roots = {"args": arguments, "tool": tool.view, "config": tool.view.get("config", {})}
    parts: list[str] = []
    for part in tool.describe.parts:
        if isinstance(part, str):
            parts.append(part)
            continue
        value = reach(roots, (part.root, *part.names))
        if value is None:
            return raw
        parts.append(_shown(value, 200))
    return "".join(parts)


def _shown(value: Any, longest: int) -> str:
    """A value quoted, on one line, without characters that hide others."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = printable(text)
    text = text if len(text) <= longest else f"{text[:longest]}… ({len(text)} characters)"
    return f"“{text}”" if isinstance(value, str) else text
