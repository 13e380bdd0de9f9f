"""What a store is, as simple as it can be said: three dictionaries, and each `apply` made on copies of them."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.state import Append, Change, Count, Delete, Entry, Key, Kind, Lost, Put, Row, Window

Kept = tuple[Entry, int | None]
Moments = dict[int, tuple[int, int]]


class Model:
    """Entries with their expiry, counts by moment with the end of their longest window, and rows."""

    def __init__(self) -> None:
        self.entries: dict[Key, Kept] = {}
        self.counts: dict[Key, Moments] = {}
        self.lines: dict[Key, tuple[bytes, ...]] = {}

    def apply(self, changes: Sequence[Change]) -> None:
        made = Model()
        made.entries = dict(self.entries)
        made.counts = {key: dict(moments) for key, moments in self.counts.items()}
        made.lines = dict(self.lines)
        for change in changes:
            if not made.take(change):
                raise Lost(change)
        self.entries, self.counts, self.lines = made.entries, made.counts, made.lines

    def take(self, change: Change) -> bool:
        key = change.key
        version = self.entries[key][0].version if key in self.entries else 0
        if isinstance(change, Put):
            if change.expected not in (None, version):
                return False
            self.entries[key] = Entry(change.value, version + 1), change.expires
        elif isinstance(change, Delete):
            if version == 0 or change.expected != version:
                return False
            del self.entries[key]
        elif isinstance(change, Count):
            if self.total(Window(key, change.at - change.window)) + change.amount > change.most:
                return False
            amount, until = self.counts.get(key, {}).get(change.at, (0, change.at + change.window))
            moment = amount + change.amount, max(until, change.at + change.window)
            self.counts.setdefault(key, {})[change.at] = moment
        elif isinstance(change, Append):
            lines = self.lines.get(key, ())
            if change.expected not in (None, len(lines) + 1):
                return False
            self.lines[key] = (*lines, change.value)
        return True

    def total(self, window: Window) -> int:
        return sum(amount for _, amount in self.counted(window))

    def counted(self, window: Window) -> list[tuple[int, int]]:
        moments = self.counts.get(window.key, {})
        return sorted((at, amount) for at, (amount, _) in moments.items() if at > window.after)

    def listed(self, tenant: str, kind: Kind, after: str) -> list[tuple[Key, Entry]]:
        found = [
            (key, entry)
            for key, (entry, _) in self.entries.items()
            if (key.tenant, key.kind) == (tenant, kind) and key.name > after
        ]
        return sorted(found, key=lambda one: one[0].name)

    def rows(self, key: Key, after: int) -> list[Row]:
        numbered = enumerate(self.lines.get(key, ()), 1)
        return [Row(number, value) for number, value in numbered if number > after]

    def sweep(self, now: int) -> int:
        before = len(self.entries) + sum(map(len, self.counts.values()))
        self.entries = {key: kept for key, kept in self.entries.items() if kept[1] is None or kept[1] >= now}
        self.counts = {
            key: {at: moment for at, moment in moments.items() if moment[1] > now}
            for key, moments in self.counts.items()
        }
        return before - len(self.entries) - sum(map(len, self.counts.values()))
