"""What is remembered between calls: what can be asked of a store, and how it is changed.

A store keeps entries (a value by its key), counts (when how much of something happened) and rows (lines of a log,
numbered from 1). Every key belongs to one tenant. Changes are data: all of one `apply` are made, or none. Times are
microseconds since 1970, UTC, as the caller's clock tells them; a store has no clock.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from gateway.frozen import frozen

KEPT = 30 * 24 * 3600 * 1_000_000
"""How long what became of a call is kept after it last changed, in microseconds: 30 days."""
LATEST = 253_402_300_799_999_999
"""The last moment that can be written as a date, in microseconds: the end of the year 9999."""
LONGEST_NAME = 400
LONGEST = 1_000
"""The longest tenant and name that a store holds, in bytes of UTF-8: of longer ones it says `Unavailable`."""


class Kind(Enum):
    """What an entry, a count or a row is there for."""

    JOURNAL = "journal"
    RESULT = "result"
    DONE = "done"
    APPROVAL = "approval"
    PLAN = "plan"
    LIMIT = "limit"
    OVERRIDE = "override"
    SESSION = "session"
    RECORD = "record"
    AUDIT = "audit"

    __hash__ = object.__hash__  # each is there once, and `Enum` would hash its name each time


WATCHED = frozenset({Kind.APPROVAL, Kind.OVERRIDE})
"""Kinds whose entries are kept by those who read them, until their `generation` is another one."""


class Key(NamedTuple):
    """What something is found by: it can't be asked for without its tenant."""

    tenant: str
    kind: Kind
    name: str


def key(tenant: str, kind: Kind, *parts: str) -> Key:
    """The key of something that several words tell apart; other words never make the same one."""
    name = f"[{','.join(map(_quoted, parts))}]"  # as JSON
    # Two lone surrogates are not the character that they would be together: JSON's escapes make them one, bytes don't.
    encoded = name.encode("utf-8", "surrogatepass")
    if len(encoded) > LONGEST_NAME:
        name = hashlib.sha256(encoded).hexdigest()
    return Key(tenant, kind, name)


_quoted = json.encoder.encode_basestring


class Window(NamedTuple):
    """How much was counted under a key after a moment."""

    key: Key
    after: int


@frozen
class Entry:
    """A value, and its version: 1 when it was first put (or again after it went), one more each time it is put."""

    value: bytes
    version: int


@frozen
class Row:
    """A line of a log, and its number."""

    number: int
    value: bytes


@frozen
class Piece:
    """A part of a value, and how long the whole is, in bytes."""

    value: bytes
    total: int


@frozen
class State:
    """What a store held at one moment; what is not in `entries` was not there."""

    entries: Mapping[Key, Entry]
    totals: Mapping[Window, int]


EMPTY = State({}, {})


@frozen
class Put:
    """Set an entry, if its version is the expected one: 0 where there is none yet, None whatever there is.

    After `expires` it may be swept away.
    """

    key: Key
    value: bytes
    expected: int | None
    expires: int | None = None


@frozen
class Delete:
    """Remove an entry, if its version is the expected one."""

    key: Key
    expected: int


@frozen
class Count:
    """Count an amount at a moment, if with it no more than `most` is counted after `at - window`.

    That is how limits stay exact however many processes count at once. What is counted at one moment adds up.
    """

    key: Key
    at: int
    amount: int
    window: int
    most: int


@frozen
class Append:
    """Add a row, if its number is the expected one; None whatever it is."""

    key: Key
    value: bytes
    expected: int | None


Change = Put | Delete | Count | Append


class Lost(Exception):
    """A change was not made, as what it expects is not so (any more): nothing of the same `apply` was."""

    def __init__(self, change: Change) -> None:
        super().__init__(change)
        self.change = change


class Unavailable(Exception):
    """A store can't be reached or can't answer; of an `apply` that failed so it is not known whether it was made."""


class Store(Protocol):
    """Remembers; several threads and, but for the one in memory, several processes may use one at once.

    Every method raises `Unavailable`, and nothing else, where it can't answer.
    """

    @property
    def files(self) -> tuple[str, ...]:
        """The files of this machine that hold it: no agent may change or read them."""
        ...

    def read(self, keys: Sequence[Key | Window]) -> State:
        """What is held under the keys, all at one moment."""
        ...

    def apply(self, changes: Sequence[Change]) -> None:
        """Make all changes at once and for good; raises `Lost` where one can't be made."""
        ...

    def piece(self, key: Key, offset: int, limit: int) -> Piece | None:
        """A part of an entry's value; None where there is no entry."""
        ...

    def listed(self, tenant: str, kind: Kind, after: str, limit: int) -> Sequence[tuple[Key, Entry]]:
        """The entries of a kind by name, from the first behind `after` on (`""`: from the start)."""
        ...

    def counted(self, window: Window, limit: int) -> Sequence[tuple[int, int]]:
        """The counts behind a window's total, oldest first: when, and how much."""
        ...

    def rows(self, key: Key, after: int, limit: int) -> Sequence[Row]:
        """The rows behind a number, in order."""
        ...

    def last(self, key: Key) -> Row | None:
        """The row that was added last."""
        ...

    def generation(self, tenant: str, kind: Kind) -> int:
        """A number that is another one after entries of the kind, one of `WATCHED`, were changed; quick to ask for.

        It shows changes that were made through this store at once, and others within a bound that the store states.
        """
        ...

    def sweep(self, now: int, limit: int) -> int:
        """Remove entries that have expired and counts that no window reaches any more; how many went."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
