"""What a call counts for limits, together with the calls that are wrapped in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.state import Change, Key


class Tally:
    """However many calls are wrapped in one another, they are one call: it counts once under each key."""

    __slots__ = ("attempts", "counts", "pretended", "seen")

    def __init__(self) -> None:
        self.seen: set[Key] = set()
        """The keys under which it was looked already; the innermost call looks first, as it is what is done."""
        self.attempts: list[Change] = []
        """What changes whatever is decided."""
        self.counts: list[Change] = []
        """What changes if it is let run."""
        self.pretended = False
        """Whether a dry run answers one of the calls in place of its tool: then nothing is counted."""

    def changes(self, *, runs: bool) -> tuple[Change, ...]:
        """What changes with the decision."""
        if self.pretended:
            return ()
        return (*self.attempts, *self.counts) if runs else tuple(self.attempts)
