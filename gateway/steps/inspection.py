"""Step 7, guard and inspection: what commands, SQL and paths in the arguments would do."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gateway.decision import Class, Code, Effect, Finding, Step
from gateway.diagnostic import printable
from gateway.risk import RiskLevel
from gateway.schema import collected
from gateway.steps.deciding import Deciding
from gateway.steps.secrets import HIDDEN, UNTOLD, covered, without_secrets

if TYPE_CHECKING:
    from gateway.inspect.inspection import Analysis, Inspection, Match
    from gateway.inspect.inspector import Inspector
    from gateway.inspect.place import Place


_ANALYSES = ("exact", "folded", "partial", "unparsed")


def step(ctx: Deciding) -> None:
    """Collect a finding for each dangerous pattern and each attempt on the gateway's own files."""
    if not ctx.tool.inspected:
        return
    before = len(ctx.findings), len(ctx.monitored)
    for inspected in ctx.tool.inspected:
        texts = texts_of(collected(ctx.arguments, (inspected.path,)), inspected.kind)
        made = inspected_texts(ctx, inspected.kind, texts, ctx.tool.risk)
        # A path is inspected as one by its role too, but what is declared comes first.
        ctx.inspections.setdefault(inspected.argument, (inspected.kind, made))
        matches = [match for one in made for match in one.matches]
        if covered(ctx, inspected.path):
            matches = [_untold(match) for match in matches]
        hold_against(ctx, inspected.argument, matches)
    ctx.written = _written(ctx)
    if ctx.trace is not None:
        held = [*ctx.findings[before[0] :], *ctx.monitored[before[1] :]]
        told = ", ".join(dict.fromkeys(f"`{each.rule}`" if each.rule else each.code.value for each in held))
        found = len(held)
        names = ", ".join(f"`{i.argument}` as {i.kind}" for i in ctx.tool.inspected)
        ctx.trace.note(
            Step.EVALUATION,
            "held against" if found else "passed",
            f"inspected {names}: {found or 'no'} finding{'' if found == 1 else 's'}"
            f"{f' ({told})' if told else ''}",
        )


def _written(ctx: Deciding) -> dict[str, tuple[str, ...]]:
    """What files would hold after the call, as far as the arguments tell: a later one may run them."""
    from gateway.inspect.word import UNKNOWN

    # What a sensitive argument writes is not remembered, or later calls would tell it: what runs it can't be judged.
    hidden = {each.argument for each in ctx.tool.inspected if covered(ctx, each.path)}
    found = {
        path: (UNKNOWN,) if argument in hidden else texts
        for argument, (_, made) in ctx.inspections.items()
        for inspection in made
        for path, texts in inspection.written.items()
    }
    roles = ctx.tool.roles
    if ctx.tool.risk is RiskLevel.READ_ONLY or not roles.get("path") or not roles.get("content"):
        return found
    from gateway.inspect.place import absolute

    paths = [text for value in collected(ctx.arguments, roles["path"]) for text in _strings(value)]
    texts = [text for value in collected(ctx.arguments, roles["content"]) for text in _strings(value)]
    if len(paths) > 1 and len(paths) == len(texts):
        hidden_texts = any(covered(ctx, each) for each in roles["content"])
        for written, text in zip(paths, texts, strict=True):
            path = absolute(written, ctx.session.cwd, ctx.session.home)
            if path is not None:
                found[path] = (UNKNOWN if hidden_texts else text,)
        return found
    path = absolute(paths[0], ctx.session.cwd, ctx.session.home) if len(paths) == 1 else None
    if path is None or not texts:
        return found
    content = UNKNOWN if any(covered(ctx, each) for each in roles["content"]) else "\n".join(texts)
    before = ctx.facts.files.get(path, ())
    # A tool that takes more than a path and a content changes a part of what is there.
    whole = len(ctx.tool.schema.get("required", ())) <= len((*roles["path"], *roles["content"]))
    found[path] = (content,) if whole or not before else tuple(f"{one}\n{content}" for one in before)
    return found


def pinned_by(ctx: Deciding) -> Mapping[str, tuple[str, ...]]:
    """The addresses that were checked, by host: a tool that is told to connects to none but these."""
    found = {
        host: addresses
        for _, made in ctx.inspections.values()
        for inspection in made
        for host, addresses in inspection.pinned
    }
    return found if ctx.inner is None else {**(ctx.inner.pinned or {}), **found}


def written_by(ctx: Deciding) -> Mapping[str, tuple[str, ...]]:
    """What files would hold after the call, and after the one that it wraps."""
    found = ctx.written or {}
    return found if ctx.inner is None else {**(ctx.inner.written or {}), **found}


def analysis_of(ctx: Deciding) -> Analysis | None:
    """How much of the inspected arguments could be read, of the one that could be read least."""
    made = [inspection.analysis for _, found in ctx.inspections.values() for inspection in found]
    if ctx.inner is not None and ctx.inner.analysis is not None:
        made.append(ctx.inner.analysis)
    return max(made, key=_ANALYSES.index) if made else None


def inspected_texts(ctx: Deciding, kind: str, texts: list[str], risk: RiskLevel) -> list[Inspection]:
    """What each text of one argument of the call would do."""
    return inspections(ctx.engine.inspector(), kind, texts, _place(ctx), risk)


def inspections(
    inspector: Inspector, kind: str, texts: list[str], place: Place, risk: RiskLevel
) -> list[Inspection]:
    """What each text of an argument would do; a tool that only reads does no more with a path."""
    from gateway.inspect.guard import Access
    from gateway.inspect.kind import Kind

    access = Access.READ if risk is RiskLevel.READ_ONLY else Access.WRITE
    if kind == GUARD_ALONE:
        return [inspector.guarded(text, place, access) for text in texts]
    name, _, dialect = kind.partition(" ")
    return [inspector.inspect(Kind(name), text, place, access, dialect or None) for text in texts]


GUARD_ALONE = "guard"
"""A text that may be a path: only the guard judges it."""


def _place(ctx: Deciding) -> Place:
    from gateway.inspect.place import Place, absolute

    session = ctx.session
    conventions = ctx.engine.inspector().conventions
    facts = ctx.facts
    # Hosts write directories with a slash at their end, or with `..` in them.
    home = None if session.home is None else absolute(session.home, session.cwd, None) or session.home
    cwd = None if session.cwd is None else absolute(session.cwd, None, home) or session.cwd
    roots = tuple(absolute(root, cwd, home) or root for root in session.roots)
    return Place(cwd, home, roots, facts.resolve, conventions, facts.lookup, facts.files, facts.links)


def hold_against(ctx: Deciding, argument: str, matches: list[Match]) -> None:
    """Add what speaks against an argument to what is held against the call."""
    for match in matches:
        _add(ctx, argument, match)


def _untold(match: Match) -> Match:
    """What speaks against an argument that is sensitive, or a part of it: which pattern, and nothing of its text."""
    what = f"it matches `{match.pattern}`" if match.kind == "pattern" else _UNTOLD_KINDS[match.kind]
    return replace(match, reason=f"{what}; its text {UNTOLD}", text=HIDDEN)


_UNTOLD_KINDS = {
    "guard": "it would touch a file that protects this gateway",
    "unreadable": "a part of it can't be checked",
}


def texts_of(values: list[Any], kind: str) -> list[str]:
    """Every string of an argument; a command that is given as a list of words is also read as one command."""
    if kind == "headers":
        return [text for value in values for text in _headers(value)]
    texts = [text for value in values for text in _strings(value)]
    if kind in ("shell", "git") and len(texts) > 1:
        texts.append(shlex.join(texts))
    return texts


_HEADER = ("name", "key", "header")


def _headers(value: Any) -> list[str]:
    """Every header as `Name: value`: of an object, of objects with a name and a value, of pairs, or of texts."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        found = [f"{name}: {text}" for name, item in value.items() for text in _values(item)]
        known = {name.lower(): item for name, item in value.items()}
        names = [known[each] for each in _HEADER if isinstance(known.get(each), str)]
        return found + [f"{name}: {text}" for name in names for text in _values(known.get("value"))]
    if not isinstance(value, list):
        return []
    if len(value) == 2 and all(isinstance(item, str) and ":" not in item for item in value):
        return [": ".join(value)]
    return [text for each in value for text in _headers(each)]


def _values(value: Any) -> list[str]:
    return [str(each) for each in value] or [""] if isinstance(value, list) else [str(value)]


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        # Tools that write several files take an object from path to content.
        return [*value, *(text for item in value.values() for text in _strings(item))]
    return [text for item in value for text in _strings(item)] if isinstance(value, list) else []


def _add(ctx: Deciding, argument: str, match: Match) -> None:
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


def inspected_facts(made: Mapping[str, tuple[str, list[Inspection]]], place: Place) -> dict[str, Any]:
    """What conditions read as `inspect`: the facts of each argument that is inspected, also of one that is absent."""
    from gateway.inspect.facts import facts
    from gateway.inspect.kind import Kind

    return {
        argument: facts(Kind(kind.partition(" ")[0]), found, place)
        for argument, (kind, found) in made.items()
        if kind != GUARD_ALONE
    }


def facts_of_call(ctx: Deciding) -> dict[str, Any]:
    """The facts of the arguments of the call that is decided."""
    return inspected_facts(ctx.inspections, _place(ctx))
