"""The parts of timestamps and durations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from gateway.cel.functions.instants import local, time_zone
from gateway.cel.functions.signature import Fails, Function, Overload, Style, Work
from gateway.cel.types import DURATION, INT, STRING, TIMESTAMP
from gateway.cel.values import NANOS, Duration, Kind, Timestamp, adopt, kind_of, no_overload

_WHEN = "timestamp('2026-11-30T09:05:07.25Z')"


_STEPS_OF_OFFSET = 40
_STEPS_OF_NAME = 500


def _zone_cost(_: Any, zone: Any = None) -> int:
    """A zone that is not written in the condition may be looked for among the machine's files."""
    if not isinstance(zone, str):
        return 0
    return _STEPS_OF_OFFSET if zone[:1] in "+-0123456789" else _STEPS_OF_NAME


def _in_zone(name: str, read: Callable[[Timestamp, str], int]) -> Callable[[Sequence[Any]], Work | None]:
    """A zone that is written in the condition is looked for once, when the expression is planned."""

    def specialise(constants: Sequence[Any]) -> Work | None:
        zone = constants[1] if len(constants) == 2 else None
        if not isinstance(zone, str):
            return None
        time_zone(zone)

        def asked(value: Any, _: Any) -> int:
            if kind_of(value) is Kind.TIMESTAMP:
                return read(adopt(value), zone)
            raise no_overload(name, value, zone)

        return Work(asked)

    return specialise


def _part(
    name: str, read: Callable[[datetime], int], summary: str, expected: int, *more: Overload
) -> Function:
    def in_zone(value: Timestamp, zone: str) -> int:
        return read(local(value, zone))

    return Function(
        name,
        Style.MEMBER,
        (
            Overload((TIMESTAMP,), INT, lambda value: read(local(value, "UTC")), Fails.NEVER),
            Overload((TIMESTAMP, STRING), INT, in_zone),
            *more,
        ),
        summary,
        f"{_WHEN}.{name}() == {expected}",
        _in_zone(name, in_zone),
        _zone_cost,
    )


def _count(nanos: int) -> Overload:
    """Whole units of a duration, towards zero."""

    def run(value: Duration) -> int:
        count = abs(value.nanos) // nanos
        return -count if value.nanos < 0 else count

    return Overload((DURATION,), INT, run, Fails.NEVER)


def _milliseconds(value: Duration) -> int:
    whole = abs(value.nanos) % NANOS // 1_000_000
    return -whole if value.nanos < 0 else whole


def _timestamp_milliseconds(value: Timestamp, zone: str = "UTC") -> int:
    time_zone(zone)
    return value.nanos % NANOS // 1_000_000


FUNCTIONS = (
    _part("getFullYear", lambda at: at.year, "The year.", 2026),
    _part("getMonth", lambda at: at.month - 1, "The month, from 0.", 10),
    _part("getDate", lambda at: at.day, "The day of the month, from 1.", 30),
    _part("getDayOfMonth", lambda at: at.day - 1, "The day of the month, from 0.", 29),
    _part("getDayOfWeek", lambda at: at.isoweekday() % 7, "The day of the week, 0 is Sunday.", 1),
    _part("getDayOfYear", lambda at: at.timetuple().tm_yday - 1, "The day of the year, from 0.", 333),
    _part("getHours", lambda at: at.hour, "The hour, or a duration in whole hours.", 9, _count(3600 * NANOS)),
    _part(
        "getMinutes",
        lambda at: at.minute,
        "The minute, or a duration in whole minutes.",
        5,
        _count(60 * NANOS),
    ),
    _part(
        "getSeconds", lambda at: at.second, "The second, or a duration in whole seconds.", 7, _count(NANOS)
    ),
    Function(
        "getMilliseconds",
        Style.MEMBER,
        (
            Overload((TIMESTAMP,), INT, _timestamp_milliseconds, Fails.NEVER),
            Overload((TIMESTAMP, STRING), INT, _timestamp_milliseconds),
            Overload((DURATION,), INT, _milliseconds, Fails.NEVER),
        ),
        "The milliseconds within the second.",
        f"{_WHEN}.getMilliseconds() == 250",
        _in_zone("getMilliseconds", _timestamp_milliseconds),
        _zone_cost,
    ),
)
