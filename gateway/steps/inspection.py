"""Step 7, guard and inspection: what commands, SQL and paths in the arguments would do."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from gateway.decision import Class, Code, Effect, Finding, Step
from gateway.diagnostic import printable
from gateway.plan import Inspected
from gateway.risk import RiskLevel
from gateway.schema import collected
from gateway.steps.deciding import Deciding


def step(ctx: Deciding) -> None:
    """Collect a finding for each dangerous pattern and each attempt on the gateway's own files."""
    if ctx.tool.inspected:
        inspect(ctx, ctx.tool.inspected, ctx.tool.risk)


_COMMANDS = frozenset({"cmd", "command", "commands", "script", "shell", "shell_command"})
_PATHS = frozenset(
    (
        "absolute_path", "dest", "destination", "directory", "file", "file_path", "filename", "filepath", "new_path",
        "notebook_path", "path", "paths", "relative_path", "source", "target", "target_file", "uri",
    )
)  # fmt: skip


def by_name(arguments: Mapping[str, Any]) -> tuple[Inspected, ...]:
    """What the arguments of a tool that nothing is known of seem to hold, by their names."""
    commands = (Inspected((key,), "shell") for key in arguments if key.lower() in _COMMANDS)
    paths = (Inspected((key,), "path") for key in arguments if key.lower() in _PATHS)
    return (*commands, *paths)


def inspect(ctx: Deciding, arguments: tuple[Inspected, ...], risk: RiskLevel) -> None:
    """Inspect some arguments of a call, and add what is found to what is held against it."""
    from gateway.inspect.guard import Access
    from gateway.inspect.place import Place

    session = ctx.session
    place = Place(session.cwd, session.home, session.roots, ctx.facts.resolve)
    access = Access.READ if risk is RiskLevel.READ_ONLY else Access.WRITE
    for inspected in arguments:
        for text in _texts(collected(ctx.arguments, (inspected.path,)), inspected.kind):
            inspection = _inspect(ctx, inspected, text, place, access)
            for match in inspection.matches:
                _add(ctx, inspected.argument, match)
    if ctx.trace is not None:
        found = len([f for f in ctx.findings + ctx.monitored if f.code is not Code.RULE])
        names = ", ".join(f"`{i.argument}` as {i.kind}" for i in arguments)
        ctx.trace.note(
            Step.EVALUATION,
            "held against" if found else "passed",
            f"inspected {names}: {found or 'no'} finding{'' if found == 1 else 's'}",
        )


def _inspect(ctx: Deciding, inspected: Inspected, text: str, place: Any, access: Any) -> Any:
    inspector = ctx.engine.inspector
    if inspected.kind == "shell":
        return inspector.shell(text, place)
    if inspected.kind == "sql":
        return inspector.sql(text, None)
    return inspector.path(text, place, access)


def _texts(values: list[Any], kind: str) -> list[str]:
    """Every string of an argument; a command that is given as a list of words is also read as one command."""
    texts = [text for value in values for text in _strings(value)]
    if kind == "shell" and len(texts) > 1:
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
    instead = f" Instead: {match.alternative}." if match.alternative else ""
    message = f"`{argument}`: {match.reason}.{instead}"
    reason = f"`{argument}`: {match.reason} (in `{printable(match.text[:120])}`)"
    if match.kind == "guard":
        ctx.findings.append(Finding(Effect.DENY, Code.GUARD, reason, message, rule="guard", kind=Class.GUARD))
        return
    code = Code.UNREADABLE if match.kind == "unreadable" else Code.PATTERN
    rule = match.pattern or None
    finding = Finding(match.effect, code, reason, message, rule=rule, kind=Class.INSPECTION)
    target = ctx.monitored if ctx.engine.all_monitored(ctx.facts) else ctx.findings
    target.append(finding)
