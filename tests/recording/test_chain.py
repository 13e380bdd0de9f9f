"""Whatever is done to a log afterwards is found: edits, gaps, another order, a missing end, lines that were added."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.chain import START, Anchor, Fault, Head, Line, Verified, chained, hashed, read_line, verified

RECORDS = [json.dumps({"kind": "decision", "id": f"d-{number}"}) for number in range(1, 9)]


def log(records: list[str] = RECORDS, head: Head = START) -> list[bytes]:
    """The lines of a log."""
    lines = []
    for record in records:
        line, head = chained(head, record)
        lines.append(line)
    return lines


def look(lines: list[bytes], *anchors: Anchor) -> Verified:
    return verified((Line(str(number), line) for number, line in enumerate(lines, 1)), anchors)


def faults(lines: list[bytes], *anchors: Anchor) -> list[Fault]:
    return [one.fault for one in look(lines, *anchors).found]


def anchor(lines: list[bytes], number: int) -> Anchor:
    return Anchor(number, hashed(lines[number - 1]), 0)


def test_a_line_says_its_number_and_what_stands_before_it() -> None:
    first, second, *_ = log()
    assert first == b'{"n":1,"prev":"","kind": "decision", "id": "d-1"}'
    assert second == b'{"n":2,"prev":"' + hashed(first).encode() + b'","kind": "decision", "id": "d-2"}'


def test_a_log_as_it_was_written_is_whole() -> None:
    lines = log()
    told = look(lines, anchor(lines, 4), anchor(lines, 8))
    assert told == Verified(8, 1, Head(8, hashed(lines[7])), 8, ())
    assert told.ok
    assert look([]) == Verified(0, 0, START, 0, ())


@pytest.mark.parametrize("place", range(7))
def test_an_edit_is_found(place: int) -> None:  # C13
    lines = log()
    lines[place] = lines[place].replace(b"d-", b"e-")
    assert faults(lines) == [Fault.EDITED]


def test_an_edit_of_the_last_line_is_found_by_an_anchor() -> None:
    lines = log()
    known = anchor(lines, 8)
    lines[7] = lines[7].replace(b"d-", b"e-")
    assert faults(lines) == []
    assert faults(lines, known) == [Fault.ANCHOR]


@pytest.mark.parametrize("place", range(1, 7))
def test_a_gap_is_found(place: int) -> None:
    lines = log()
    del lines[place]
    assert faults(lines) == [Fault.GAP]


@pytest.mark.parametrize("place", range(7))
def test_another_order_is_found(place: int) -> None:
    lines = log()
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    assert Fault.ORDER in faults(lines)


def test_a_line_that_stands_twice_is_found() -> None:
    lines = log()
    assert faults([*lines[:3], lines[2], *lines[3:]]) == [Fault.ORDER]


def test_a_missing_end_is_found_by_an_anchor() -> None:
    lines = log()
    assert faults(lines[:5]) == []
    assert faults(lines[:5], anchor(lines, 7)) == [Fault.TRUNCATED]
    assert not look(lines[:5], anchor(lines, 7)).ok
    assert faults([], anchor(lines, 7)) == [Fault.TRUNCATED]


def test_a_missing_beginning_is_told() -> None:
    lines = log()
    told = look(lines[3:])
    assert [one.fault for one in told.found] == [Fault.BEGINS]
    assert told.first == 4
    assert told.ok, "the oldest files are removed when there are many"


def test_a_log_that_begins_behind_all_anchors_is_not_whole() -> None:
    lines = log()
    anchors = [anchor(lines, 2), anchor(lines, 4)]
    assert faults(lines[3:], *anchors) == [Fault.BEGINS]
    assert look(lines[3:], *anchors).ok
    assert faults(lines[4:], *anchors) == [Fault.BEGINS, Fault.ANCHOR]
    assert not look(lines[4:], *anchors).ok


def test_a_chain_that_was_written_anew_is_found_by_an_anchor() -> None:
    lines = log()
    other = log([record.replace("d-3", "d-x") for record in RECORDS])
    assert faults(other) == []
    assert faults(other, anchor(lines, 4)) == [Fault.ANCHOR]


@pytest.mark.parametrize(
    "added", [b"", b"{}", b"no line", b'{"n":true,"prev":""}', b'{"n":1}', b"\xff", b"[" * 100_000]
)
def test_what_is_no_line_is_found(added: bytes) -> None:
    lines = log()
    assert faults([*lines[:3], added, *lines[3:]]) == [Fault.UNREADABLE]
    assert faults([*lines, added]) == [Fault.UNREADABLE]


def torn_told(part: bytes) -> str:
    return json.dumps({"kind": "torn", "bytes": len(part), "sha256": hashed(part)})


def test_an_unfinished_line_that_is_told_is_no_fault() -> None:
    lines = log(RECORDS[:3])
    part = lines[2][:20]
    behind = log([torn_told(part), RECORDS[2]], Head(2, hashed(lines[1])))
    told = look([*lines[:2], part, *behind])
    assert [one.fault for one in told.found] == [Fault.TORN]
    assert told.ok
    assert faults([*lines[:2], part + b"x", *behind]) == [Fault.UNREADABLE]
    assert faults([*lines[:2], *behind]) == [Fault.UNREADABLE]


def test_an_unfinished_last_line_is_told() -> None:
    lines = [Line(str(number), line) for number, line in enumerate(log(), 1)]
    told = verified([*lines, Line("9", b'{"n":9,', b"")])
    assert [one.fault for one in told.found] == [Fault.TORN]
    assert told.ok


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_any_change_of_any_byte_but_in_the_last_line_is_found(data: st.DataObject) -> None:
    lines = log()
    whole = b"\n".join(lines)
    place = data.draw(st.integers(0, len(whole) - len(lines[-1]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda each: each != whole[place]))
    changed = whole[:place] + bytes([byte]) + whole[place + 1 :]
    told = look(changed.split(b"\n"))
    assert told.found
    assert not told.ok or {one.fault for one in told.found} == {Fault.BEGINS}
    known = look(changed.split(b"\n"), anchor(lines, 1))
    assert not known.ok or Fault.BEGINS in {one.fault for one in known.found}


@settings(max_examples=200, deadline=None)
@given(st.permutations(range(8)), st.integers(0, 8))
def test_any_choice_and_order_of_lines_but_the_whole_is_found(order: list[int], count: int) -> None:
    lines = log()
    chosen = [lines[place] for place in order[:count]]
    told = look(chosen, anchor(lines, 1), anchor(lines, 8))
    whole = order[:count] == list(range(8))
    begins = bool(chosen) and chosen == lines[8 - count :]
    assert told.ok is (whole or begins)


def test_lines_are_read_strictly() -> None:
    line = log()[0]
    assert read_line(line) is not None
    assert read_line(line[:-1]) is None
    assert read_line(b" " + line) is None


def test_a_log_of_nothing_is_whole(tmp_path: Path) -> None:
    from tests.recording.world import looked_at

    (tmp_path / "log").write_bytes(b"")
    assert looked_at(tmp_path / "log").ok
