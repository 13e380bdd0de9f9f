"""What inspection can't read, and so leaves to a person."""

from __future__ import annotations

from gateway.frozen import frozen


@frozen
class Doubt:
    """A part of a text that can't be read, and why."""

    reason: str
    start: int
    end: int
