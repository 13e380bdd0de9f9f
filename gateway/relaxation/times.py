"""Times in sentences, as policies write them."""

from __future__ import annotations

from datetime import datetime, timedelta

_UNITS = (("d", 86_400), ("h", 3_600), ("m", 60))


def stretch(seconds: int) -> str:
    """A stretch of time such as `90m`, in the largest unit that leaves no rest."""
    for unit, size in _UNITS:
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def last_day(moment: str) -> str:
    """The end of something, given as its first instant after: the last day in UTC, or the moment within a day."""
    end = datetime.fromisoformat(moment)
    if (end.hour, end.minute, end.second) == (0, 0, 0) and end.tzinfo is not None:
        return (end - timedelta(days=1)).date().isoformat()
    return moment.replace("+00:00", "Z")
