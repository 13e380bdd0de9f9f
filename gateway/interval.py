"""Stretches of time as policies write them: durations, rates and `until`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

from gateway.frozen import frozen
from gateway.later import later
from gateway.malformed import Malformed

_DURATION = later(r"([1-9][0-9]{0,8})([smhd])", re.ASCII)
_RATE = later(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,8})?([smhd])", re.ASCII)
_DATE = later(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_MOMENT = later(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2})?", re.ASCII
)
_UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
}
_LONGEST = timedelta(days=3660)


@frozen
class Rate:
    """So many in each stretch of time."""

    count: int
    window: timedelta


@frozen
class Until:
    """The end of something's time: `text` as written, `moment` the first instant after it."""

    text: str
    moment: datetime


def parse_duration(text: str) -> timedelta:
    """A duration such as `10s`, `5m`, `2h` or `7d`."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise Malformed(
            f"`{text}` is no duration", "write a whole number and a unit, such as `10s`, `5m`, `2h` or `7d`"
        )
    return _stretch(text, int(match[1]), match[2])


def parse_rate(text: str) -> Rate:
    """A rate such as `20/h` or `5/10m`."""
    match = _RATE.fullmatch(text)
    if match is None:
        raise Malformed(
            f"`{text}` is no rate", "write a count and a stretch of time, such as `20/h` or `5/10m`"
        )
    return Rate(int(match[1]), _stretch(text, int(match[2] or 1), match[3]))


def _stretch(text: str, count: int, unit: str) -> timedelta:
    stretch = count * _UNITS[unit]
    if stretch > _LONGEST:
        raise Malformed(f"`{text}` is longer than ten years", "write a shorter time")
    return stretch


def stretch(seconds: int) -> str:
    """A stretch of time such as `90m`, in the largest unit that leaves no rest."""
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def parse_date(text: str) -> date:
    """A day such as `2027-01-31`."""
    if _DATE.fullmatch(text) is not None:
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise Malformed(f"`{text}` is no day of the calendar") from None
    raise Malformed(f"`{text}` is no date", "write a date such as `2027-01-31`")


def parse_until(text: str) -> Until:
    """A date, which lasts through its end in UTC, or a moment with its zone."""
    if _DATE.fullmatch(text) is not None:
        day = parse_date(text)
        if day == date.max:
            raise Malformed(f"`{text}` is too far away")
        return Until(text, datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=1))
    match = _MOMENT.fullmatch(text)
    if match is None:
        raise Malformed(
            f"`{text}` is no date",
            "write a date such as `2027-01-31`, or a moment such as `2027-01-31T18:00:00Z`",
        )
    if match[2] is None:
        raise Malformed(f"`{text}` has no time zone", f"write `{text}Z` for UTC")
    try:
        return Until(text, datetime.fromisoformat(text).astimezone(UTC))
    except (ValueError, OverflowError):
        raise Malformed(f"`{text}` is no moment of the calendar") from None


def passed(until: Until, now: datetime) -> bool:
    """Whether the time is over at `now`, which knows its zone."""
    return now >= until.moment
