"""Step 14: what has to be remembered of a decision, as changes that a store makes at once or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gateway.approvals import Request, Status
from gateway.call import fresh
from gateway.canonical import digest
from gateway.decision import Effect, Finding
from gateway.facts import Remembering
from gateway.frozen import frozen
from gateway.journal import Entered, Progress, names_of
from gateway.state import KEPT, Change, Put
from gateway.steps.approval import Asked, fingerprint
from gateway.steps.deciding import Deciding
from gateway.steps.once import claims

_SECOND = 1_000_000


@frozen
class Remembered:
    """What changes with a decision, and the question as whoever is asked finds it again."""

    changes: tuple[Change, ...] = ()
    approval: Mapping[str, Any] | None = None


def remembered(ctx: Deciding, top: Finding, decision: str, approval: Mapping[str, Any] | None) -> Remembered:
    """What has to be remembered: that the call is started and its approval used, or that a person is asked."""
    if ctx.facts.remembering is Remembering.NOTHING or ctx.depth:
        return Remembered((), approval)
    changes = (*ctx.bindings, *ctx.tally.changes(runs=top.effect is Effect.ALLOW))
    if top.effect is Effect.ALLOW:
        return Remembered((*changes, *_started(ctx, decision), *_used(ctx)))
    if top.effect is not Effect.ASK or approval is None or ctx.asked is None:
        return Remembered(changes, approval)
    put, found = _request(ctx, ctx.asked, approval)
    return Remembered((*changes, *put), found)


def _started(ctx: Deciding, decision: str) -> tuple[Change, ...]:
    journal = ctx.journal
    if journal is None:
        return ()
    attempt = 1 if journal.entered is None else journal.entered.attempt + 1
    final = journal.raw if ctx.arguments is ctx.given else digest(ctx.arguments)
    claimed = claims(ctx)
    entered = Entered(
        Progress.STARTED,
        ctx.call.name,
        journal.raw,
        final,
        decision,
        ctx.facts.moment,
        attempt,
        tuple(claim.key.name for claim in claimed),
    )
    return (Put(journal.key, entered.packed(), journal.version, ctx.facts.moment + KEPT), *claimed)


def _used(ctx: Deciding) -> tuple[Change, ...]:
    asked = ctx.asked
    if not ctx.approved or asked is None or asked.request is None:
        return ()
    used = replace(asked.request, status=Status.USED)
    return (Put(asked.key, used.packed(), asked.version, ctx.facts.moment + KEPT),)


def _request(
    ctx: Deciding, asked: Asked, approval: Mapping[str, Any]
) -> tuple[tuple[Change, ...], Mapping[str, Any]]:
    """The question, unless the same one waits for its answer already."""
    subject, conversation, turn, call_id, *child = names_of(ctx.call, ctx.session)
    before = asked.request
    demands = tuple(approval["demands"])
    request = Request(
        about=asked.about,
        number=1 if before is None else before.number + 1,
        status=Status.PENDING,
        subject=subject,
        session=conversation,
        turn=turn,
        agent=ctx.session.agent,
        call_id=call_id,
        child="".join(child),
        tool=ctx.call.name,
        iteration=ctx.call.iteration,
        prompt=approval["prompt"],
        reasons=tuple(approval["reasons"]),
        demands=demands,
        arguments=fresh(approval["arguments"]),
        final=digest(ctx.arguments),
        fingerprint=fingerprint(ctx),
        asked=ctx.facts.moment,
        expires=_sooner(demands, "expires", ctx.facts.moment),
        use_within=_sooner(demands, "use_within", 0),
    )
    if before is not None and before.open_at(ctx.facts.moment) and before.same_question(request):
        return (), _found(before, approval)
    until = max(ctx.facts.moment, request.expires or 0) + KEPT
    put = Put(asked.key, request.packed(), asked.version, until)
    return (put,), _found(request, approval)


def _found(request: Request, approval: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**approval, "id": request.id, "expires": request.expires}


def _sooner(demands: tuple[Mapping[str, Any], ...], name: str, after: int) -> int | None:
    """The shortest of the demands' times, in microseconds."""
    times = [demand[name] for demand in demands if name in demand]
    return after + min(times) * _SECOND if times else None
