"""Step 7, limits: how often, how many steps a turn, how many equal calls in a row; they count at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from gateway.approvals import about, approval_key
from gateway.canonical import canonical, digest
from gateway.cel import CelError, Outcome
from gateway.decision import Class, Code, Effect, Finding, Step
from gateway.facts import Remembering
from gateway.interval import passed
from gateway.journal import turn_of
from gateway.lineage import below_root, root_of
from gateway.plan import LimitPlan, Scope
from gateway.session import Session
from gateway.state import KEPT, Count, Key, Kind, Put, State, Unavailable, Window, key
from gateway.steps.arguments import selects
from gateway.steps.deciding import Deciding, call_variables
from gateway.steps.outcome import holds
from gateway.steps.work import counted

_SECOND = 1_000_000
_UNBOUND = 2**53


def step(ctx: Deciding) -> None:
    """Hold against the call each limit that it would pass, and note what counts if it is let run."""
    if ctx.facts.remembering is Remembering.NOTHING:
        return
    looked: list[tuple[LimitPlan, Key]] = []
    for limit in ctx.tool.limits:
        if not _governs(limit, ctx):
            continue
        place = _key(limit, ctx)
        if place is None:
            _hold(ctx, limit, Code.RATE_LIMIT, "what it is counted by can't be evaluated", "")
        elif place not in ctx.tally.seen:
            ctx.tally.seen.add(place)
            looked.append((limit, place))
    asked = [_asked(limit, place, ctx) for limit, place in looked]
    steps = ctx.agent.max_steps if ctx.depth == 0 else None
    turn = steps_key(ctx.session) if steps is not None else None
    if turn is not None:
        asked.append(turn)
    if not asked:
        return
    state = ctx.read(asked)
    for limit, place in looked:
        if limit.window is None:
            _repeats(ctx, limit, place, state)
        else:
            _rate(ctx, limit, place, state, limit.window)
    if steps is not None and turn is not None:
        _steps(ctx, steps, turn, state)


def foreseen(ctx: Deciding) -> list[Key | Window]:
    """What will be asked of the store whatever the arguments are, so that it can be asked for beforehand."""
    known = [limit for limit in ctx.tool.limits if limit.scope is not Scope.VALUE]
    asked = [_asked(limit, place, ctx) for limit in known if (place := _key(limit, ctx)) is not None]
    return asked if ctx.agent.max_steps is None else [*asked, steps_key(ctx.session)]


def _asked(limit: LimitPlan, place: Key, ctx: Deciding) -> Key | Window:
    return place if limit.window is None else Window(place, ctx.facts.moment - limit.window)


def _governs(limit: LimitPlan, ctx: Deciding) -> bool:
    """Whether a limit is about this call; one that can't be evaluated is."""
    if not selects(limit.selector, ctx.session):
        return False
    if limit.when is None and limit.unless is None:
        return True
    variables = call_variables(ctx)
    return holds(limit, variables, counted(ctx, variables))[0] is not Outcome.FALSE


def _key(limit: LimitPlan, ctx: Deciding) -> Key | None:
    """What a limit counts the call under; None where that can't be evaluated."""
    session = ctx.session
    parts: tuple[str, ...] = (limit.scope.value,)
    subject = session.subject.id if session.subject is not None else ""
    if limit.scope is Scope.VALUE and limit.by is not None:
        variables = call_variables(ctx)
        purse = counted(ctx, variables)
        try:
            program = limit.by.program
            value = program.evaluate(variables) if purse is None else program.within(variables, purse)
            parts += (canonical(value),)
        except (CelError, TypeError, ValueError):
            return None
    elif limit.scope is Scope.TOOL:
        parts += (ctx.call.name,)
    elif limit.scope is not Scope.TENANT:
        parts += (subject, *_within(limit.scope, ctx))
    return key(session.tenant or "", Kind.LIMIT, limit.id, *parts)


def _within(scope: Scope, ctx: Deciding) -> tuple[str, ...]:
    if scope is Scope.SUBJECT:
        return ()
    turn = (root_of(ctx.session).id, turn_of(ctx.session))
    return {Scope.SESSION: turn[:1], Scope.TURN: turn, Scope.CALL: (*turn, ctx.call.id)}[scope]


def _rate(ctx: Deciding, limit: LimitPlan, place: Key, state: State, window: int) -> None:
    moment = ctx.facts.moment
    total = state.totals.get(Window(place, moment - window), 0)
    if total < limit.most:
        ctx.tally.counts.append(Count(place, moment, 1, window, limit.most))
        return
    again = _room(ctx.facts.counted(Window(place, moment - window), limit.most), total, limit.most)
    when = _time(again + window) if again is not None else _time(moment + window)
    watched = _hold(
        ctx,
        limit,
        Code.RATE_LIMIT,
        f"{total} calls in {window / _SECOND:g} s, and {limit.most} are allowed",
        f"It can be tried again after {when}.",
    )
    if watched:
        # What is let run all the same counts, for when the limit is enforced.
        ctx.tally.counts.append(Count(place, moment, 1, window, _UNBOUND))


def _room(events: Sequence[tuple[int, int]], total: int, most: int) -> int | None:
    """When the count was made that has to go before there is room for one more."""
    over = total - most
    for at, amount in events:
        over -= amount
        if over < 0:
            return at
    return None


def _repeats(ctx: Deciding, limit: LimitPlan, place: Key, state: State) -> None:
    now = digest([ctx.call.name, ctx.arguments])
    before, version = _read(state, place, {"call": str, "times": int})
    times = 1
    if before and before["call"] == now:
        if _was_asked(ctx):
            return
        times += before["times"]
    made = Put(place, json.dumps({"call": now, "times": times}).encode(), version, ctx.facts.moment + KEPT)
    ctx.tally.attempts.append(made)
    if times > limit.most:
        _hold(
            ctx,
            limit,
            Code.REPEATED,
            f"the same call came {times} times in a row, and {limit.most} are allowed",
            "The same call came too often in a row; do something else, or tell the user what is missing.",
        )


def _was_asked(ctx: Deciding) -> bool:
    """Whether a person was asked about this very call: when it comes again it is no other one."""
    if ctx.facts.remembering is not Remembering.EVERYTHING or ctx.session.dry_run:
        return False
    place = approval_key(ctx.session.tenant or "", about(ctx.call, ctx.session))
    return place in ctx.facts.read((place,)).entries


def _steps(ctx: Deciding, most: int, place: Key, state: State) -> None:
    """A step is one answer of the model; calls of one answer have the same iteration."""
    before, version = _read(state, place, {"steps": list})
    seen = before["steps"] if before else []
    own = ctx.call.iteration if ctx.call.iteration is not None else f"call {ctx.call.id}"
    if ctx.session.parent is not None:
        own = f"{own} of {below_root(ctx.session)}"
    if own in seen:
        return
    if len(seen) >= most:
        ctx.findings.append(
            Finding(
                Effect.DENY,
                Code.STEP_LIMIT,
                f"the turn has had {len(seen)} steps, and `max_steps` of the agent is {most}",
                f"The limit of {most} steps in one turn is reached.",
                kind=Class.LIMIT,
                step=Step.EVALUATION,
            )
        )
        return
    value = json.dumps({"steps": [*seen, own]}).encode()
    ctx.tally.attempts.append(Put(place, value, version, ctx.facts.moment + KEPT))


def steps_key(session: Session) -> Key:
    """Where the steps of a turn are counted; a session that names no turns has one."""
    subject = session.subject.id if session.subject is not None else ""
    return key(session.tenant or "", Kind.LIMIT, "", "steps", subject, root_of(session).id, turn_of(session))


def _read(state: State, place: Key, parts: Mapping[str, type]) -> tuple[dict[str, Any], int]:
    """What was noted, with all its parts or none, and its version."""
    entry = state.entries.get(place)
    if entry is None:
        return {}, 0
    try:
        value = json.loads(entry.value)
    except (ValueError, RecursionError) as error:
        raise Unavailable(f"what the store kept is no count: {error}") from error
    if not isinstance(value, dict) or any(type(value.get(name)) is not kind for name, kind in parts.items()):
        raise Unavailable("what the store kept is no count")
    return value, entry.version


def _hold(ctx: Deciding, limit: LimitPlan, code: Code, why: str, message: str) -> bool:
    """Hold a limit against the call; whether that is only watched."""
    reason = f"the limit `{limit.id}` ({limit.place}) is reached: {why}"
    text = f"{limit.message or f'The limit `{limit.id}` is reached.'} {message}".strip()
    finding = Finding(Effect.DENY, code, reason, text, rule=limit.id, kind=Class.LIMIT, step=Step.EVALUATION)
    trial = limit.monitored and not (limit.until is not None and passed(limit.until, ctx.facts.now))
    watched = trial or ctx.engine.all_monitored(ctx.facts)
    (ctx.monitored if watched else ctx.findings).append(finding)
    if ctx.trace is not None:
        ctx.trace.note(Step.EVALUATION, "monitored" if watched else "held against", reason, limit.id)
    return watched


def _time(moment: int) -> str:
    return datetime.fromtimestamp(-(-moment // _SECOND), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
