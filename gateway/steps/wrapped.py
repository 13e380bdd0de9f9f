"""Step 7, meta-tools: the inner call passes every step too, and its answer counts for the whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gateway.call import ToolCall, normal_arguments, same
from gateway.decision import Basis, Class, Code, Decision, Effect, Finding, Step, TraceState
from gateway.steps.deciding import MAX_WRAPPING, Deciding
from gateway.template import reach


def step(ctx: Deciding) -> None:
    """Decide the inner call of a meta-tool and take over what is held against it."""
    wraps = ctx.tool.wraps
    if wraps is None:
        return
    roots = {"args": ctx.arguments}
    name = reach(roots, ("args", *wraps.tool))
    written = reach(roots, ("args", *wraps.arguments))
    arguments = {} if written is None else written
    if not isinstance(name, str) or not name:
        _refuse(ctx, Code.ARGUMENTS_UNREADABLE, f"`args.{'.'.join(wraps.tool)}` names no inner tool")
        return
    if ctx.depth >= MAX_WRAPPING:
        _refuse(ctx, Code.ARGUMENTS_UNREADABLE, f"more than {MAX_WRAPPING} calls are wrapped in one another")
        return
    inner_call = ToolCall.of(
        {"tool": name, "arguments": arguments, "id": ctx.call.id, "iteration": ctx.call.iteration}
    )
    inner, ctx.wrapped = ctx.engine.decide_inner(inner_call, ctx)
    ctx.inner = inner
    ctx.basis_is_default = inner.basis is Basis.DEFAULT
    if inner.effect is not Effect.ALLOW:
        ctx.findings.extend(_held_against(name, inner, ctx))
    ctx.monitored.extend(inner.monitored)
    ctx.context.extend(inner.context)
    ctx.errors.extend(inner.errors)
    if inner.arguments is not None and not same(inner.arguments, normal_arguments(arguments)):
        final = dict(inner.arguments)
        new = json.dumps(final, ensure_ascii=False) if isinstance(written, str) else final
        ctx.arguments = _with(ctx.arguments, wraps.arguments, new)
        ctx.variables = None
    if ctx.trace is not None:
        state: TraceState = "passed" if inner.proceeds else "held against"
        ctx.trace.note(Step.EVALUATION, state, f"inner call of `{name}`: {inner.effect.value} {inner.code}")


def _held_against(name: str, inner: Decision, ctx: Deciding) -> Iterator[Finding]:
    """Each finding that made the inner answer what it is, so that none is lost; no outer rule lifts them."""
    for finding in inner.findings:
        if finding.effect is inner.effect:
            yield replace(
                finding,
                reason=f"the inner call of `{name}`: {finding.reason}",
                message=f"The inner call of `{name}`: {finding.message}",
                kind=Class.OTHER,
                step=Step.EVALUATION,
            )


def _refuse(ctx: Deciding, code: Code, reason: str) -> None:
    ctx.findings.append(Finding(Effect.DENY, code, reason, f"The inner call can't be read: {reason}."))


def _with(value: Mapping[str, Any], path: tuple[str, ...], new: Any) -> dict[str, Any]:
    if len(path) == 1:
        return {**value, path[0]: new}
    return {**value, path[0]: _with(value.get(path[0], {}), path[1:], new)}
