"""The store in a file: whose file it is, what it refuses, and what it does when the file or the disk is not as it should be."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gateway.state import Kind, Lost, Put, Store, Unavailable, key
from gateway.stores.sqlite import SQLiteStore, Synchronous

CALL = key("acme", Kind.JOURNAL, "call")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "gateway" / "store.db"


def opened(path: Path, patience: float = 0.3) -> SQLiteStore:
    return SQLiteStore(str(path), Synchronous.NORMAL, patience)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def setting(store: SQLiteStore, name: str) -> object:
    return store._take(store._writer).connection.execute(f"PRAGMA {name}").fetchone()[0]


# --- the file --------------------------------------------------------------------------------------------------------


def test_all_that_is_made_is_the_users_own_whatever_the_mask(path: Path) -> None:
    before = os.umask(0)
    try:
        store = opened(path)
        store.apply([Put(CALL, b"", 0)])
    finally:
        os.umask(before)
    assert [mode(path.parent.parent), mode(path.parent)] == [0o700, 0o700]
    beside = sorted(path.parent.iterdir())
    assert [each.name for each in beside] == ["store.db", "store.db-shm", "store.db-wal"]
    assert [mode(each) for each in beside] == [0o600] * 3
    store.close()


def test_a_power_cut_costs_nothing_unless_somebody_chose_so(path: Path) -> None:
    store = SQLiteStore(str(path))
    assert setting(store, "synchronous") == 2
    assert setting(opened(path), "synchronous") == 1
    assert setting(opened(path), "journal_mode") == "wal"


@pytest.mark.parametrize("bits", [0o620, 0o602, 0o640, 0o604])
def test_a_file_that_others_may_open_is_refused(path: Path, bits: int) -> None:
    opened(path).close()
    path.chmod(bits)
    with pytest.raises(Unavailable, match=r"`.*store.db` may be read or changed by others: `chmod 600` it"):
        opened(path)


@pytest.mark.parametrize("bits", [0o720, 0o702, 0o777])
def test_a_directory_that_others_may_write_is_refused(path: Path, bits: int) -> None:
    path.parent.mkdir(parents=True)
    for changed in (path.parent, path.parent.parent):
        changed.chmod(bits)
        with pytest.raises(Unavailable, match=f"`{changed}` may be changed by others"):
            opened(path)
        changed.chmod(0o700)
    opened(path).close()


def test_a_directory_that_all_share_is_refused_but_not_one_in_it(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.parent.chmod(0o1777)
    with pytest.raises(Unavailable, match="others may put files into"):
        opened(path)
    opened(path.parent / "own" / "store.db").close()


def test_a_link_in_place_of_the_file_is_refused_and_one_on_the_way_followed(
    path: Path, tmp_path: Path
) -> None:
    opened(path).close()
    link = path.parent / "link.db"
    link.symlink_to(path)
    with pytest.raises(Unavailable, match="no regular file"):
        opened(link)
    (tmp_path / "way").symlink_to(path.parent)
    store = opened(tmp_path / "way" / "store.db")
    store.apply([Put(CALL, b"", 0)])
    store.close()


def test_a_directory_in_place_of_the_file_is_refused(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(Unavailable, match="no regular file"):
        opened(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_what_belongs_to_others_is_refused(path: Path) -> None:
    opened(path).close()
    os.chown(path, 65534, 65534)
    with pytest.raises(Unavailable, match="belongs to another user"):
        opened(path)
    os.chown(path, 0, 0)
    os.chown(path.parent, 65534, 65534)
    with pytest.raises(Unavailable, match="could put something else in its place"):
        opened(path)


def test_a_way_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="can't be opened: Not a directory"):
        opened(tmp_path / "file" / "store.db")


# --- what is in it ---------------------------------------------------------------------------------------------------


def made(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, mode=0o700)
    path.parent.parent.chmod(0o700)
    path.touch(0o600)
    path.write_bytes(content)


def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    made(path, b"not a database, but long enough to look like one" * 100)
    with pytest.raises(Unavailable, match=r"store.db`: file is not a database"):
        opened(path)
    assert path.read_bytes().startswith(b"not a database")


def test_a_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    made(path, b"")
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE notes (text)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(Unavailable, match=r"store.db` is a database of another program"):
        opened(path)
    assert path.read_bytes() == before


def test_a_damaged_file_answers_nothing(path: Path) -> None:
    store = opened(path)
    store.apply([Put(key("acme", Kind.JOURNAL, str(number)), b"x" * 500, 0) for number in range(500)])
    store.close()
    content = bytearray(path.read_bytes())
    for place in range(4096, len(content), 4096):
        content[place : place + 200] = os.urandom(200)
    path.write_bytes(content)
    with pytest.raises(Unavailable, match="malformed"):
        opened(path).listed("acme", Kind.JOURNAL, "", 1000)
    with pytest.raises(Unavailable, match="malformed"):
        opened(path).apply([Put(CALL, b"", 0)])


def test_a_file_that_was_removed_or_replaced_is_not_written_to(path: Path) -> None:
    store = opened(path)
    store.apply([Put(CALL, b"", 0)])
    path.rename(path.with_name("moved.db"))
    with pytest.raises(Unavailable, match="is gone"):
        store.apply([Put(CALL, b"", 1)])
    other = opened(path)
    with pytest.raises(Unavailable, match="is another file"):
        store.apply([Put(CALL, b"", 1)])
    with pytest.raises(Unavailable, match="is another file"):
        store.sweep(0, 1)
    other.apply([Put(CALL, b"", 0)])


def test_a_full_disk_leaves_what_was_there(path: Path) -> None:
    store = opened(path)
    store.apply([Put(CALL, b"before", 0)])
    lane = store._take(store._writer)
    pages = lane.connection.execute("PRAGMA page_count").fetchone()[0]
    lane.connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    lane.turns.give()
    with pytest.raises(Unavailable, match="full"):
        store.apply([Put(CALL, b"after", 1), Put(key("acme", Kind.RESULT, "large"), b"x" * 100_000, 0)])
    assert store.read([CALL]).entries[CALL].value == b"before"
    store.apply([Put(CALL, b"after", 1)])


# --- waiting ---------------------------------------------------------------------------------------------------------


def test_one_waits_no_longer_than_it_is_patient(path: Path) -> None:
    store = opened(path, patience=0.3)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    with pytest.raises(Unavailable, match="locked"):
        store.apply([Put(CALL, b"", 0)])
    assert 0.3 <= time.monotonic() - began < 4
    assert store.read([CALL]).entries == {}
    other.execute("ROLLBACK")
    other.close()
    store.apply([Put(CALL, b"", 0)])


def test_one_that_waits_goes_on_when_the_other_is_done(path: Path) -> None:
    store = opened(path, patience=5)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.2, lambda: other.execute("COMMIT"))
    timer.start()
    store.apply([Put(CALL, b"", 0)])
    timer.join()
    other.close()


def test_threads_wait_no_longer_than_they_are_patient(path: Path) -> None:
    store = opened(path, patience=0.2)
    lane = store._take(store._writer)
    with pytest.raises(Unavailable, match=r"in use for longer than 0\.2 seconds"):
        store.apply([Put(CALL, b"", 0)])
    lane.turns.give()
    store.apply([Put(CALL, b"", 0)])


@pytest.mark.usefixtures("interrupts")
def test_an_interrupted_apply_leaves_nothing(path: Path) -> None:
    store = opened(path)
    lane = store._take(store._writer)
    lane.connection.set_progress_handler(lambda: signal.raise_signal(signal.SIGINT), 1)
    lane.turns.give()
    with pytest.raises((KeyboardInterrupt, Unavailable)):
        for number in range(100):
            store.apply([Put(key("acme", Kind.SESSION, str(number)), b"", 0), Put(CALL, b"", None)])
    found = store.listed("acme", Kind.SESSION, "", 100)
    entry = store.read([CALL]).entries.get(CALL)
    assert len(found) == (0 if entry is None else entry.version)
    store.apply([Put(CALL, b"", None)])


# --- forks -----------------------------------------------------------------------------------------------------------

FORK = """
import os, sys
from gateway.state import *
from gateway.stores import open_store
store = open_store(sys.argv[1])
call = key("acme", Kind.JOURNAL, "call")
store.apply([Put(call, b"parent", 0)])
if os.fork() == 0:
    try:
        print(store.read([call]).entries[call].value.decode(), flush=True)
        store.apply([Put(call, b"child", 1)])
    except Unavailable as error:
        print(error, flush=True)
    os._exit(0)
os.wait()
print(store.read([call]).entries[call].value.decode())
store.close()
"""


def forked(url: str, program: str = FORK) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, url],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_a_process_that_is_forked_off_has_connections_of_its_own(path: Path, schema: str) -> None:
    assert forked(f"sqlite://{path}") == ["parent", "child"]
    assert forked(schema) == ["parent", "child"]


def test_a_store_in_memory_is_of_one_process() -> None:
    alone = "a store in memory can't be used by a process that was forked off"
    assert forked("memory:") == [alone, "parent"]


def test_a_fork_in_the_middle_of_an_apply_leaves_the_store_to_the_parent(path: Path) -> None:
    program = (
        FORK.replace("open_store(sys.argv[1])", "SQLiteStore(sys.argv[1], patience=0.2)")
        .replace("if os.fork()", "lane = store._take(store._writer)\nif os.fork()")
        .replace("os.wait()", "os.wait(); lane.turns.give()")
    )
    program = "from gateway.stores.sqlite import SQLiteStore\n" + program
    assert forked(str(path), program) == ["the store was in use when this process was forked off", "parent"]


def test_connections_are_closed_before_a_fork(path: Path) -> None:
    program = FORK.replace("if os.fork()", "held = os.listdir('/proc/self/fd')\nif os.fork()").replace(
        "    try:\n",
        "    print([one for one in os.listdir('/proc/self/fd') if 'store.db' in"
        " os.path.realpath('/proc/self/fd/' + one)])\n    try:\n",
    )
    assert forked(f"sqlite://{path}", program) == ["[]", "parent", "child"]


# --- turns -----------------------------------------------------------------------------------------------------------


def test_no_thread_waits_while_others_take_turn_after_turn(path: Path) -> None:
    store: Store = opened(path, patience=10)
    stop = threading.Event()

    def work(number: int) -> None:
        while not stop.is_set():
            with pytest.raises(Lost):
                store.apply([Put(CALL, b"", 10**9)])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    waits = []
    for _ in range(40):
        began = time.monotonic()
        store.apply([Put(CALL, b"", None)])
        waits.append(time.monotonic() - began)
        store.apply([Put(CALL, b"", None)])
    stop.set()
    for thread in threads:
        thread.join()
    assert max(waits) < 3
