"""Rounds that bring nothing new: answers of the model whose calls all gave what was empty or known before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

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
    for ctx in chain:
        if ctx.tool is None:
            break
        digest = _digest(review, ctx.tool.arrays)
        for limit in ctx.tool.limits:
            if limit.code is not Code.NOTHING_NEW or not selects(limit.selector, ctx.session):
                continue
            place = place_of(limit, ctx, None)
            if place not in changes:
                rounds, version = Rounds.at(ctx.facts.read((place,)), place)
                value = rounds.with_result(step_of(call, ctx.session), digest).packed()
                changes[place] = Put(place, value, version, ctx.facts.moment + KEPT)
    return tuple(changes.values())


def _digest(review: Review, arrays: tuple[str, ...]) -> str | None:
    """What tells a result apart; None where it is empty, or nothing of it is shown."""
    text = "" if review.withheld else text_of(review.full).strip()
    return None if _is_empty(text, arrays) else sha256(text.encode("utf-8", "replace")).hexdigest()[:20]


def _is_empty(text: str, arrays: tuple[str, ...]) -> bool:
    """Whether a result holds nothing.

    Of a tool that declares the lists in its results (`result.arrays`) these alone say it, if all of them are there.
    """
    if not text or text[0] not in '[{"n':
        return not text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if isinstance(value, dict) and arrays and all(name in value for name in arrays):
        return not any(value[name] for name in arrays)
    return value == "" or (not isinstance(value, str) and _is_nothing(value))


def _is_nothing(value: Any) -> bool:
    """Whether there is no text and no element in a value; a number beside empty lists counts nothing if it is zero."""
    if isinstance(value, dict):
        return all(one == 0 or _is_nothing(one) for one in value.values())
    if isinstance(value, list):
        return all(map(_is_nothing, value))
    return value is None or value == ""
