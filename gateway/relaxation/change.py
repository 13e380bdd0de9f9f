"""One thing that differs between two policies: in which direction, and what that means."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import Any

Values = Mapping[str, Any]
"""What a part of a policy says, by key, as plain JSON values; a key that is missing was not written."""


class Direction(Enum):
    """Whether some call gets a more permissive answer, or a protection is weaker, after a change."""

    RELAXED = "relaxed"
    LOOSER = "looser"
    """Written more permissively, but of the calls that were tried none is decided so: something else may hold it."""
    TIGHTENED = "tightened"
    OTHER = "other"
    """Neither is known: a text that decides nothing, or a change that nobody has judged."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on one key: `meaning` is a sentence, `enforced` says whether any decision can differ by it."""

    direction: Direction
    meaning: str
    enforced: bool = True


Judge = Callable[[Values, Values], Judged | None]
"""Looks at one key of the values before and after; None where it says the same."""


@dataclass(frozen=True, slots=True)
class Change:
    """A judged difference; `item` names it in the same words in every run, such as `tools.pay.permissions`."""

    item: str
    direction: Direction
    meaning: str
    enforced: bool
    old: Any
    new: Any

    @property
    def relaxed(self) -> bool:
        """Whether somebody has to confirm it."""
        return self.direction in (Direction.RELAXED, Direction.LOOSER)

    @property
    def unproved(self) -> bool:
        """Whether some decision can differ by it and nobody knows in which direction."""
        return self.direction is Direction.OTHER and self.enforced

    @property
    def digest(self) -> str:
        """What a confirmation of exactly this change names."""
        return digest_of([self.item, self.old, self.new])


def item_of(*names: str) -> str:
    """The name of a part in items; one that holds what separates names stands in quotes, so that no two are alike."""
    return ".".join(
        json.dumps(name, ensure_ascii=False) if _SEPARATING & set(name) else name for name in names
    )


_SEPARATING = frozenset('."[]')


def digest_of(value: object) -> str:
    """The digest of a JSON value, the same however its objects are ordered."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


def relaxed(meaning: str, *, enforced: bool = True) -> Judged:
    """A change after which something is more permissive."""
    return Judged(Direction.RELAXED, meaning, enforced)


def tightened(meaning: str, *, enforced: bool = True) -> Judged:
    """A change after which nothing is more permissive and something is stricter."""
    return Judged(Direction.TIGHTENED, meaning, enforced)


def other(meaning: str, *, enforced: bool) -> Judged:
    """A change without a known direction; one that is not enforced is a matter of words."""
    return Judged(Direction.OTHER, meaning, enforced)


def label(what: str) -> Judge:
    """The judge of a text or value that is shown and decides nothing."""

    def judge(old: Values, new: Values) -> Judged:
        return other(f"{what} differs", enforced=False)

    return judge


def context(old: Values, new: Values) -> None:
    """The judge of what other judges have to know: it is no difference of its own."""


def moved(old: Values, new: Values, key: str) -> tuple[list[str], list[str]]:
    """What a list lost and what it gained."""
    sides = [{digest_of(each): each for each in side.get(key) or []} for side in (old, new)]
    before, after = sides
    return (
        [each for digest, each in before.items() if digest not in after],
        [each for digest, each in after.items() if digest not in before],
    )


_MOST_NAMED = 8


def named(names: object) -> str:
    """Names in a sentence, each in backticks; of many, and of long ones, the first."""
    listed = list(names) if isinstance(names, list | tuple | set | frozenset) else [names]
    first = ", ".join(f"`{shortened(_shown(name))}`" for name in listed[:_MOST_NAMED])
    more = len(listed) - _MOST_NAMED
    return f"{first} and {more} more" if more > 0 else first


def _shown(name: object) -> str:
    return name if isinstance(name, str) else json.dumps(name, default=str)


def shortened(text: str) -> str:
    """A text of somebody's own in a sentence, cut where it is long."""
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


_MOST_SHOWN = 100


def are(names: Sequence[str]) -> str:
    """Names in a sentence with the verb that they need."""
    return f"{named(names)} {'is' if len(names) == 1 else 'are'}"
