"""Read and write timestamps and durations, to the nanosecond."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache

from gateway.cel.values import NANOS, CelError, Duration, ErrorKind, Timestamp
from gateway.later import later

_TIMESTAMP = later(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
)
_DURATION = later(r"([+-]?)((?:(?:[0-9]{1,20}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:h|ms|m|s|us|µs|μs|ns))+)")
_PART = later(r"([0-9]*)(?:\.([0-9]*))?(h|ms|m|s|us|µs|μs|ns)")
_UNITS = {
    "h": 3600 * NANOS,
    "m": 60 * NANOS,
    "s": NANOS,
    "ms": 1_000_000,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ns": 1,
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_OFFSET = later(r"([+-]?)([01][0-9]|2[0-3]):([0-5][0-9])")
_OF_THE_MACHINE = later(r"localtime|posixrules|(?:posix|right)/.*")
"""Zones that are set up where we run, or count leap seconds."""

_MOST_TEXT = 100


def parse_timestamp(text: str) -> Timestamp:
    """A timestamp from RFC 3339 text."""
    match = _TIMESTAMP.fullmatch(text)
    if match is None:
        raise _unreadable(text, "a timestamp", "2026-11-30T09:00:00Z")
    year, month, day, hour, minute, second = map(int, match.group(1, 2, 3, 4, 5, 6))
    fraction, sign, hours, minutes = match.group(7, 8, 9, 10)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        raise _unreadable(text, "a timestamp", "2026-11-30T09:00:00Z") from None
    offset = (int(hours) * 3600 + int(minutes) * 60) * (-1 if sign == "-" else 1) if sign else 0
    seconds = (moment - _EPOCH) // _SECOND - offset
    return Timestamp.of(seconds * NANOS + int((fraction or "").ljust(9, "0")))


def write_timestamp(value: Timestamp) -> str:
    """A timestamp as RFC 3339 text in UTC, with as much of a fraction as it needs."""
    seconds, nanos = divmod(value.nanos, NANOS)
    text = (_EPOCH + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S").zfill(19)
    fraction = f".{nanos:09}".rstrip("0") if nanos else ""
    return f"{text}{fraction}Z"


def parse_duration(text: str) -> Duration:
    """A duration from text such as `1h30m` or `-1.5s`."""
    match = _DURATION.fullmatch(text) if len(text) <= _MOST_TEXT else None
    if match is None:
        if text in ("0", "+0", "-0"):
            return Duration(0)
        days = "; a day is `24h`" if text[:1].isdigit() and text.endswith(("d", "w")) else ""
        raise _unreadable(text, "a duration", "1h30m", days)
    nanos = 0
    for whole, fraction, unit in _PART.findall(match.group(2)):
        scale = _UNITS[unit]
        nanos += int(whole or 0) * scale
        if fraction:
            nanos += int(fraction) * scale // 10 ** len(fraction)
    return Duration.of(-nanos if match.group(1) == "-" else nanos)


def write_duration(value: Duration) -> str:
    """A duration as seconds, with as much of a fraction as it needs."""
    seconds, nanos = divmod(abs(value.nanos), NANOS)
    fraction = f".{nanos:09}".rstrip("0") if nanos else ""
    return f"{'-' if value.nanos < 0 else ''}{seconds}{fraction}s"


def local(value: Timestamp, zone: str) -> datetime:
    """The date and time of day (without nanoseconds) that a clock in a time zone shows."""
    try:
        return (_EPOCH + timedelta(seconds=value.nanos // NANOS)).astimezone(time_zone(zone))
    except OverflowError:
        raise CelError(ErrorKind.OUT_OF_RANGE, "timestamp out of range") from None


def time_zone(name: str) -> tzinfo:
    """The time zone of a name (`Europe/Berlin`) or an offset (`+02:00`)."""
    if name in ("UTC", ""):
        return UTC
    if match := _OFFSET.fullmatch(name):
        sign, hours, minutes = match.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        return timezone(-offset if sign == "-" else offset)
    return _named(name)


@lru_cache(maxsize=1_024)  # more than there are
def _named(name: str) -> tzinfo:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        if _OF_THE_MACHINE.fullmatch(name):
            raise ValueError
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise CelError(ErrorKind.INVALID, f"no time zone `{name[:_MOST_TEXT]}`") from None


def _unreadable(text: str, kind: str, example: str, more: str = "") -> CelError:
    shown = text if len(text) <= _MOST_TEXT else f"{text[:_MOST_TEXT]}..."
    return CelError(ErrorKind.INVALID, f"`{shown}` can't be read as {kind}, such as `{example}`{more}")
