"""Approvals: what a person was asked about one very call, what they answered, and what that still grants."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gateway.frozen import frozen
from gateway.journal import names_of
from gateway.state import LATEST, Key, Kind

if TYPE_CHECKING:
    from gateway.call import ToolCall
    from gateway.session import Session

LONGEST_SHOWN = 100_000
"""How much of a call can be shown to whoever is asked, in characters: what is longer can't be approved."""


class Status(Enum):
    """How a request stands; only an approved one grants anything, once."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    EXPIRED = "expired"
    USED = "used"


@frozen
class Given:
    """One person's agreement: who, in which roles, and when."""

    by: str
    roles: frozenset[str]
    at: int


@frozen
class Request:
    """What somebody was asked: the very call, the reasons, the demands on who answers; then the answers.

    It is about these arguments and reasons alone. `number` counts the requests about one call: a later one takes the
    place of an earlier one, whose answer then counts no more. Times are microseconds since 1970.
    """

    about: str
    """The call that it is about, as the id of each request about it begins."""
    number: int
    status: Status
    subject: str
    session: str
    """The conversation, which for a sub-agent's call is the one at the top."""
    turn: str
    agent: str
    call_id: str
    tool: str
    iteration: int | None
    prompt: str
    reasons: tuple[str, ...]
    demands: tuple[Mapping[str, Any], ...]
    arguments: Mapping[str, Any]
    """As they may be shown."""
    final: str
    """The digest of the arguments that would run."""
    fingerprint: str
    """The digest of what is declared of the tool."""
    asked: int
    expires: int | None = None
    use_within: int | None = None
    """How long an approval counts, in microseconds."""
    given: tuple[Given, ...] = ()
    reason: str = ""
    """Why it was rejected; the model reads it."""
    rejected_by: str = ""
    child: str = ""
    """Which sub-agent of the conversation asks; nothing for itself."""

    @property
    def names(self) -> tuple[str, ...]:
        """What tells the call apart, as the journal does."""
        names = (self.subject, self.session, self.turn, self.call_id)
        return (*names, self.child) if self.child else names

    @property
    def id(self) -> str:
        """What the request is called, by whoever answers it too: a later one about the same call has another id."""
        return f"{self.about}-{self.number}"

    @property
    def whole(self) -> bool:
        """Whether all of the call can be shown: only then it can be approved."""
        return len(json.dumps(self.arguments)) <= LONGEST_SHOWN

    def same_question(self, other: Request) -> bool:
        """Whether another request asks just the same."""
        return (self.final, self.fingerprint, self.tool, self.reasons, self.demands) == (
            other.final,
            other.fingerprint,
            other.tool,
            other.reasons,
            other.demands,
        )

    def covers(self, final: str, fingerprint: str, reasons: Iterable[str]) -> bool:
        """Whether it was asked about these arguments of this tool, for these reasons among others."""
        return self.final == final and self.fingerprint == fingerprint and set(reasons) <= set(self.reasons)

    def open_at(self, moment: int) -> bool:
        """Whether it waits for an answer; one that a clock far ahead asked does not when that is right again."""
        if self.status is not Status.PENDING or self.expires is None:
            return self.status is Status.PENDING
        return abs(moment - self.asked) <= self.expires - self.asked

    def usable_at(self, moment: int) -> bool:
        """Whether what was approved may still be used; a clock that was far ahead then makes that no longer."""
        if self.status is not Status.APPROVED or not self.given:
            return False
        return self.use_within is None or abs(moment - self.given[-1].at) <= self.use_within

    def packed(self) -> bytes:
        """The request as a store keeps it."""
        values = {name: getattr(self, name) for name in _NAMES}
        values["status"] = self.status.value
        values["given"] = [{"by": one.by, "roles": sorted(one.roles), "at": one.at} for one in self.given]
        return json.dumps(values).encode()

    @classmethod
    def of(cls, kept: bytes) -> Request:
        """A request that a store kept; `ValueError` where it is none."""
        try:
            values: dict[str, Any] = json.loads(kept)
            values["status"] = Status(values["status"])
            values["given"] = tuple(
                Given(one["by"], frozenset(one["roles"]), one["at"]) for one in values["given"]
            )
            values["reasons"], values["demands"] = tuple(values["reasons"]), tuple(values["demands"])
            made = cls(**values)
            if not (_is_typed(made) and _has_dates(made) and all(map(_is_demand, made.demands))):
                raise TypeError("a value of it is of another kind")
            return made
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"what the store kept is no approval request: {error}") from None


_NAMES = tuple(Request.__dataclass_fields__)
_TEXTS = (
    "about",
    "subject",
    "session",
    "turn",
    "agent",
    "call_id",
    "child",
    "tool",
    "prompt",
    "final",
    "fingerprint",
    "reason",
)
_TYPES: Mapping[str, Any] = {
    **dict.fromkeys((*_TEXTS, "rejected_by"), str),
    "number": int,
    "iteration": int | None,
    "arguments": dict,
}


def _is_typed(made: Request) -> bool:
    texts = (*made.reasons, *(text for one in made.given for text in (one.by, *one.roles)))
    return all(isinstance(text, str) for text in texts) and all(
        isinstance(getattr(made, name), kind) and not isinstance(getattr(made, name), bool)
        for name, kind in _TYPES.items()
    )


def _has_dates(made: Request) -> bool:
    moments = (made.asked, made.expires, made.use_within, *(one.at for one in made.given))
    return all(at is None or (type(at) is int and 0 <= at <= LATEST) for at in moments)


def _is_demand(demand: object) -> bool:
    if not isinstance(demand, dict) or not isinstance(demand.get("not_self", False), bool):
        return False
    by = demand.get("by") or []
    return isinstance(by, list) and all(isinstance(role, str) for role in by)


def about(call: ToolCall, session: Session) -> str:
    """What the ids of requests about a call begin with, before their number."""
    names = json.dumps(names_of(call, session), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return "a-" + sha256(names).hexdigest()[:32]


def approval_key(tenant: str, name: str) -> Key:
    """Where the request of an id stands."""
    return Key(tenant, Kind.APPROVAL, name)


def unmet(
    demands: Iterable[Mapping[str, Any]], given: Iterable[Given], subject: str
) -> list[Mapping[str, Any]]:
    """The demands that none of those who agreed meets."""
    people = tuple(given)
    return [demand for demand in demands if not any(accepts(demand, one, subject) for one in people)]


def accepts(demand: Mapping[str, Any], one: Given, subject: str) -> bool:
    """Whether somebody may agree, by the roles that are named and by who it is about."""
    by = demand.get("by")
    if by and one.roles.isdisjoint(by):
        return False
    return not (demand.get("not_self") and one.by == subject)
