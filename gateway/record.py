"""One line of the decision log: what was decided, what came of a call, who answered, and what was reloaded.

Nothing in a record is a value that a schema marks as sensitive, a secret that detectors know, or the text of a policy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.state import Change, Store

LONGEST_ARGUMENTS = 4_096
"""Arguments that are written with more characters are left out; their digest and their length stay."""


class RecordKind(Enum):
    """What a record is about."""

    DECISION = "decision"
    """`before`, or `before_unlisted`, answered."""
    PLAN = "plan"
    """A call of a plan: `request` is the plan's question, empty where nobody is asked; nothing is let run by it."""
    ENTRY = "entry"
    """A conversation was refused before any call."""
    RESULT = "result"
    """`after` answered."""
    APPROVAL = "approval"
    """Somebody answers a request; it is written before the answer counts."""
    TRIAL = "trial"
    """Somebody tries a call without a model; it is written before the call is decided."""
    RELOAD = "reload"
    """The policies are read again; it is written before the new ones are served."""
    TORN = "torn"
    """The log itself tells that an unfinished line stands before this one."""


@frozen
class Held:
    """A finding without its words."""

    effect: str
    code: str
    rule: str | None = None


@frozen
class Record:
    """One line of the decision log; what is empty is not written.

    `id` is the decision's or the review's. Times are microseconds since 1970, durations microseconds: `took` is what
    the gateway needed, `ran` how long the call itself took, where one process saw both its ends.
    """

    kind: RecordKind
    at: int
    id: str = ""
    tenant: str = ""
    subject: str = ""
    session: str = ""
    root: str = ""
    """Of a sub-agent: the conversation at the top."""
    agent: str = ""
    turn: str = ""
    call: str = ""
    iteration: int | None = None
    tool: str = ""
    decision: str = ""
    """Of a result: the decision that let the call run, where it is known."""
    arguments: Mapping[str, Any] | None = None
    length: int | None = None
    """How many characters the arguments are written with, where they are left out as too long."""
    digest: str = ""
    """The keyed digest of the arguments as the model wrote them; empty where the log has no key."""
    hidden: int = 0
    """How many parts of the arguments are hidden."""
    effect: str = ""
    code: str = ""
    rule: str | None = None
    basis: str = ""
    findings: tuple[Held, ...] = ()
    monitored: tuple[Held, ...] = ()
    errors: tuple[str, ...] = ()
    policy: str = ""
    analysis: str = ""
    risk: str = ""
    given: int = 0
    """How many findings of its own the host held against the call."""
    request: str = ""
    """The question: that a decision asks, that an approval answers, or whose approval let the call run."""
    approved_by: tuple[str, ...] = ()
    """Of a decision that rests on an approval: who gave it."""
    verdict: str = ""
    is_error: bool = False
    truncated: bool = False
    redacted: Mapping[str, int] = field(default_factory=dict)
    before: str = ""
    """Of a reload: the digest of the policy that was in force."""
    changes: Mapping[str, int] = field(default_factory=dict)
    """Of a reload: how many of its changes relax, tighten or are something else."""
    reason: str = ""
    """Of a reload that relaxes: why whoever is named as its subject answers for that."""
    refused: bool = False
    """Of a reload or an answer: whether it was refused."""
    took: int | None = None
    ran: int | None = None
    output: str = ""
    """Of a result: the beginning of what may be shown of it, where the log keeps that."""

    def json(self) -> dict[str, Any]:
        """The record as a JSON object, without what is empty."""
        found: dict[str, Any] = {}
        for one in _FIELDS:
            value = getattr(self, one)
            # Arguments that are there and empty say something.
            if value or (value is not None and one in _ALSO_EMPTY):
                found[one] = value
        found["kind"] = self.kind.value
        found["at"] = written_time(self.at)
        for name in ("findings", "monitored"):
            if name in found:
                found[name] = [_held_json(held) for held in found[name]]
        return found

    @property
    def text(self) -> str:
        """The record as one line of ASCII."""
        return _WRITTEN(self.json())


_FIELDS = tuple(one.name for one in fields(Record))
_ALSO_EMPTY = frozenset({"arguments", "iteration", "took", "ran"})
_WRITTEN = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


def _held_json(held: Held) -> dict[str, str]:
    found = {"effect": held.effect, "code": held.code}
    return found if held.rule is None else {**found, "rule": held.rule}


def written_time(at: int) -> str:
    """A moment as people and programs read it, to the microsecond."""
    seconds, rest = divmod(at, 1_000_000)
    moment = datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


class Unrecorded(Exception):
    """A record could not be written; the message says why."""


class Unanchored(Unrecorded):
    """A record was written, and what should bear it out was not."""


class Recorder(Protocol):
    """Keeps records; several threads may use one at once."""

    def record(self, record: Record) -> None:
        """Keep a record for good, or raise `Unrecorded`; when this returns, what it says may happen."""
        ...


@runtime_checkable
class Joining(Recorder, Protocol):
    """A recorder that writes into a store: what is changed there can be changed with the record or not at all."""

    def joins(self, store: Store) -> bool:
        """Whether it writes into this very store."""
        ...

    def record_with(self, record: Record, changes: Sequence[Change]) -> None:
        """Keep a record and make other changes of the store at once; raises `Lost` and `Unavailable` as that does.

        `Unrecorded` where neither was done, and `Unanchored` where both were.
        """
        ...
