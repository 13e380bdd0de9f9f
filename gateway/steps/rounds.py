"""Rounds that bring nothing new: answers of the model whose calls all gave what was empty or known before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from gateway.call import ToolCall
from gateway.decision import Code
from gateway.frozen import frozen
from gateway.results.form import text_of
from gateway.state import KEPT, Change, Key, Put, State, Unavailable
from gateway.steps.arguments import selects
from gateway.steps.deciding import Deciding
from gateway.steps.places import kept_at, place_of, step_of

if TYPE_CHECKING:
    from gateway.results.review import Review

_MOST_SEEN = 200
"""So many results of a turn are known again, those that came last."""
_EMPTY = frozenset({"", "null", "[]", "{}", '""'})


@frozen
class Rounds:
    """What the results of a turn were, and how many rounds in a row before the present one brought nothing new."""

    seen: tuple[str, ...] = ()
    present: int | str | None = None
    news: bool = False
    """Whether the present round brought something new."""
    empty: int = 0

    @classmethod
    def at(cls, state: State, place: Key) -> tuple[Rounds, int]:
        """What was noted, and its version; raises `Unavailable` where it can't be read."""
        kept, version = kept_at(state, place, {"seen": list, "news": bool, "empty": int})
        if not kept:
            return cls(), version
        present = kept.get("present")
        if not isinstance(present, int | str):
            raise Unavailable("what the store kept is no count")
        return cls(tuple(map(str, kept["seen"])), present, kept["news"], kept["empty"]), version

    def empty_before(self, own: int | str) -> int:
        """How many rounds in a row, up to the one before it, brought nothing new."""
        if self.present is None or self.present == own:
            return self.empty
        return 0 if self.news else self.empty + 1

    def with_result(self, own: int | str, digest: str | None) -> Rounds:
        """What is noted once a result of a round is there; without a digest it brought nothing."""
        new = digest is not None and digest not in self.seen
        seen = (*self.seen, digest)[-_MOST_SEEN:] if new and digest is not None else self.seen
        if isinstance(own, int) and isinstance(self.present, int) and own < self.present:
            return replace(self, seen=seen, empty=0 if new else self.empty)  # it comes late
        news = new or (self.news and own == self.present)
        return Rounds(seen, own, news, self.empty_before(own))

    def packed(self) -> bytes:
        """As a store keeps it."""
        values = {"seen": self.seen, "present": self.present, "news": self.news, "empty": self.empty}
        return json.dumps(values).encode()


def brought(call: ToolCall, chain: Iterator[Deciding], review: Review) -> tuple[Change, ...]:
    """What a result changes in the limits that look at rounds, for the call and those that are wrapped in it."""
    changes: dict[Key, Change] = {}
    digest = _digest(review)
    for ctx in chain:
        if ctx.tool is None:
            break
        for limit in ctx.tool.limits:
            if limit.code is not Code.NOTHING_NEW or not selects(limit.selector, ctx.session):
                continue
            place = place_of(limit, ctx, None)
            if place not in changes:
                rounds, version = Rounds.at(ctx.facts.read((place,)), place)
                value = rounds.with_result(step_of(call, ctx.session), digest).packed()
                changes[place] = Put(place, value, version, ctx.facts.moment + KEPT)
    return tuple(changes.values())


def _digest(review: Review) -> str | None:
    """What tells a result apart; None where it is empty, or nothing of it is shown."""
    text = "" if review.withheld else text_of(review.full).strip()
    return None if text in _EMPTY else sha256(text.encode("utf-8", "replace")).hexdigest()[:20]
