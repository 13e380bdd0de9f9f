"""Step 7, meta-tools: the inner call passes every step too, and its answer counts for the whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.call import ToolCall, same
from gateway.decision import Basis, Code, Effect, Finding, State, Step
from gateway.steps.deciding import MAX_WRAPPING, Deciding
from gateway.steps.resource import reach


def step(ctx: Deciding) -> None:
    """Decide the inner call of a meta-tool and take over what is held against it."""
    wraps = ctx.tool.wraps
    if wraps is None:
        return
    roots = {"args": ctx.arguments}
    name = reach(roots, ("args", *wraps.tool))
    arguments = reach(roots, ("args", *wraps.arguments))
    if not isinstance(name, str) or not name:
        _refuse(ctx, Code.ARGUMENTS_UNREADABLE, f"`args.{'.'.join(wraps.tool)}` names no inner tool")
        return
    if ctx.depth >= MAX_WRAPPING:
        _refuse(ctx, Code.ARGUMENTS_UNREADABLE, f"more than {MAX_WRAPPING} calls are wrapped in one another")
        return
    inner_call = ToolCall(name, {} if arguments is None else arguments, ctx.call.id, None, ctx.call.iteration)
    inner = ctx.engine.decide_inner(inner_call, ctx)
    ctx.basis_is_default = inner.basis is Basis.DEFAULT
    if inner.effect is not Effect.ALLOW:
        ctx.findings.append(
            Finding(
                inner.effect,
                inner.code,
                f"the inner call of `{name}`: {inner.detail}",
                f"The inner call of `{name}`: {inner.message}",
                rule=inner.rule,
                response=inner.response,
                errors=inner.errors,
                approval=inner.approval or {},
            )
        )
    ctx.monitored.extend(inner.monitored)
    if inner.arguments is not None and not same(inner.arguments, arguments):
        ctx.arguments = _with(ctx.arguments, wraps.arguments, dict(inner.arguments))
        ctx.variables = None
    if ctx.trace is not None:
        state: State = "passed" if inner.proceeds else "held against"
        ctx.trace.note(Step.EVALUATION, state, f"inner call of `{name}`: {inner.effect.value} {inner.code}")


def _refuse(ctx: Deciding, code: Code, reason: str) -> None:
    ctx.findings.append(Finding(Effect.DENY, code, reason, f"The inner call can't be read: {reason}."))


def _with(value: Mapping[str, Any], path: tuple[str, ...], new: Any) -> dict[str, Any]:
    if len(path) == 1:
        return {**value, path[0]: new}
    return {**value, path[0]: _with(value[path[0]], path[1:], new)}
