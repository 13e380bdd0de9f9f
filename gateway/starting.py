"""The fast path where calls are remembered: what a plain call changes in the store, as the steps would say it.

It is for calls against which nothing can be held but what is remembered: that the call came before, that a rate is used
up. Nothing of that is read first: the changes are made only if the entry is new and there is room for every count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.binding import named
from gateway.canonical import digest
from gateway.decision import Code
from gateway.journal import Entered, Progress, conversation_of
from gateway.plan import LimitPlan, Scope
from gateway.state import KEPT, Change, Count, Key, Kind, Put, key

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from gateway.keeping import Keeper
    from gateway.plan import ToolPlan
    from gateway.session import Session

_PLAIN = frozenset({Scope.SESSION, Scope.SUBJECT, Scope.TENANT, Scope.TOOL})
"""What is the same for all calls of a session; its turn is another one now and then."""
Rates = tuple[tuple[Key, int, int], ...]
"""Where the calls of a session are counted, in which stretch of time, and how many may be."""


def is_plain_rate(limit: LimitPlan) -> bool:
    """Whether a limit counts each call of the tool under what the session alone tells."""
    return (
        limit.code is Code.RATE_LIMIT
        and limit.window is not None
        and limit.scope in _PLAIN
        and limit.amount is None
        and limit.when is None
        and limit.unless is None
        and not limit.monitored
    )


class Starting:
    """What one call changes that is let run at a moment."""

    __slots__ = ("_everything", "_keeper", "_moment")

    def __init__(self, keeper: Keeper, moment: int) -> None:
        self._keeper = keeper
        self._moment = moment
        self._everything = keeper.binds

    def changes(
        self,
        tool: ToolPlan,
        session: Session,
        rates: Rates,
        arguments: Mapping[str, Any],
        call_id: str,
        decision: str,
    ) -> tuple[Change, ...] | None:
        """The changes; None where the steps have to say them."""
        if session.dry_run or tool.once is not None:
            return None
        moment = self._moment
        counts = tuple([Count(place, moment, 1, window, most) for place, window, most in rates])
        if not self._everything or not session.id:
            return counts
        if self._keeper.bound_to(session) != named(session):
            return None
        raw = digest(arguments)
        entered = Entered(Progress.STARTED, tool.name, raw, raw, decision, moment)
        place = key(session.tenant or "", Kind.JOURNAL, *conversation_of(session), call_id)
        return (*counts, Put(place, entered.packed(), 0, moment + KEPT))
