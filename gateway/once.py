"""What exists already: which call did what a tool's `idempotency_key` names, whatever that call's id was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gateway.canonical import digest
from gateway.frozen import frozen
from gateway.journal import Entered, Progress
from gateway.state import Change, Delete, Entry, Key, Kind, Put, key

KEPT_DONE = 366 * 24 * 3600 * 1_000_000
"""How long it is known that something was done, in microseconds: a year, as long as a conversation's owner."""


@frozen
class Done:
    """Which call did it or is at it, by the id that questions about it have, and when that was noted."""

    by: str
    at: int
    ended: bool

    def put(self, place: Key, version: int) -> Put:
        """The change that notes it, if what is noted is still what was read."""
        value = json.dumps({"by": self.by, "at": self.at, "ended": self.ended}).encode()
        return Put(place, value, version, self.at + KEPT_DONE)

    @classmethod
    def of(cls, kept: bytes) -> Done | None:
        """What a store kept; None where that can't be read: it is then not there, and never the same."""
        try:
            made = cls(**json.loads(kept))
        except (ValueError, TypeError, RecursionError):
            return None
        known = type(made.by) is str and type(made.at) is int and type(made.ended) is bool
        return made if known else None


def done_key(tenant: str, tool: str, template: str, values: list[Any]) -> Key:
    """Where it is noted who did what the values stand for; the values themselves are not told."""
    return key(tenant, Kind.DONE, digest([tool, template, values]))


def claimed(tenant: str, entered: Entered) -> tuple[Key, ...]:
    """Where it is noted what a call is at."""
    return tuple(Key(tenant, Kind.DONE, name) for name in entered.claims)


def settled(
    entries: Mapping[Key, Entry], places: tuple[Key, ...], by: str, ended: Entered
) -> tuple[Change, ...]:
    """What is noted of the things that a call was at when it has ended; what failed was not done."""
    changes: list[Change] = []
    for place in places:
        kept = entries.get(place)
        done = None if kept is None else Done.of(kept.value)
        if kept is None or done is None or done.by != by:
            continue  # another call has been let do it since
        if ended.progress is Progress.FAILED:
            changes.append(Delete(place, kept.version))
        else:
            changes.append(Done(by, ended.at, ended=True).put(place, kept.version))
    return tuple(changes)
