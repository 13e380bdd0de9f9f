"""Whose a conversation is: its id is bound to the subject and the agent that it is first seen with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gateway.state import Key, Kind, Put, Unavailable, key

if TYPE_CHECKING:
    from gateway.session import Session

_KEPT = 366 * 24 * 3600 * 1_000_000


def binding_key(session: Session) -> Key:
    """Where it is kept whose a conversation is."""
    return key(session.tenant or "", Kind.SESSION, session.id)


def named(subject: str, agent: str) -> str:
    """A subject and an agent in one text, which no other two make."""
    return json.dumps([subject, agent], ensure_ascii=False)


def binding(session: Session, whose: str, moment: int) -> Put:
    """The change that binds a conversation, if it is not bound yet; a year without a call unbinds it."""
    return Put(binding_key(session), whose.encode("utf-8", "surrogatepass"), 0, moment + _KEPT)


def bound(kept: bytes) -> str:
    """Whose a conversation is, as a store kept it; raises `Unavailable` where that can't be read."""
    try:
        return kept.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Unavailable(f"what the store kept is no binding: {error}") from error
