"""Where limits count, and what they noted there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gateway.call import ToolCall
from gateway.canonical import canonical
from gateway.journal import names_of, turn_of
from gateway.lineage import below_root, root_of
from gateway.plan import LimitPlan, Scope
from gateway.session import Session
from gateway.state import Key, Kind, State, Unavailable, key
from gateway.steps.deciding import Deciding
from gateway.steps.spending import Taken, Uncounted, value_of


def place_of(limit: LimitPlan, ctx: Deciding, take: Taken | None) -> Key:
    """What a limit counts the call under; raises `Uncounted`."""
    session = ctx.session
    parts: tuple[str, ...] = (limit.scope.value,)
    subject = session.subject.id if session.subject is not None else ""
    if limit.scope is Scope.VALUE and limit.by is not None:
        try:
            parts += (canonical(value_of(limit.by, ctx, "what it is counted by")),)
        except (TypeError, ValueError) as error:
            raise Uncounted(f"what it is counted by can't be told apart: {error}") from None
    elif limit.scope is Scope.TOOL:
        parts += (ctx.call.name,)
    elif limit.scope is not Scope.TENANT:
        parts += (subject, *_within(limit.scope, ctx))
    if limit.amount is not None and take is not None:
        parts += ("spent", take.currency)
    return key(session.tenant or "", Kind.LIMIT, limit.id, *parts)


def _within(scope: Scope, ctx: Deciding) -> tuple[str, ...]:
    if scope is Scope.SUBJECT:
        return ()
    if scope is Scope.CALL:
        return names_of(ctx.call, ctx.session)[1:]
    turn = _turn(ctx.session)
    return turn if scope is Scope.TURN else turn[:1]


def _turn(session: Session) -> tuple[str, str]:
    """The conversation, and its turn: what a sub-agent calls its own turns begins none."""
    root = root_of(session)
    return root.id, turn_of(root)


def steps_key(session: Session) -> Key:
    """Where the steps of a turn are counted; a session that names no turns has one."""
    subject = session.subject.id if session.subject is not None else ""
    return key(session.tenant or "", Kind.LIMIT, "", "steps", subject, *_turn(session))


def step_of(call: ToolCall, session: Session) -> int | str:
    """The answer of the model that a call belongs to: calls of one answer have the same iteration."""
    own = f"call {call.id}" if call.iteration is None else call.iteration
    return own if session.parent is None else json.dumps([own, below_root(session), turn_of(session)])


def kept_at(state: State, place: Key, parts: Mapping[str, type]) -> tuple[dict[str, Any], int]:
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
