"""Step 7, guard and inspection: what commands, SQL and paths in the arguments would do."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from gateway.decision import Class, Code, Effect, Finding, Step
from gateway.diagnostic import printable
from gateway.risk import RiskLevel
from gateway.schema import collected
from gateway.steps.deciding import Deciding
from gateway.steps.disclosure import without_secrets


def step(ctx: Deciding) -> None:
    """Collect a finding for each dangerous pattern and each attempt on the gateway's own files."""
    if not ctx.tool.inspected:
        return
    before = len(ctx.findings) + len(ctx.monitored)
    for inspected in ctx.tool.inspected:
        texts = texts_of(collected(ctx.arguments, (inspected.path,)), inspected.kind)
        inspect_texts(ctx, inspected.argument, inspected.kind, texts, ctx.tool.risk)
    if ctx.trace is not None:
        found = len(ctx.findings) + len(ctx.monitored) - before
        names = ", ".join(f"`{i.argument}` as {i.kind}" for i in ctx.tool.inspected)
        ctx.trace.note(
            Step.EVALUATION,
            "held against" if found else "passed",
            f"inspected {names}: {found or 'no'} finding{'' if found == 1 else 's'}",
        )


def inspect_texts(ctx: Deciding, argument: str, kind: str, texts: list[str], risk: RiskLevel) -> None:
    """Inspect the texts of one argument, and add what is found to what is held against the call."""
    from gateway.inspect.guard import Access
    from gateway.inspect.place import Place

    session = ctx.session
    place = Place(session.cwd, session.home, session.roots, ctx.facts.resolve)
    access = Access.READ if risk is RiskLevel.READ_ONLY else Access.WRITE
    for text in texts:
        for match in _inspect(ctx, kind, text, place, access).matches:
            _add(ctx, argument, match)


def _inspect(ctx: Deciding, kind: str, text: str, place: Any, access: Any) -> Any:
    inspector = ctx.engine.inspector()
    if kind == "shell":
        return inspector.shell(text, place)
    if kind == "sql":
        return inspector.sql(text, None, place)
    return inspector.path(text, place, access)


def texts_of(values: list[Any], kind: str) -> list[str]:
    """Every string of an argument; a command that is given as a list of words is also read as one command."""
    texts = [text for value in values for text in _strings(value)]
    if kind in ("shell", "git") and len(texts) > 1:
        texts.append(shlex.join(texts))
    return texts


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        # Tools that write several files take an object from path to content.
        return [*value, *(text for item in value.values() for text in _strings(item))]
    return [text for item in value for text in _strings(item)] if isinstance(value, list) else []


def _add(ctx: Deciding, argument: str, match: Any) -> None:
    message = without_secrets(f"`{argument}`: {match.reason}. Instead: {match.alternative}.", ctx)
    quoted = printable(without_secrets(match.text, ctx)[:120])
    reason = f"`{argument}`: {without_secrets(match.reason, ctx)} (in `{quoted}`)"
    if match.kind == "guard":
        kind = Class.GUARD_ALONG if match.beside else Class.GUARD
        ctx.findings.append(Finding(Effect.DENY, Code.GUARD, reason, message, rule="guard", kind=kind))
        return
    code = Code.UNREADABLE if match.kind == "unreadable" else Code.PATTERN
    rule = match.pattern or None
    finding = Finding(match.effect, code, reason, message, rule=rule, kind=Class.INSPECTION)
    target = ctx.monitored if ctx.engine.all_monitored(ctx.facts) else ctx.findings
    target.append(finding)
