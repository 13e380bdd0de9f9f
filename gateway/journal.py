"""The journal: what became of each call, so that none runs twice because somebody asks twice.

An entry is found by the call's id within its conversation. It is STARTED from the moment that a call may run, and
COMPLETED or FAILED when its result was seen; one that stays STARTED ran, or did not, and nobody knows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall
from gateway.frozen import frozen
from gateway.lineage import below_root, chain, root_of
from gateway.state import LATEST, Key, Kind, key

if TYPE_CHECKING:
    from gateway.results.review import Review
    from gateway.session import Session

_quoted = json.encoder.encode_basestring_ascii


class Progress(Enum):
    """How far a call has come."""

    STARTED = "started"
    COMPLETED = "completed"
    FAILED = "failed"


@frozen
class Entered:
    """An entry: the call's tool and digests, under which decision it runs, and when what happened."""

    progress: Progress
    tool: str
    raw: str
    """The digest of the arguments as the model wrote them: by it the same call is known again."""
    final: str
    """The digest of the arguments that it runs with."""
    decision: str
    at: int
    """When it last changed, in microseconds since 1970."""
    attempt: int = 1
    claims: tuple[str, ...] = ()
    """Where it is noted that this call does what the `idempotency_key` of its tool names."""

    def packed(self) -> bytes:
        """The entry as a store keeps it."""
        # As JSON; it is written for each call that runs.
        return (
            f'{{"progress": "{self.progress.value}", "tool": {_quoted(self.tool)}, "raw": {_quoted(self.raw)}, '
            f'"final": {_quoted(self.final)}, "decision": {_quoted(self.decision)}, "at": {self.at}, '
            f'"attempt": {self.attempt}, "claims": [{", ".join(map(_quoted, self.claims))}]}}'
        ).encode()

    @classmethod
    def of(cls, kept: bytes) -> Entered:
        """An entry that a store kept; `ValueError` where it is none."""
        try:
            values: dict[str, Any] = json.loads(kept)
            progress, claims = Progress(values["progress"]), tuple(values.get("claims", ()))
            made = cls(**{**values, "progress": progress, "claims": claims})
            texts, numbers = (
                (made.tool, made.raw, made.final, made.decision, *claims),
                (made.at, made.attempt),
            )
            if not all(type(one) is str for one in texts) or not all(type(one) is int for one in numbers):
                raise TypeError("a value of it has another type")
            if not 0 <= made.at <= LATEST:
                raise TypeError("it has no date")
            return made
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"what the store kept is no entry of the journal: {error}") from None


def names_of(call: ToolCall, session: Session) -> tuple[str, ...]:
    """What tells a call apart among all of its tenant.

    Who asks, the conversation, the turn's id if any, the call's, and which sub-agent's it is, if it is one's: models of
    several of them may give their calls the same ids.
    """
    names = (*conversation_of(session), call.id)
    return names if session.parent is None else (*names, below_root(session))


def conversation_of(session: Session) -> tuple[str, str, str]:
    """Who asks, the conversation, and the turn's id if any."""
    subject = session.subject.id if session.subject is not None else ""
    return subject, root_of(session).id, turn_of(session)


def turn_of(session: Session) -> str:
    """The id of a session's turn, a text or a whole number; nothing where it has none."""
    turn = session.turn.get("id")
    return turn if isinstance(turn, str) else str(turn) if type(turn) is int else ""


def journal_key(call: ToolCall, session: Session) -> Key:
    """Where the journal's entry of a call stands."""
    return key(session.tenant or "", Kind.JOURNAL, *names_of(call, session))


def result_key(call: ToolCall, session: Session) -> Key:
    """Where the result of a call is kept."""
    return key(session.tenant or "", Kind.RESULT, *names_of(call, session))


def whole_key(call: ToolCall, session: Session) -> Key:
    """Where all of a result is kept that the model was not shown all of."""
    return key(session.tenant or "", Kind.RESULT, *names_of(call, session), "whole")


def kept_review(review: Review) -> bytes:
    """What is kept of a call's result: what may be shown of it."""
    values = {
        "text": review.text,
        "result": review.result,
        "is_error": review.is_error,
        "message": review.message,
    }
    return json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")


def known_again(call: ToolCall | Mapping[str, Any], session: Session) -> bool:
    """Whether the host gave the call and its conversation ids, by which the same call is known when it comes again."""
    given = call.id if isinstance(call, ToolCall) else call.get("id")
    return bool(given) and all(one.id for one in chain(session))
