"""The whole comparison of two policies: what differs as written, which calls show it, and what is proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from gateway.diff.fields import Verdict, changes, in_order
from gateway.diff.parts import Part, part_of, parts_of, tools_of
from gateway.diff.shown import Looking, Shown
from gateway.frozen import frozen
from gateway.relaxation import Change, Direction

if TYPE_CHECKING:
    from gateway.sources import Assembled

TRIES = 4000
"""How many calls are tried, over all tools that a change is about."""
RELOAD_TRIES = 1000
"""How many are tried where a reload is refused."""
_LEAST = 12
"""How many of them each tool gets at least."""
_MOST_SHOWN = 40
"""How many calls are shown; what is beyond stays as it is written."""


@frozen
class Comparison:
    """What a change relaxes: each difference, and calls that show the relaxed ones."""

    changes: tuple[Change, ...]
    calls: tuple[Shown, ...]
    now: datetime
    """The moment as of which was looked; a call that shows something at another one says so."""
    tried: int
    """How many calls were tried that show nothing."""
    untried: tuple[str, ...] = ()
    """The parts for which no call was looked for, since enough are shown."""
    elsewhere: int = 0
    """How many calls that somebody else brought are decided more permissively."""

    @property
    def verdict(self) -> Verdict:
        """Relaxed only with a call that shows it, or where a protection goes that no single call shows."""
        if (
            self.calls
            or self.elsewhere
            or any(change.direction is Direction.RELAXED for change in self.changes)
        ):
            return Verdict.RELAXED
        unclear = any(change.relaxed or change.unproved for change in self.changes)
        return Verdict.UNPROVED if unclear else Verdict.PROVED


def compare(old: Assembled, new: Assembled, now: datetime, tries: int = TRIES) -> Comparison:
    """The differences of two policies; calls are tried for those that may relax and are about calls."""
    found = changes(old, new)
    parts = parts_of((old, new))
    suspects: dict[str, Part] = {}
    for change in found:
        part = part_of(change.item, parts)
        if part is not None and (change.relaxed or change.unproved) and shows_in_calls(change.item):
            suspects[part.name] = part
    about = {name: _tools(part, old, new) for name, part in suspects.items()}
    search = _Search(old, new, suspects, about, now, tries)
    calls = tuple(search.calls()) if tries else ()
    blamed = {name for call in calls for name in call.causes}
    untried = search.untried - blamed if tries else frozenset[str]()
    judged = (_judged(change, part_of(change.item, parts), blamed, untried) for change in found)
    return Comparison(in_order(judged), calls, now, search.tried, tuple(sorted(untried)))


def _tools(part: Part, old: Assembled, new: Assembled) -> frozenset[str]:
    """The tools that a call is tried of: what the new policy lacks it refuses."""
    return (tools_of(part, old) | tools_of(part, new)) & new.compiled.declared.keys()


class _Search:
    """Looks for calls of one tool after the other, until each part that may relax is shown or enough are."""

    def __init__(
        self,
        old: Assembled,
        new: Assembled,
        suspects: Mapping[str, Part],
        about: Mapping[str, frozenset[str]],
        now: datetime,
        tries: int,
    ) -> None:
        self._sides = (old, new)
        self._suspects = suspects
        self._about = about
        self._now = now
        self._tries = tries
        self.tried = 0
        self.untried: frozenset[str] = frozenset()

    def calls(self) -> Iterator[Shown]:
        """Calls that show the suspects; a part that is shown by one tool is not shown again by another."""
        shown: set[str] = set()
        tools: dict[str, int] = {}
        for names in self._about.values():
            for name in names:
                tools[name] = min(len(names), tools.get(name, len(names)))
        each = max(_LEAST, self._tries // max(1, len(tools)))
        left = sorted(tools, key=lambda name: (tools[name], name))
        count = 0
        while left and count < _MOST_SHOWN:
            tool = left.pop(0)
            here = [part for part in self._suspects.values() if tool in self._about[part.name]]
            if all(part.name in shown for part in here):
                continue
            looking = Looking(*self._sides, tool, here, self._now)
            for one in looking.calls(each, frozenset(shown)):
                shown.update(one.causes)
                yield one
                count += 1
                if count == _MOST_SHOWN:
                    break
            self.tried += looking.tried
        self.untried = frozenset(
            name for name, names in self._about.items() if name not in shown and not names.isdisjoint(left)
        )


def shows_in_calls(item: str) -> bool:
    """Whether what an item relaxes shows in the answer to a single call."""
    return not item.startswith(_BY_THEMSELVES) and not item.endswith(_LASTING)


_BY_THEMSELVES = ("limits.", "servers.", "settings.unknown_tools", "settings.types")
_LASTING = (
    ".approval.expires",
    ".approval.use_within",
    ".idempotent",
    ".max_risk",
    ".max_steps",
    ".on_rejection",
)
"""What is looser without any single call that shows it: counts, times, what is not in the catalogue."""


def _judged(change: Change, part: Part | None, blamed: set[str], untried: frozenset[str]) -> Change:
    """The difference as the calls show it: relaxed where one does or none was tried, else only looser as written."""
    if part is None or not shows_in_calls(change.item) or part.name in untried:
        return change
    doubtful = change.relaxed or change.unproved
    if doubtful and part.name in blamed:
        return change if change.relaxed else replace(change, direction=Direction.RELAXED)
    return replace(change, direction=Direction.LOOSER) if change.relaxed else change
