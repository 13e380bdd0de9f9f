"""Keeps records as the rows of a store, one chain a tenant: each is read and verified without the others."""

from __future__ import annotations

from collections.abc import Sequence
from random import random
from time import sleep

from gateway.chain import START, Anchor, Head, chained, hashed, read_line
from gateway.record import Record, Unanchored, Unrecorded
from gateway.recorders.anchors import Anchors
from gateway.state import Append, Change, Key, Kind, Lost, Store, Unavailable, key

NAME = "decisions"
_ATTEMPTS = 200
_PAUSE = 0.002


class StoreRecorder:
    """Adds a row for each record behind the tenant's last; processes that add at once take turns by its number.

    What no tenant is known for (a reload, a session without one) is in the log of the tenant `""`. Where it is given
    the store object that the gateway has, a decision and its record are kept together or not at all.
    """

    def __init__(
        self, store: Store, name: str = NAME, *, anchors: Anchors | None = None, every: int = 1000
    ) -> None:
        self._store = store
        self._name = name
        self._anchors = anchors
        self._every = every
        self._heads: dict[str, Head] = {}

    def record(self, record: Record) -> None:
        """Add a row; raises `Unrecorded`."""
        try:
            self.record_with(record, ())
        except Unavailable as error:
            raise Unrecorded(str(error)) from error

    def joins(self, store: Store) -> bool:
        """Whether the rows are in this very store."""
        return store is self._store

    def record_with(self, record: Record, changes: Sequence[Change]) -> None:
        """Add a row and make the changes, at once; raises as `Joining` says."""
        place = log_key(record.tenant, self._name)
        text = record.text
        head = self._heads.get(record.tenant)
        for _ in range(_ATTEMPTS):
            if head is None:
                head = self._last(place)
            line, after = chained(head, text)
            try:
                self._store.apply([*changes, Append(place, line, after.number)])
            except Lost as lost:
                if lost.change.key != place:
                    raise
                head = None
                sleep(_PAUSE * random())  # noqa: S311  # so that those who compete don't keep step
                continue
            except Unavailable:
                self._heads.pop(record.tenant, None)
                raise
            self._remember(record.tenant, after)
            self._anchor(after, record)
            return
        raise Unrecorded("others keep adding rows")

    def _last(self, place: Key) -> Head:
        row = self._store.last(place)
        if row is None:
            return START
        if read_line(row.value) is None:
            raise Unrecorded(f"row {row.number} of the log can't be read")
        return Head(row.number, hashed(row.value))

    def _anchor(self, head: Head, record: Record) -> None:
        if self._anchors is None or (head.number != 1 and head.number % self._every):
            return
        try:
            self._anchors.put(Anchor(head.number, head.hash, record.at, record.tenant))
        except Unrecorded as error:
            raise Unanchored(str(error)) from error

    def _remember(self, tenant: str, head: Head) -> None:
        if len(self._heads) >= _MOST_TENANTS and tenant not in self._heads:
            self._heads.clear()
        self._heads[tenant] = head


_MOST_TENANTS = 1000


def log_key(tenant: str, name: str = NAME) -> Key:
    """Where a tenant's log is kept."""
    return key(tenant, Kind.RECORD, name)
