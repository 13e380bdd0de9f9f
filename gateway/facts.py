"""What a decision needs from outside and can't compute: the time and the real paths of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from datetime import datetime

from gateway.frozen import frozen

Clock = Callable[[], datetime]
"""Tells the time, aware of its zone."""


def _as_written(path: str) -> str:
    return path


def _unknown(name: str) -> tuple[str, ...]:
    return ()


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
