"""Step 6: a call that came before is answered with what it came to, and never runs twice unasked."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from gateway.canonical import digest
from gateway.decision import Code, Effect, Finding, Step
from gateway.facts import Remembering
from gateway.frozen import frozen
from gateway.journal import Entered, Progress, journal_key, result_key
from gateway.risk import RiskLevel
from gateway.state import Key, Unavailable
from gateway.steps.deciding import Deciding
from gateway.steps.limits import foreseen


@frozen
class Journaled:
    """Where a call's entry stands, what the store has there and in which version, and the call's own digest."""

    key: Key
    entered: Entered | None
    version: int
    raw: str


def step(ctx: Deciding) -> Finding | None:
    """Look the call up; a finding where it came before and has ended, or was another one."""
    if ctx.facts.remembering is not Remembering.EVERYTHING or ctx.depth or ctx.session.dry_run:
        return None
    key = journal_key(ctx.call, ctx.session)
    kept = ctx.foresee([key, *foreseen(ctx)]).entries.get(key)
    raw = digest(ctx.given)
    if kept is None:
        ctx.journal = Journaled(key, None, 0, raw)
        return None
    try:
        entered = Entered.of(kept.value)
    except ValueError as error:
        raise Unavailable(str(error)) from error
    ctx.journal = Journaled(key, entered, kept.version, raw)
    if (entered.tool, entered.raw) != (ctx.call.name, raw):
        return _reused(entered, ctx.call.name)
    return None if entered.progress is Progress.STARTED else _again(ctx, entered)


def outcome(ctx: Deciding) -> None:
    """Ask where the call was started before and may not run twice: it may have happened."""
    journal = ctx.journal
    if journal is not None and journal.entered is not None and not repeatable(ctx):
        ctx.findings.append(_unknown(journal.entered))


def repeatable(ctx: Deciding) -> bool:
    """Whether running the call twice does no more than once: it only reads, or it and what it wraps is declared so."""
    if ctx.risk is RiskLevel.READ_ONLY:
        return True
    return ctx.tool is not None and ctx.tool.idempotent and (ctx.inner is None or ctx.inner.repeatable)


def _reused(entered: Entered, tool: str) -> Finding:
    other = "with other arguments" if entered.tool == tool else "for another tool"
    return Finding(
        Effect.DENY,
        Code.CALL_ID_REUSED,
        f"a call of `{entered.tool}` with this id came at {time_of(entered.at)}: the id is used again {other}",
        f"This call's id was used before, {other}.",
        step=Step.JOURNAL,
    )


def _again(ctx: Deciding, entered: Entered) -> Finding:
    key = result_key(ctx.call, ctx.session)
    kept = ctx.facts.read((key,)).entries.get(key)
    how = "failed" if entered.progress is Progress.FAILED else "ended"
    response: Any = f"This call {how} at {time_of(entered.at)}; its result is no longer kept."
    if kept is not None:
        try:
            response = json.loads(kept.value)["result"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise Unavailable(f"what the store kept is no result: {error}") from error
    return Finding(
        Effect.RESPOND,
        Code.ALREADY_COMPLETED,
        f"the call {how} at {time_of(entered.at)} under the decision {entered.decision}",
        f"This very call {how} at {time_of(entered.at)} and does not run again; this is its result.",
        step=Step.JOURNAL,
        response=response,
    )


def _unknown(entered: Entered) -> Finding:
    at = time_of(entered.at)
    return Finding(
        Effect.ASK,
        Code.OUTCOME_UNKNOWN,
        f"the call was started at {at} under the decision {entered.decision}, and nothing says how it ended",
        f"This very call was started at {at} and may have happened: a person must say whether it runs again.",
        step=Step.JOURNAL,
    )


def time_of(moment: int) -> str:
    """A moment as the model and people read it."""
    return datetime.fromtimestamp(moment // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
