"""Step 7, limits: how often, how many steps a turn, how many equal calls in a row; they count at the end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gateway.amounts import written
from gateway.approvals import about, approval_key
from gateway.canonical import digest
from gateway.cel import Outcome
from gateway.decision import Class, Code, Effect, Finding, Step
from gateway.facts import Remembering
from gateway.interval import passed, stretch
from gateway.plan import LimitPlan, Scope
from gateway.state import KEPT, Count, Key, Put, State, Window
from gateway.steps.above import along
from gateway.steps.arguments import selects
from gateway.steps.deciding import Deciding, call_variables
from gateway.steps.outcome import holds, watch
from gateway.steps.places import kept_at, place_of, step_of, steps_key
from gateway.steps.rounds import Rounds
from gateway.steps.spending import LARGEST, Taken, Uncounted, taken
from gateway.steps.work import counted

_SECOND = 1_000_000


def step(ctx: Deciding) -> None:
    """Hold against the call each limit that it would pass, and note what counts if it is let run."""
    if ctx.facts.remembering is Remembering.NOTHING:
        return
    looked: list[tuple[LimitPlan, Key, Taken | None]] = []
    sessions = tuple(along(ctx)) if ctx.tool.limits else ()
    for limit in ctx.tool.limits:
        governs = any(_governs(limit, one) for one in sessions)
        if ctx.trace is not None:
            watched = watch(limit, call_variables(ctx))
            ctx.trace.evaluated(limit.id, Outcome.TRUE if governs else Outcome.FALSE, watched)
        if not governs:
            continue
        try:
            found = _places(limit, ctx, sessions)
        except Uncounted as why:
            _hold(ctx, limit, why.reason, why.message)
            continue
        for place, take in found.items():
            if place not in ctx.tally.seen:
                ctx.tally.seen.add(place)
                looked.append((limit, place, take))
    asked = [_asked(place, take, ctx) for _, place, take in looked]
    steps = ctx.agent.max_steps if ctx.depth == 0 else None
    turn = steps_key(ctx.session) if steps is not None else None
    if turn is not None:
        asked.append(turn)
    if not asked:
        return
    state = ctx.read(asked)
    for limit, place, take in looked:
        if take is not None:
            _take(ctx, limit, place, state, take)
        elif limit.code is Code.REPEATED:
            _repeats(ctx, limit, place, state)
        else:
            _rounds(ctx, limit, place, state)
    if steps is not None and turn is not None:
        _steps(ctx, steps, turn, state)


def foreseen(ctx: Deciding) -> list[Key | Window]:
    """What will be asked of the store whatever the arguments are, so that it can be asked for beforehand."""
    asked: list[Key | Window] = []
    for limit in ctx.tool.limits:
        if limit.scope is not Scope.VALUE and limit.currency is None:
            take = None if limit.window is None else Taken(0, limit.most, limit.window)
            place = ctx.places[limit.id] = place_of(limit, ctx, take)
            asked.append(_asked(place, take, ctx))
    return asked if ctx.agent.max_steps is None else [*asked, steps_key(ctx.session)]


def _asked(place: Key, take: Taken | None, ctx: Deciding) -> Key | Window:
    return place if take is None else Window(place, ctx.facts.moment - take.window)


def _places(limit: LimitPlan, ctx: Deciding, sessions: Sequence[Deciding]) -> Mapping[Key, Taken | None]:
    """What a limit counts the call under, and how much of it there; raises `Uncounted`.

    A sub-agent's call counts under what each agent above would be counted under as well, the most that it takes of it.
    """
    found: dict[Key, Taken | None] = {}
    for one in sessions:
        take = None if limit.window is None else taken(limit, limit.window, one)
        own = one if limit.scope is Scope.VALUE else ctx
        place = ctx.places.get(limit.id) or place_of(limit, own, take)
        before = found.get(place)
        if before is None or (take is not None and take.amount > before.amount):
            found[place] = take
    return found


def _governs(limit: LimitPlan, ctx: Deciding) -> bool:
    """Whether a limit is about this call; one that can't be evaluated is."""
    if not selects(limit.selector, ctx.session):
        return False
    if limit.when is None and limit.unless is None:
        return True
    variables = call_variables(ctx)
    return holds(limit, variables, counted(ctx, variables))[0] is not Outcome.FALSE


def _take(ctx: Deciding, limit: LimitPlan, place: Key, state: State, take: Taken) -> None:
    """Count what the call takes, if there is room for it."""
    moment = ctx.facts.moment
    window = Window(place, moment - take.window)
    total = state.totals.get(window, 0)
    if take.amount == 0:
        return
    if total + take.amount <= take.most:
        ctx.tally.counts.append(Count(place, moment, take.amount, take.window, take.most))
        return
    again = moment + take.window
    if take.amount <= take.most:
        begun = _room(ctx.facts.counted(window, _MOST_LOOKED), total + take.amount - take.most)
        again = again if begun is None else begun + take.window
    watched = _hold(ctx, limit, *_full(limit, total, take, again))
    if watched and total < LARGEST:
        # What is let run all the same counts, for when the limit is enforced.
        ctx.tally.counts.append(Count(place, moment, take.amount, take.window, 2 * LARGEST))


def _full(limit: LimitPlan, total: int, take: Taken, again: int) -> tuple[str, str]:
    """Why there is no room, for the operator, and what the model is told of it."""
    time = stretch(take.window // _SECOND)
    when = f"It can be tried again after {_time(again)}."
    if limit.amount is None:
        return f"{total} calls in {time}, and {take.most} are allowed", when
    unit = take.currency and f" {take.currency}"
    left = written(max(take.most - total, 0)) + unit
    reason = f"of {written(take.most)}{unit} in {time} there is {left} left; the call spends {written(take.amount)}"
    if take.amount > take.most:
        when = "No call can spend as much at once."
    # What others have spent is no concern of whoever asks.
    return reason, f"There is {left} left. {when}" if limit.scope in _OWN else when


_OWN = frozenset({Scope.CALL, Scope.TURN, Scope.SESSION, Scope.SUBJECT})
_MOST_LOOKED = 10_000
"""At most so many counts are looked through for when there is room; if they are more it may be earlier."""


def _room(events: Sequence[tuple[int, int]], over: int) -> int | None:
    """When the count was made that has to go before there is room."""
    for at, amount in events:
        over -= amount
        if over <= 0:
            return at
    return None


def _repeats(ctx: Deciding, limit: LimitPlan, place: Key, state: State) -> None:
    now = digest([ctx.call.name, ctx.arguments])
    before, version = kept_at(state, place, {"call": str, "times": int})
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
            f"the same call came {times} times in a row, and {limit.most} are allowed",
            "The same call came too often in a row; do something else, or tell the user what is missing.",
        )


def _rounds(ctx: Deciding, limit: LimitPlan, place: Key, state: State) -> None:
    empty = Rounds.at(state, place)[0].empty_before(step_of(ctx.call, ctx.session))
    if empty >= limit.most:
        _hold(
            ctx,
            limit,
            f"{empty} rounds in a row brought nothing new, and {limit.most} are allowed",
            "All that came back was empty or known before; go on with what you have.",
        )


def _was_asked(ctx: Deciding) -> bool:
    """Whether a person was asked about this very call: when it comes again it is no other one."""
    if ctx.facts.remembering is not Remembering.EVERYTHING or ctx.session.dry_run:
        return False
    place = approval_key(ctx.session.tenant or "", about(ctx.call, ctx.session))
    return place in ctx.facts.read((place,)).entries


def _steps(ctx: Deciding, most: int, place: Key, state: State) -> None:
    """A step is one answer of the model; calls of one answer have the same iteration."""
    before, version = kept_at(state, place, {"steps": list})
    seen = before["steps"] if before else []
    own = step_of(ctx.call, ctx.session)
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


def _hold(ctx: Deciding, limit: LimitPlan, why: str, message: str) -> bool:
    """Hold a limit against the call; whether that is only watched."""
    reason = f"the limit `{limit.id}` ({limit.place}) is reached: {why}"
    text = f"{limit.message or f'The limit `{limit.id}` is reached.'} {message}".strip()
    finding = Finding(
        Effect.DENY, limit.code, reason, text, rule=limit.id, kind=Class.LIMIT, step=Step.EVALUATION
    )
    trial = limit.monitored and not (limit.until is not None and passed(limit.until, ctx.facts.now))
    watched = trial or ctx.engine.all_monitored(ctx.facts)
    (ctx.monitored if watched else ctx.findings).append(finding)
    if ctx.trace is not None:
        ctx.trace.note(Step.EVALUATION, "monitored" if watched else "held against", reason, limit.id)
    return watched


def _time(moment: int) -> str:
    return datetime.fromtimestamp(-(-moment // _SECOND), UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
