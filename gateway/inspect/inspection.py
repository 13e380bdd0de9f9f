"""What speaks against a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from gateway.decision import Effect
from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.inspect.command import Command

Analysis = Literal["exact", "folded", "partial", "unparsed"]


@frozen
class Match:
    """One thing that speaks against a text, and the offending characters of it."""

    pattern: str
    kind: Literal["guard", "pattern", "unreadable"]
    effect: Effect
    reason: str
    alternative: str
    start: int
    end: int
    text: str
    beside: bool = False
    """Whether a pattern's reason of the same weight says more: the guard has something below what is removed."""


@frozen
class Inspection:
    """All that speaks against a text, strictest first, and how much of the text could be read."""

    matches: tuple[Match, ...]
    analysis: Analysis
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    """What files would hold afterwards, by their absolute paths: possible texts, with marks for unknown parts."""
    commands: tuple[Command, ...] = field(default=(), compare=False, repr=False)
    """What the text would run and do, for conditions that ask."""
    pinned: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), compare=False, repr=False)
    """Hosts and the addresses of theirs that were checked."""
    source: tuple[str, str | None] | None = field(default=None, compare=False, repr=False)
    """The text, and the dialect of SQL, for conditions that ask."""


CLEAN = Inspection((), "exact")
GUARD_ADVICE = "ask the person who runs this agent to make the change; reading the file is fine"
PRIVATE_ADVICE = "ask the person who runs this agent; no agent reads or changes this file"
