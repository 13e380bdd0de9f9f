"""A log in files: it goes on behind restarts, in the next file, behind other processes, and behind killed ones."""

from __future__ import annotations

import errno
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gateway.chain import Fault
from gateway.record import Record, RecordKind, Unrecorded
from gateway.recorders.anchors import AnchorFile
from gateway.recorders.file import FileRecorder, Sync, full_files
from tests.recording.world import looked_at, said


def record(name: str, **more: object) -> Record:
    return Record(RecordKind.DECISION, 1_796_126_400_000_000, id=name, tool="save", arguments=more or None)


def names(path: Path) -> list[str]:
    return [str(row["id"]) for row in said(path) if row["kind"] != "torn"]


def faults(path: Path, anchors: Path | None = None) -> list[Fault]:
    return [one.fault for one in looked_at(path, anchors).found]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log" / "decisions.jsonl"


def test_a_log_goes_on_after_a_restart(path: Path) -> None:
    for start in range(3):
        recorder = FileRecorder(path)
        for number in range(4):
            recorder.record(record(f"d-{start}-{number}"))
        recorder.close()
    told = looked_at(path)
    assert (told.records, told.head.number, told.found) == (12, 12, ())


def test_only_its_user_may_read_it(path: Path) -> None:
    FileRecorder(path, size=10).record(record("d-1"))
    FileRecorder(path, size=10).record(record("d-2"))
    assert len(list(path.parent.iterdir())) == 3
    assert {each.stat().st_mode & 0o777 for each in path.parent.iterdir()} == {0o600}
    path.chmod(0o644)
    with pytest.raises(Unrecorded, match="chmod 600"):
        FileRecorder(path)
    path.unlink()
    path.symlink_to(path.parent / "elsewhere")
    with pytest.raises(Unrecorded):
        FileRecorder(path)


def test_a_full_file_makes_room_and_the_oldest_go(path: Path) -> None:
    recorder = FileRecorder(path, size=2_000, keep=3)
    for number in range(60):
        recorder.record(record(f"d-{number}", text="x" * 100))
    full = [Path(each) for each in full_files(str(path))]
    assert len(full) == 3
    assert all(each.stat().st_size <= 2_000 for each in (*full, path))
    told = looked_at(path)
    assert told.ok
    assert [one.fault for one in told.found] == [Fault.BEGINS]
    assert told.head.number == 60
    assert full[0].name == f"decisions.jsonl.{told.first:012}"
    restarted = FileRecorder(path, size=2_000, keep=3)
    restarted.record(record("d-60"))
    assert looked_at(path).ok


def test_the_chain_goes_on_if_it_is_killed_between_two_files(path: Path) -> None:
    recorder = FileRecorder(path)
    for number in range(3):
        recorder.record(record(f"d-{number}"))
    path.rename(f"{path}.000000000001")
    FileRecorder(path).record(record("d-3"))
    told = looked_at(path)
    assert (told.records, told.found) == (4, ())


@pytest.mark.parametrize("part", [b"x", b'{"n":4,"prev":"ab', b"\0" * 5000, b"\n", b"one\ntwo", b"\xff\xfe"])
@pytest.mark.parametrize("first", [0, 3])
def test_an_unfinished_line_is_told_and_the_log_goes_on(path: Path, part: bytes, first: int) -> None:
    recorder = FileRecorder(path)
    for number in range(first):
        recorder.record(record(f"d-{number}"))
    with path.open("ab") as file:
        file.write(part)
    if b"\n" not in part:
        assert faults(path) == [Fault.TORN]
    for number in range(first, 6):
        FileRecorder(path).record(record(f"d-{number}"))
    assert names(path) == [f"d-{number}" for number in range(6)]
    told = looked_at(path)
    assert told.ok, told.found
    assert [one.fault for one in told.found] == [Fault.TORN]


def test_a_line_that_lacks_only_its_end_counts(path: Path) -> None:
    FileRecorder(path).record(record("d-0"))
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    FileRecorder(path).record(record("d-1"))
    assert names(path) == ["d-0", "d-1"]
    assert faults(path) == []


def test_a_running_process_does_not_go_on_as_if_nothing_were_missing(path: Path) -> None:
    recorder = FileRecorder(path)
    for number in range(6):
        recorder.record(record(f"d-{number}"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:2]))
    recorder.record(record("d-6"))
    assert faults(path) == [Fault.GAP]
    recorder.record(record("d-7"))
    assert looked_at(path).head.number == 8


def test_a_log_that_was_cut_while_nobody_wrote_is_found_by_its_anchors(path: Path) -> None:
    anchors = path.parent.parent / "anchors"
    recorder = FileRecorder(path, anchors=AnchorFile(anchors), every=2)
    for number in range(7):
        recorder.record(record(f"d-{number}"))
    assert looked_at(path, anchors).anchored == 6
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    assert faults(path) == []
    assert faults(path, anchors) == [Fault.TRUNCATED]
    FileRecorder(path, anchors=AnchorFile(anchors), every=2).record(record("d-7"))
    assert faults(path) == [Fault.GAP], "the gap stays"
    path.unlink()
    FileRecorder(path, anchors=AnchorFile(anchors), every=2).record(record("d-8"))
    assert looked_at(path).first > 6
    assert anchors.stat().st_mode & 0o777 == 0o600


def test_an_edited_last_line_is_not_taken_over(path: Path) -> None:
    anchors = path.parent.parent / "anchors"
    FileRecorder(path, anchors=AnchorFile(anchors), every=1).record(record("d-0"))
    path.write_bytes(path.read_bytes().replace(b"d-0", b"d-x"))
    FileRecorder(path, anchors=AnchorFile(anchors), every=1).record(record("d-1"))
    assert faults(path) == [Fault.EDITED]
    assert set(faults(path, anchors)) == {Fault.EDITED, Fault.ANCHOR}


def test_anchors_that_can_t_be_written_fail_the_record(path: Path) -> None:
    anchors = path.parent / "elsewhere" / "anchors"
    recorder = FileRecorder(path, anchors=AnchorFile(anchors), every=1)
    anchors.parent.rmdir()  # somebody took it away since
    with pytest.raises(Unrecorded, match="the anchor can't be written"):
        recorder.record(record("d-0"))


@pytest.mark.parametrize("sync", Sync)
def test_every_setting_of_the_disk_keeps_the_chain(path: Path, sync: Sync) -> None:
    recorder = FileRecorder(path, size=700, sync=sync, anchors=AnchorFile(path.parent / "anchors"), every=3)
    for number in range(12):
        recorder.record(record(f"d-{number}"))
    assert names(path) == [f"d-{number}" for number in range(12)]
    assert looked_at(path, path.parent / "anchors").anchored == 12


def test_threads_share_a_recorder(path: Path) -> None:
    recorder = FileRecorder(path, size=4_000, keep=1000)

    def work(who: int) -> None:
        for number in range(40):
            recorder.record(record(f"d-{who}-{number}"))

    threads = [threading.Thread(target=work, args=(who,)) for who in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(names(path))) == 240
    assert faults(path) == []


def test_a_process_that_is_forked_off_goes_on_in_the_same_chain(path: Path) -> None:
    recorder = FileRecorder(path)
    recorder.record(record("parent-0"))
    children = []
    for child in range(3):
        if (process := os.fork()) == 0:
            status = 1
            try:
                for number in range(30):
                    recorder.record(record(f"{child}-{number}"))
                status = 0
            finally:
                os._exit(status)
        children.append(process)
    for number in range(30):
        recorder.record(record(f"parent-{number + 1}"))
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    assert len(names(path)) == 121
    assert faults(path) == []


# --- processes --------------------------------------------------------------------------------------------------------


def begin(path: Path, who: str, size: int, count: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.recording.writer", str(path), who, str(size), str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


def go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"ready\n"
    process.stdin.write(b"go\n")
    process.stdin.flush()


def acknowledged(process: subprocess.Popen[bytes]) -> list[str]:
    assert process.stdout is not None
    assert process.stdin is not None
    with process.stdout, process.stdin:
        whole, _, _ = process.stdout.read().decode().rpartition("\n")
    process.wait(60)
    return whole.split("\n") if whole else []


def test_a_process_that_opens_the_log_while_it_is_rotated_is_in_nobody_s_way(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.rename

    def renamed(old: str, new: str) -> None:
        rename(old, new)
        opened.append(FileRecorder(path, size=2_000))

    opened: list[FileRecorder] = []
    monkeypatch.setattr("os.rename", renamed)
    one = FileRecorder(path, size=2_000)
    for number in range(40):
        one.record(record(f"r-{number}"))
    assert opened
    opened[0].record(record("last"))
    assert names(path) == [*(f"r-{number}" for number in range(40)), "last"]
    assert faults(path) == []


def test_processes_write_one_chain(path: Path) -> None:  # C13
    writers = [begin(path, f"w{number}", 20_000, 150) for number in range(3)]
    for writer in writers:
        go(writer)
    wrote = [acknowledged(writer) for writer in writers]
    assert [len(each) for each in wrote] == [150] * 3
    found = names(path)
    for each in wrote:
        mine = set(each)
        assert [name for name in found if name in mine] == each, "each one's in its own order"
    assert len(found) == 450
    assert faults(path) == []
    assert len(full_files(str(path))) > 3


def test_no_acknowledged_record_of_a_killed_process_is_missing_or_doubled(path: Path) -> None:  # C13
    chance = random.Random(7)  # noqa: S311
    wrote: list[str] = []
    for turn in range(12):
        writers = [begin(path, f"{turn}-{number}", 8_000, 100_000) for number in range(2)]
        for writer in writers:
            go(writer)
        for writer in writers:
            time.sleep(chance.random() * 0.1)
            writer.send_signal(signal.SIGKILL)
        for writer in writers:
            wrote += acknowledged(writer)
    FileRecorder(path, keep=100_000).record(record("last"))
    found = names(path)
    assert len(found) == len(set(found)), "none is doubled"
    assert set(wrote) <= set(found), "none is missing"
    assert len(wrote) > 100
    told = looked_at(path)
    assert told.ok, told.found


def test_a_process_that_is_killed_within_a_line_leaves_a_log_that_goes_on(path: Path) -> None:
    FileRecorder(path).record(record("d-0"))
    # The system itself cuts the line: a file may get no longer, and whoever tries is killed.
    code = (
        "import resource, signal, sys\n"
        "from gateway.recorders.file import FileRecorder\n"
        "from gateway.record import Record, RecordKind\n"
        "recorder = FileRecorder(sys.argv[1])\n"
        "recorder.record(Record(RecordKind.DECISION, 0, id='d-1'))\n"
        "size = __import__('os').stat(sys.argv[1]).st_size\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, size + 100))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
        "recorder.record(Record(RecordKind.DECISION, 0, id='d-2', arguments={'text': 'x' * 1000}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == -signal.SIGXFSZ, done.stderr
    assert faults(path) == [Fault.TORN]
    FileRecorder(path).record(record("d-3"))
    assert names(path) == ["d-0", "d-1", "d-3"]
    assert looked_at(path).ok


def test_a_full_disk_fails_the_record_and_leaves_the_log_as_it_was(path: Path) -> None:
    recorder = FileRecorder(path)
    recorder.record(record("d-0"))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 100, before[1]))
    try:
        with pytest.raises(Unrecorded, match=os.strerror(errno.EFBIG)):
            recorder.record(record("d-1", text="x" * 1000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    recorder.record(record("d-2"))
    assert names(path) == ["d-0", "d-2"]
    assert faults(path) == []
