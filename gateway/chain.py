"""The chain of a log: each line has a number and the hash of the line before it, so that no line can quietly change.

Whoever can write the log can also write a chain anew: only anchors (a number and its hash, kept where that person can't
write) tell such a log from the one that was written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from hashlib import sha256
from typing import Any

from gateway.frozen import frozen


@frozen
class Head:
    """The last line of a chain: its number and its hash."""

    number: int
    hash: str


START = Head(0, "")


@frozen
class Anchor:
    """What a log's line was, told outside of the log; `log` is the tenant of a log in a store, empty for files."""

    number: int
    hash: str
    at: int
    log: str = ""


@frozen
class Line:
    """A line of a log without its end, where it stands, and the end: empty where the line is not finished."""

    place: str
    value: bytes
    end: bytes = b"\n"


def chained(head: Head, record: str) -> tuple[bytes, Head]:
    """A record (a JSON object) as the next line of a chain, without its end, and the chain's new head."""
    line = f'{{"n":{head.number + 1},"prev":"{head.hash}",{record[1:]}'.encode("ascii")
    return line, Head(head.number + 1, hashed(line))


def hashed(line: bytes) -> str:
    """The hash of a line."""
    return sha256(line).hexdigest()


def read_line(line: bytes) -> Mapping[str, Any] | None:
    """What a line says, or None where it is no line of a chain."""
    if not line.startswith(b'{"n":'):
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or type(value.get("n")) is not int or type(value.get("prev")) is not str:
        return None
    return value


class Fault(Enum):
    """What can be wrong with a log."""

    EDITED = "edited"
    GAP = "gap"
    ORDER = "order"
    UNREADABLE = "unreadable"
    ANCHOR = "anchor"
    TRUNCATED = "truncated"
    TORN = "torn"
    """An unfinished line: the one that a process was writing when it was killed. It is told, and is no fault."""
    BEGINS = "begins"
    """The log begins later than with record 1, as when the oldest files were removed. It is told, and is no fault."""


_NO_FAULTS = frozenset({Fault.TORN, Fault.BEGINS})


@frozen
class Found:
    """One thing that is told about a log."""

    fault: Fault
    place: str
    message: str

    @property
    def wrong(self) -> bool:
        """Whether the log is not as it was written."""
        return self.fault not in _NO_FAULTS


@frozen
class Verified:
    """What was found when a log was read from its first line to its last."""

    records: int
    first: int
    head: Head
    anchored: int
    """The number of the last record that an anchor bears out; 0 for none."""
    found: tuple[Found, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not any(one.wrong for one in self.found)


def verified(lines: Iterable[Line], anchors: Sequence[Anchor] = ()) -> Verified:
    """Look at each line of a log, in order; `anchors` are those of this log."""
    looking = _Looking(anchors)
    for line in lines:
        looking.at(line)
    return looking.done()


class _Looking:
    def __init__(self, anchors: Sequence[Anchor]) -> None:
        self._anchors: dict[int, set[str]] = {}
        for anchor in anchors:
            self._anchors.setdefault(anchor.number, set()).add(anchor.hash)
        self._found: list[Found] = []
        self._pending: list[Line] = []
        self._head: Head | None = None
        self._first = self._records = self._anchored = 0

    def at(self, line: Line) -> None:
        value = read_line(line.value)
        if value is None:
            self._pending.append(line)
            return
        self._fragments(value)
        number, before = value["n"], value["prev"]
        self._follows(line.place, number, before)
        self._head = Head(number, hashed(line.value))
        self._records += 1
        known = self._anchors.get(number)
        if known is not None:
            if known == {self._head.hash}:
                self._anchored = max(self._anchored, number)
            else:
                self._say(Fault.ANCHOR, line.place, f"record {number} is not the one that was anchored")

    def done(self) -> Verified:
        if self._pending:
            last = self._pending[-1]
            if len(self._pending) == 1 and not last.end:
                self._say(
                    Fault.TORN, last.place, "the last line is not finished, and nothing was written since"
                )
            else:
                self._fragments({})
        head = self._head or START
        beyond = max(self._anchors, default=0)
        if beyond > head.number:
            last_words = f"the log ends with record {head.number}, and record {beyond} was anchored"
            self._say(Fault.TRUNCATED, "", last_words)
        elif self._anchors and self._first > max(self._anchors):
            self._say(Fault.ANCHOR, "", "no anchor bears out a record that is there")
        return Verified(self._records, self._first, head, self._anchored, tuple(self._found))

    def _say(self, fault: Fault, place: str, message: str) -> None:
        self._found.append(Found(fault, place, message))

    def _fragments(self, value: Mapping[str, Any]) -> None:
        """What stands before a line and is none: it is told by that line, or somebody put it there."""
        torn = value.get("kind") == "torn"
        if not self._pending and not torn:
            return
        whole = b"\n".join(line.value for line in self._pending)
        place = self._pending[0].place if self._pending else ""
        if torn and value.get("sha256") == hashed(whole):
            self._say(
                Fault.TORN, place, f"an unfinished line of {len(whole)} bytes, told by record {value['n']}"
            )
        else:
            what = "what a record tells of an unfinished line is not there" if torn else "no line of the log"
            self._say(Fault.UNREADABLE, place, what)
        self._pending.clear()

    def _follows(self, place: str, number: int, before: str) -> None:
        head = self._head
        if head is None:
            self._first = number
            if number != 1:
                self._say(Fault.BEGINS, place, f"the log begins with record {number}")
            elif before != START.hash:
                self._say(Fault.EDITED, place, "record 1 follows another one")
        elif number > head.number + 1:
            missing = (
                f"record {number - 1} is"
                if number == head.number + 2
                else f"records {head.number + 1} to {number - 1} are"
            )
            self._say(Fault.GAP, place, f"{missing} missing")
        elif number <= head.number:
            self._say(Fault.ORDER, place, f"record {number} stands behind record {head.number}")
        elif before != head.hash:
            self._say(
                Fault.EDITED, place, f"record {head.number} is not the one that record {number} follows"
            )
