"""One decision on its way to the host: made to count in the store, and recorded, so that neither says too much.

Where the log lies in the same store both are done at once. Else the store comes first, and is undone where the record
fails; a process that dies in between leaves an open entry, and a person is asked. A refusal for want of a record is
recorded too, as far as that goes: of two records of one decision the later one is what the host was told.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from gateway.decision import Decision, Effect
from gateway.keeping import applied, take_back
from gateway.record import Record, Unanchored
from gateway.recorded import decision_record, who_asks
from gateway.recording import unrecorded
from gateway.state import Lost, Store, Unavailable

if TYPE_CHECKING:
    from gateway.recording import DecisionLog


class Noting:
    """The record of one decision; `given` is how many findings of its own the host had."""

    given = 0

    def __init__(self, log: DecisionLog, call: object, session: object) -> None:
        self._log = log
        self._call = call
        self._session = session
        self._began = perf_counter_ns()
        self._store: Store | None = None
        self._joined: Decision | None = None
        self._why: str | None = None

    def apply(self, store: Store, decision: Decision) -> None:
        """Make what changes by a decision, with its record where that is possible; raises `Lost` and `Unavailable`."""
        joining = self._log.joining(store)
        if joining is None:
            applied(store, decision)
            self._store = store
            return
        try:
            joining.record_with(self._record(decision), decision.changes)
        except (Lost, Unavailable):
            raise
        except Unanchored as error:
            self._why = self._log.lacks(error)
        except Exception as error:  # the edge to recorders: neither the record nor a change is there
            self._why = self._log.lacks(error)
            if self._log.denies:
                self._joined = decision
                return
            applied(store, decision)
        self._joined, self._store = decision, store

    def told(self, decision: Decision) -> Decision:
        """The decision when it is recorded; a refusal where it can't be."""
        why = self._why if decision is self._joined else self._log.keep(lambda: self._record(decision))
        if why is None or not self._log.denies:
            if decision.proceeds:
                self._log.started(decision.id)
            return decision
        refused = unrecorded(decision, why)
        if decision.effect is not Effect.DENY:
            if decision.proceeds and self._store is not None:
                take_back(self._store, decision)
            self._log.keep(lambda: self._record(refused))
        return refused

    def _record(self, decision: Decision) -> Record:
        log = self._log
        who: dict[str, Any] = who_asks(self._session)
        made = decision_record(decision, self._call, who, log.key, log.now(), log.since(self._began))
        return replace(made, given=self.given) if self.given else made
