"""Keeps records as the rows of a store, one chain a tenant: each is read and verified without the others."""

from __future__ import annotations

from random import random
from time import sleep

from gateway.chain import START, Anchor, Head, chained, hashed, read_line
from gateway.record import Record, Unrecorded
from gateway.recorders.anchors import Anchors
from gateway.state import Append, Key, Kind, Lost, Store, Unavailable, key

NAME = "decisions"
_ATTEMPTS = 200
_PAUSE = 0.002


class StoreRecorder:
    """Adds a row for each record behind the tenant's last; processes that add at once take turns by its number.

    What no tenant is known for (a reload, a session without one) is in the log of the tenant `""`.
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
        place = log_key(record.tenant, self._name)
        text = record.text
        head = self._heads.get(record.tenant)
        try:
            for _ in range(_ATTEMPTS):
                if head is None:
                    head = _last(self._store, place)
                line, after = chained(head, text)
                try:
                    self._store.apply([Append(place, line, after.number)])
                except Lost:
                    head = None
                    sleep(_PAUSE * random())  # noqa: S311  # so that those who compete don't keep step
                    continue
                self._remember(record.tenant, after)
                anchored = after.number == 1 or after.number % self._every == 0
                if anchored and self._anchors is not None:
                    self._anchors.put(Anchor(after.number, after.hash, record.at, record.tenant))
                return
        except Unavailable as error:
            self._heads.pop(record.tenant, None)
            raise Unrecorded(str(error)) from error
        raise Unrecorded("others keep adding rows")

    def _remember(self, tenant: str, head: Head) -> None:
        if len(self._heads) >= _MOST_TENANTS and tenant not in self._heads:
            self._heads.clear()
        self._heads[tenant] = head


_MOST_TENANTS = 1000


def log_key(tenant: str, name: str = NAME) -> Key:
    """Where a tenant's log is kept."""
    return key(tenant, Kind.RECORD, name)


def _last(store: Store, place: Key) -> Head:
    row = store.last(place)
    if row is None:
        return START
    if read_line(row.value) is None:
        raise Unavailable(f"row {row.number} of the log can't be read")
    return Head(row.number, hashed(row.value))
