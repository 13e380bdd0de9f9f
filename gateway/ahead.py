"""What would be remembered if calls ran one after the other: a store is looked at, and nothing in it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gateway.approvals import Given, Request, Status, about, approval_key
from gateway.call import ToolCall
from gateway.decision import Decision
from gateway.once import Noted
from gateway.session import Session
from gateway.state import Change, Count, Entry, Key, Kind, Put, State, Store, Window


class Ahead:
    """A store with what some decisions would change in it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[Key, Entry] = {}
        self._counts: dict[Key, list[tuple[int, int]]] = {}

    def read(self, keys: Sequence[Key | Window]) -> State:
        """What would be held under the keys."""
        held = self._store.read(keys)
        entries = {key: self._entries[key] for key in keys if isinstance(key, Key) and key in self._entries}
        totals = {
            window: total + sum(amount for _, amount in self._added(window))
            for window, total in held.totals.items()
        }
        return State({**held.entries, **entries}, totals)

    def counted(self, window: Window, limit: int) -> Sequence[tuple[int, int]]:
        """The counts behind a window's total, oldest first."""
        return sorted([*self._store.counted(window, limit), *self._added(window)])[:limit]

    def goes_on(self, decision: Decision) -> None:
        """What changes by a decision is so for the next one."""
        for change in decision.changes:
            self._make(change)

    def agrees(self, call: ToolCall, session: Session, decision: Decision, moment: int) -> None:
        """The question of a decision is answered, by everybody whom it takes."""
        self.goes_on(decision)
        key = approval_key(session.tenant or "", about(call, session))
        kept = self.read((key,)).entries[key]
        request = Request.of(kept.value)
        roles = [frozenset(demand.get("by") or ()) for demand in request.demands] or [frozenset[str]()]
        # Nobody has such a name, so whoever asked is none of them.
        people = tuple(Given(f"\0{number}", each, moment) for number, each in enumerate(roles))
        approved = replace(request, status=Status.APPROVED, given=people)
        self._make(Put(key, approved.packed(), kept.version))

    def _added(self, window: Window) -> list[tuple[int, int]]:
        return [(at, amount) for at, amount in self._counts.get(window.key, ()) if at > window.after]

    def _make(self, change: Change) -> None:
        if isinstance(change, Count):
            self._counts.setdefault(change.key, []).append((change.at, change.amount))
        elif isinstance(change, Put):
            value = _done(change) if change.key.kind is Kind.DONE else change.value
            self._entries[change.key] = Entry(value, (change.expected or 0) + 1)


def _done(change: Put) -> bytes:
    """What is noted when a call has done what it is let do."""
    noted = Noted.of(change.value)
    return noted.completed(noted.last.by, noted.last.at).put(change.key, 0).value
