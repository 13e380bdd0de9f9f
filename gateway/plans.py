"""Plans: several calls that are shown and confirmed together, each of which may then run once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from gateway.ahead import Ahead
from gateway.answering import Answer, ApprovalError, Verdict, answered_together
from gateway.approvals import LONGEST_SHOWN, Request
from gateway.call import CallError, ToolCall
from gateway.decision import Decision, Effect, Obligation
from gateway.diagnostic import printable
from gateway.engine import Engine
from gateway.facts import Facts, Remembering
from gateway.frozen import frozen
from gateway.keeping import Keeper
from gateway.session import Session
from gateway.state import KEPT, Change, Key, Kind, Lost, Put, Store, Unavailable

MOST_CALLS = 100
_ATTEMPTS = 4


@frozen
class Plan:
    """What would be decided about each of several calls, in order, and the one question about all that ask.

    Each is decided as if those before it had run: what they count is counted. `id` is empty where nobody is asked:
    nothing asks, or some call would be refused. `prompt` shows every argument of the calls that ask.
    """

    decisions: tuple[Decision, ...]
    id: str = ""
    prompt: str = ""

    @property
    def refused(self) -> tuple[Decision, ...]:
        """Those of the calls that would be refused."""
        return tuple(one for one in self.decisions if one.effect is Effect.DENY)


def plan(
    engine: Engine,
    keeper: Keeper,
    calls: Iterable[ToolCall | Mapping[str, Any]],
    session: Session,
    facts_for: Callable[[Session], Facts],
    supports: frozenset[Obligation],
) -> Plan:
    """As `Gateway.plan`."""
    read = [ToolCall.of(call) for call in calls]
    _check(read)
    if not session.id or session.dry_run:
        raise CallError("a plan belongs to a conversation that has an id and is no dry run")
    for _ in range(_ATTEMPTS):
        facts = keeper.facts(facts_for(session), Remembering.EVERYTHING)
        decisions = _in_turn(engine, keeper.store, read, session, facts, supports)
        made = _planned(keeper.store, decisions, session, facts.moment)
        if made is not None:
            return made
    raise Unavailable("others keep changing what the plan rests on")


def _in_turn(
    engine: Engine,
    store: Store,
    calls: Sequence[ToolCall],
    session: Session,
    facts: Facts,
    supports: frozenset[Obligation],
) -> list[Decision]:
    """The decision about each call, where those before it have run, and been approved if it takes that."""
    ahead = Ahead(store)
    facts = replace(facts, read=ahead.read, counted=ahead.counted)
    decisions: list[Decision] = []
    for call in calls:
        decision = engine.decide(call, session, facts, supports=supports)
        decisions.append(decision)
        if decision.effect is Effect.ASK:
            ahead.agrees(call, session, decision, facts.moment)
            decision = engine.decide(call, session, facts, supports=supports)
        ahead.goes_on(decision)
    return decisions


def _check(calls: Sequence[ToolCall]) -> None:
    """Raise `CallError` unless there are some calls, each with an id of its own."""
    if not 0 < len(calls) <= MOST_CALLS:
        raise CallError(f"a plan has 1 to {MOST_CALLS} calls")
    if len({call.id for call in calls}) < len(calls):
        raise CallError("two calls of a plan have the same id")


def _planned(store: Store, decisions: Sequence[Decision], session: Session, moment: int) -> Plan | None:
    """The plan with its question kept; None where others changed in the meantime what it rests on."""
    asking = [one for one in decisions if one.effect is Effect.ASK]
    if not asking or any(one.effect is Effect.DENY for one in decisions):
        return Plan(tuple(decisions))
    approvals = [one.approval or {} for one in asking]
    names = [str(approval["id"]) for approval in approvals]
    name = "p-" + sha256(json.dumps(names).encode()).hexdigest()[:32]
    changes: dict[Key, Change] = {
        change.key: change
        for one in asking
        for change in one.changes
        if change.key.kind is not Kind.LIMIT  # each counts when it is called
    }
    place = _key(session.tenant, name)
    changes[place] = Put(place, json.dumps(names).encode(), None, moment + KEPT)
    try:
        store.apply(tuple(changes.values()))
    except Lost:
        return None
    lines = [line for number, approval in enumerate(approvals, 1) for line in _lines(number, approval)]
    return Plan(tuple(decisions), name, "\n".join(lines))


def _lines(number: int, approval: Mapping[str, Any]) -> Iterator[str]:
    """What whoever is asked must see of a call: its arguments too, where the sentence about it shortens them."""
    yield f"{number}. {approval['prompt']}"
    written = json.dumps(approval["arguments"])
    if len(written) > LONGEST_SHOWN:
        yield "   It is too long to be shown whole, so it can't be approved."
    elif printable(json.dumps(approval["arguments"], ensure_ascii=False)) not in approval["prompt"]:
        yield f"   arguments: {written}"


def answer_plan(store: Store, name: str, given: Answer, who: Session, moment: int) -> tuple[Request, ...]:
    """The requests of a plan after one answer to all: it counts for each, or for none (`ApprovalError`)."""
    if given.verdict is Verdict.HAPPENED:
        raise ApprovalError("whether a call has happened is said of each by itself")
    return answered_together(store, questions(store, who.tenant, name), given, who, moment)


def questions(store: Store, tenant: str | None, name: str) -> list[str]:
    """The ids of the requests that a plan asks; `ApprovalError` where it is none."""
    place = _key(tenant, name)
    entry = store.read((place,)).entries.get(place)
    if entry is None:
        raise ApprovalError(f"there is no plan `{name}` in this tenant")
    try:
        names = [str(one) for one in json.loads(entry.value)]
    except (ValueError, TypeError, RecursionError) as error:
        raise Unavailable(f"what the store kept is no plan: {error}") from error
    if not names:
        raise Unavailable("what the store kept is no plan: it has no calls")
    return names


def _key(tenant: str | None, name: str) -> Key:
    return Key(tenant or "", Kind.PLAN, name[:100])
