"""Timestamps and durations: exact to the nanosecond, within their limits, in any time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.cel import CelError, Duration, ErrorKind, Timestamp
from gateway.cel.functions.instants import parse_duration, parse_timestamp, write_duration, write_timestamp
from gateway.cel.values import INT_MAX, INT_MIN, TIMESTAMP_MAX, TIMESTAMP_MIN
from tests.cel.test_evaluate import lines, value_of


@pytest.mark.parametrize("text", lines("times.txt"))
def test_times_are_exact(text: str) -> None:
    assert value_of(text) is True


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *((f"timestamp('{text}')", "invalid value") for text in (
            "2026-11-30T09:00:00", "2026-11-30 09:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30T09:60:00Z", "2026-11-30T09:00:60Z",
            "2026-02-29T00:00:00Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2026-11-30T09:00:00+24:00",
            "2026-11-30T09:00:00+09:60", "2026-11-30T09:00:00+0900", "2026-11-30T09:00:00.Z", "2026-11-30T09:00:00.1234567890Z",
            "٢٠٢٦-11-30T09:00:00Z", "2026-11-30T09:00:00Z\\n", "", "now",
        )),
        *((f"duration('{text}')", "invalid value") for text in ("", "1", "s", ".s", "1 s", "1d", "--1s", "1h-1m", "1S", "1e3s", "٣s")),
        *((f"timestamp(0).getHours('{zone}')", "invalid value") for zone in (
            "24:00", "+01:60", "+1:00", "Mars/Olympus", "../etc/localtime", "localtime", "posixrules", "right/Europe/Berlin", "Europe",
        )),
        ("timestamp('0001-01-01T00:00:00+00:01')", "out of range"),
        ("timestamp('9999-12-31T23:59:59-00:01')", "out of range"),
        ("timestamp('9999-12-31T23:59:59.999999999Z') + duration('1ns')", "out of range"),
        ("timestamp('0001-01-01T00:00:00Z') - duration('1ns')", "out of range"),
        ("timestamp('9999-12-31T23:59:59Z').getHours('+00:01')", "out of range"),
        ("timestamp('0001-01-01T00:00:00Z').getHours('America/New_York')", "out of range"),
        ("timestamp('9999-12-31T23:59:59Z') - timestamp('0001-01-01T00:00:00Z')", "out of range"),
        ("duration('9223372036854775808ns')", "out of range"),
        ("duration('99999999999999999999h')", "out of range"),
        ("duration('1s').getHours('UTC')", "no such overload"),
        ("dyn('x').getHours('UTC')", "no such overload"),
    ],
)  # fmt: skip
def test_times_that_there_are_not(text: str, kind: str) -> None:
    with pytest.raises(CelError) as caught:
        value_of(text)
    assert caught.value.kind is ErrorKind(kind)


@given(st.integers(TIMESTAMP_MIN, TIMESTAMP_MAX).map(Timestamp), st.integers(INT_MIN, INT_MAX).map(Duration))
def test_what_is_written_reads_as_the_same(timestamp: Timestamp, duration: Duration) -> None:
    assert parse_timestamp(write_timestamp(timestamp)) == timestamp
    assert parse_duration(write_duration(duration)) == duration


@given(st.datetimes(timezones=st.just(UTC)), st.timedeltas(timedelta(days=-99_999), timedelta(days=99_999)))
def test_times_of_hosts_keep_their_microseconds(moment: datetime, stretch: timedelta) -> None:
    assert value_of("now == timestamp(text)", now=moment, text=moment.isoformat()) is True
    assert (
        value_of("d == duration(text)", d=stretch, text=f"{stretch // timedelta(microseconds=1)}us") is True
    )
