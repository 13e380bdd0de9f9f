"""What a decision needs from outside and can't compute: the time, the real paths of files, what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from enum import Enum

from gateway.frozen import frozen
from gateway.session import Session
from gateway.state import EMPTY, Key, State, Window

Clock = Callable[[], datetime]
"""Tells the time, aware of its zone."""


def utc_now() -> datetime:
    """The current time, aware of its zone."""
    return datetime.now(UTC)


def _as_written(path: str) -> str:
    return path


def _unknown(name: str) -> tuple[str, ...]:
    return ()


def _nothing(keys: Sequence[Key | Window]) -> State:
    return EMPTY


def _no_counts(window: Window, limit: int) -> Sequence[tuple[int, int]]:
    return ()


class Remembering(Enum):
    """What of a call is remembered."""

    NOTHING = "nothing"
    """There is no store."""
    COUNTS = "counts"
    """What limits count; the host gave the call no id by which it could come again."""
    EVERYTHING = "everything"


@frozen
class Facts:
    """The facts of one decision; `now` is aware of its time zone, `resolve` gives an absolute path's real path."""

    now: datetime
    resolve: Callable[[str], str] = _as_written
    lookup: Callable[[str], tuple[str, ...]] = _unknown
    """Gives the addresses of a host, none where it has none or none is looked up."""
    files: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What earlier calls of the same session wrote, by absolute path: possible texts."""
    links: Callable[[str], tuple[str, ...]] = _unknown
    """Gives the names in a directory that are links."""
    read: Callable[[Sequence[Key | Window]], State] = _nothing
    """Reads what is remembered; raises `Unavailable`."""
    counted: Callable[[Window, int], Sequence[tuple[int, int]]] = _no_counts
    """The counts behind a window's total, oldest first; raises `Unavailable`."""
    bound_to: Callable[[Session], str | None] | None = None
    """Tells by whom, and by which agent, a conversation's id was seen first; None where ids are not bound."""
    remembering: Remembering = Remembering.NOTHING
    listed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What servers list now, as far as the host has said: by server, the digests of its tools by name."""
    _moment: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def moment(self) -> int:
        """The time in microseconds since 1970; worked out once."""
        if not self._moment:
            self._moment.append(int(self.now.timestamp() * 1_000_000))
        return self._moment[0]
