"""Times in sentences, as policies write them."""

from __future__ import annotations

from datetime import datetime, timedelta


def last_day(moment: str) -> str:
    """The end of something, given as its first instant after: the last day in UTC, or the moment within a day."""
    end = datetime.fromisoformat(moment)
    if (end.hour, end.minute, end.second) == (0, 0, 0) and end.tzinfo is not None:
        return (end - timedelta(days=1)).date().isoformat()
    return moment.replace("+00:00", "Z")
