"""Whose a conversation is: its id is bound to the subject and the agent that it is first seen with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gateway.lineage import chain
from gateway.state import Key, Kind, Put, Unavailable, key

if TYPE_CHECKING:
    from gateway.session import Session

_quoted = json.encoder.encode_basestring


def binding_key(session: Session) -> Key:
    """Where it is kept whose a conversation is."""
    return key(session.tenant or "", Kind.SESSION, session.id)


def named(session: Session) -> str:
    """Whose a conversation is in one text, which no other makes: its subject, its agent, and all above it."""
    subject = session.subject.id if session.subject is not None else ""
    above = [one.id for one in chain(session)][1:]
    return f"[{', '.join(map(_quoted, (subject, session.agent, *above)))}]"  # as JSON


def binding(session: Session) -> Put:
    """The change that binds a conversation to whose it is, for good, if it is not bound yet."""
    return Put(binding_key(session), named(session).encode("utf-8", "surrogatepass"), 0)


def bound(kept: bytes) -> str:
    """Whose a conversation is, as a store kept it; raises `Unavailable` where that can't be read."""
    try:
        return kept.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Unavailable(f"what the store kept is no binding: {error}") from error
