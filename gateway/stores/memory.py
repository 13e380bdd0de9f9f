"""A store in the memory of one process: for tests, trials and programs that need nothing to outlive them."""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from threading import Lock

from gateway.state import (
    WATCHED,
    Append,
    Change,
    Count,
    Delete,
    Entry,
    Key,
    Kind,
    Lost,
    Piece,
    Put,
    Row,
    State,
    Unavailable,
    Window,
)
from gateway.stores.encoding import encoded, fitting, watched

_Undo = Callable[[], object]


class _Counts:
    """How much was counted at each moment, in their order, and from when on no window reaches it."""

    __slots__ = ("amounts", "moments", "until")

    def __init__(self) -> None:
        self.moments: list[int] = []
        self.amounts: list[int] = []
        self.until: list[int] = []

    def behind(self, moment: int) -> int:
        """Where those after a moment begin."""
        return bisect_right(self.moments, moment)

    def add(self, at: int, amount: int, until: int) -> _Undo:
        place = bisect_left(self.moments, at)
        if place < len(self.moments) and self.moments[place] == at:
            before = self.amounts[place], self.until[place]
            self._set(place, (before[0] + amount, max(before[1], until)))
            return lambda: self._set(place, before)
        self.moments.insert(place, at)
        self.amounts.insert(place, amount)
        self.until.insert(place, until)
        return lambda: self.remove(place)

    def remove(self, place: int) -> None:
        del self.moments[place], self.amounts[place], self.until[place]

    def _set(self, place: int, values: tuple[int, int]) -> None:
        self.amounts[place], self.until[place] = values


class MemoryStore:
    """Forgets all when its process ends; a process that is forked off can't use it, as it would remember alone."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = os.getpid()
        self._closed = False
        self._entries: dict[Key, tuple[Entry, int | None]] = {}
        self._counts: dict[Key, _Counts] = {}
        self._rows: dict[Key, list[bytes]] = {}
        self._generations: dict[tuple[str, Kind], int] = {}

    @property
    def files(self) -> tuple[str, ...]:
        """It has none."""
        return ()

    def read(self, keys: Sequence[Key | Window]) -> State:
        """What is held under the keys, all at one moment."""
        self._usable()
        for key in keys:
            _held(key.key if isinstance(key, Window) else key)
        entries: dict[Key, Entry] = {}
        totals: dict[Window, int] = {}
        with self._lock:
            for key in keys:
                if isinstance(key, Window):
                    totals[key] = self._total(key)
                elif (found := self._entries.get(key)) is not None:
                    entries[key] = found[0]
        return State(entries, totals)

    def apply(self, changes: Sequence[Change]) -> None:
        """Make all changes at once; raises `Lost` where one can't be made."""
        self._usable()
        for change in changes:
            _held(change.key)
        undo: list[_Undo] = []
        with self._lock:
            try:
                for change in changes:
                    undo.append(self._made(change))
            except BaseException:
                for back in reversed(undo):
                    back()
                raise
            for change in changes:
                if change.key.kind in WATCHED and isinstance(change, Put | Delete):
                    self._changed(change.key)

    def piece(self, key: Key, offset: int, limit: int) -> Piece | None:
        """A part of an entry's value; None where there is no entry."""
        self._usable()
        _held(key)
        found = self._entries.get(key)
        if found is None:
            return None
        value, start = found[0].value, max(offset, 0)
        return Piece(value[start : start + max(limit, 0)], len(value))

    def listed(self, tenant: str, kind: Kind, after: str, limit: int) -> Sequence[tuple[Key, Entry]]:
        """The entries of a kind by name, from the first behind `after` on."""
        self._usable()
        encoded(tenant), encoded(after)
        with self._lock:
            found = [
                (key, entry)
                for key, (entry, _) in self._entries.items()
                if key.tenant == tenant and key.kind is kind and key.name > after
            ]
        found.sort(key=lambda one: one[0].name)
        return found[: max(limit, 0)]

    def counted(self, window: Window, limit: int) -> Sequence[tuple[int, int]]:
        """The counts behind a window's total, oldest first."""
        self._usable()
        _held(window.key)
        with self._lock:
            if (counts := self._counts.get(window.key)) is None:
                return []
            start = counts.behind(window.after)
            part = slice(start, start + max(limit, 0))
            return list(zip(counts.moments[part], counts.amounts[part], strict=True))

    def rows(self, key: Key, after: int, limit: int) -> Sequence[Row]:
        """The rows behind a number, in order."""
        self._usable()
        _held(key)
        start = max(after, 0)
        with self._lock:
            found = self._rows.get(key, [])[start : start + max(limit, 0)]
        return [Row(number, value) for number, value in enumerate(found, start + 1)]

    def last(self, key: Key) -> Row | None:
        """The row that was added last."""
        self._usable()
        _held(key)
        with self._lock:
            rows = self._rows.get(key)
            return Row(len(rows), rows[-1]) if rows else None

    def generation(self, tenant: str, kind: Kind) -> int:
        """A number that is another one after entries of the kind were changed, at once."""
        watched(kind)
        self._usable()
        encoded(tenant)
        return self._generations.get((tenant, kind), 0)

    def sweep(self, now: int, limit: int) -> int:
        """Remove entries that have expired and counts that no window reaches any more; how many went."""
        self._usable()
        with self._lock:
            entries = [
                key for key, (_, expires) in self._entries.items() if expires is not None and expires < now
            ][: max(limit, 0)]
            counts = [
                (key, place)
                for key, counted in self._counts.items()
                for place, until in enumerate(counted.until)
                if until <= now
            ][: max(limit - len(entries), 0)]
            for key in entries:
                del self._entries[key]
                if key.kind in WATCHED:
                    self._changed(key)
            for key, place in reversed(counts):
                self._counts[key].remove(place)
                if not self._counts[key].moments:
                    del self._counts[key]
        return len(entries) + len(counts)

    def close(self) -> None:
        """Forget everything."""
        self._closed = True

    def _usable(self) -> None:
        if self._closed:
            raise Unavailable("the store is closed")
        if os.getpid() != self._process:
            raise Unavailable("a store in memory can't be used by a process that was forked off")

    def _total(self, window: Window) -> int:
        counts = self._counts.get(window.key)
        return 0 if counts is None else sum(counts.amounts[counts.behind(window.after) :])

    def _changed(self, key: Key) -> None:
        group = key.tenant, key.kind
        self._generations[group] = self._generations.get(group, 0) + 1

    def _made(self, change: Change) -> _Undo:
        match change:
            case Put():
                return self._put(change)
            case Delete():
                return self._delete(change)
            case Count():
                return self._count(change)
            case Append():
                return self._append(change)

    def _put(self, change: Put) -> _Undo:
        fitting(change.expected, change.expires)
        key, found = change.key, self._entries.get(change.key)
        version = 0 if found is None else found[0].version
        if change.expected is not None and change.expected != version:
            raise Lost(change)
        self._entries[key] = Entry(bytes(change.value), version + 1), change.expires
        return self._back(key, found)

    def _delete(self, change: Delete) -> _Undo:
        fitting(change.expected)
        found = self._entries.get(change.key)
        if found is None or found[0].version != change.expected:
            raise Lost(change)
        del self._entries[change.key]
        return self._back(change.key, found)

    def _back(self, key: Key, found: tuple[Entry, int | None] | None) -> _Undo:
        if found is None:
            return lambda: self._entries.pop(key)
        return lambda: self._entries.__setitem__(key, found)

    def _count(self, change: Count) -> _Undo:
        until = change.at + change.window
        fitting(change.at, change.amount, change.most, until, change.at - change.window)
        if self._total(Window(change.key, change.at - change.window)) + change.amount > change.most:
            raise Lost(change)
        counts = self._counts.get(change.key)
        if counts is None:
            counts = self._counts[change.key] = _Counts()
        return counts.add(change.at, change.amount, until)

    def _append(self, change: Append) -> _Undo:
        fitting(change.expected)
        rows = self._rows.setdefault(change.key, [])
        if change.expected is not None and change.expected != len(rows) + 1:
            raise Lost(change)
        rows.append(bytes(change.value))
        return rows.pop


def _held(key: Key) -> None:
    encoded(key.tenant)
    encoded(key.name)
