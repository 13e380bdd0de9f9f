"""What exists already: which call did what a tool's `idempotency_key` names, whatever that call's id was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gateway.canonical import digest
from gateway.frozen import frozen
from gateway.journal import Entered, Progress
from gateway.state import LATEST, Change, Delete, Entry, Key, Kind, Put, Unavailable, key

KEPT_DONE = 366 * 24 * 3600 * 1_000_000
"""How long it is known that something was done, in microseconds: a year."""


@frozen
class Done:
    """Which call did it or is at it, by the id that questions about it have, and when that was noted."""

    by: str
    at: int
    ended: bool


@frozen
class Noted:
    """Who did it or is at it: the one that was let do it last at the end, and before it what matters if that fails."""

    all: tuple[Done, ...]

    @property
    def last(self) -> Done:
        """The one that was let do it last."""
        return self.all[-1]

    @property
    def surest(self) -> Done:
        """One that has ended, or else the last."""
        return next((one for one in reversed(self.all) if one.ended), self.last)

    def followed_by(self, done: Done) -> Noted:
        """What is noted when one is let do it: where it was done already, the rest matters no more.

        One that was at it before and comes again may have done it the first time.
        """
        others = [one for one in self.all if one.by != done.by]
        before = [one for one in self.all if one.by == done.by][:1]
        ended = [one for one in self.all if one.ended]
        return Noted((*(ended[-1:] or (*before, *others)), done))

    def completed(self, by: str, at: int) -> Noted:
        """What is noted when one of them has done it."""
        return Noted(tuple(replace(one, at=at, ended=True) if one.by == by else one for one in self.all))

    def failed(self, by: str) -> Noted | None:
        """What is noted when one of them has failed, which was not done; None where it was the only one."""
        places = [place for place, one in enumerate(self.all) if one.by == by]
        if not places:
            return self
        kept = (*self.all[: places[-1]], *self.all[places[-1] + 1 :])
        return Noted(kept) if kept else None

    def put(self, place: Key, version: int) -> Put:
        """The change that notes it, if what is noted is still what was read."""
        value = [{"by": one.by, "at": one.at, "ended": one.ended} for one in self.all]
        latest = max(one.at for one in self.all)
        return Put(place, json.dumps(value).encode(), version, latest + KEPT_DONE)

    @classmethod
    def of(cls, kept: bytes) -> Noted:
        """What a store kept; raises `Unavailable` where that can't be read."""
        try:
            made = cls(tuple(Done(**one) for one in json.loads(kept)))
        except (ValueError, TypeError, RecursionError) as error:
            raise Unavailable(f"what the store kept does not tell what was done: {error}") from error
        if not made.all or not all(map(_is_typed, made.all)):
            raise Unavailable("what the store kept does not tell what was done")
        return made


def _is_typed(done: Done) -> bool:
    known = type(done.by) is str and type(done.at) is int and type(done.ended) is bool
    return known and 0 <= done.at <= LATEST


def done_key(tenant: str, tool: str, template: str, values: list[Any]) -> Key:
    """Where it is noted who did what the values stand for; the values themselves are not told."""
    return key(tenant, Kind.DONE, digest([tool, template, values]))


def claimed(tenant: str, entered: Entered) -> tuple[Key, ...]:
    """Where it is noted what a call is at."""
    return tuple(Key(tenant, Kind.DONE, name) for name in entered.claims)


def settled(
    entries: Mapping[Key, Entry], places: tuple[Key, ...], by: str, ended: Entered
) -> tuple[Change, ...]:
    """What is noted of the things that a call was at when it has ended; raises `Unavailable`."""
    changes: list[Change] = []
    for place in places:
        kept = entries.get(place)
        if kept is None:
            continue
        before = Noted.of(kept.value)
        after = before.failed(by) if ended.progress is Progress.FAILED else before.completed(by, ended.at)
        if after is None:
            changes.append(Delete(place, kept.version))
        elif after != before:
            changes.append(after.put(place, kept.version))
    return tuple(changes)
