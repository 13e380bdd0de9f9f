"""Several processes at one store: of those that race one wins, and one that is killed leaves all or nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from gateway.state import Kind, Window, key
from gateway.stores import open_store
from tests.stores.conftest import Stores
from tests.stores.worker import ENTRIES, LOG, RATE

PROCESSES = 8


Worker = subprocess.Popen[str]


def started() -> Worker:
    command = [sys.executable, "-m", "tests.stores.worker"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def told(worker: Worker, line: str) -> None:
    assert worker.stdin is not None
    worker.stdin.write(f"{line}\n")
    worker.stdin.flush()


def heard(worker: Worker) -> str:
    assert worker.stdout is not None
    return worker.stdout.readline().rstrip("\n")


def ended(worker: Worker) -> str:
    """What a process that is killed had said before."""
    with worker:
        worker.kill()
        assert worker.stdout is not None
        return worker.stdout.read()


@pytest.fixture(scope="module")
def crew() -> Iterator[list[Worker]]:
    """Processes that race in one test after another."""
    made = [started() for _ in range(PROCESSES)]
    yield made
    for one in made:
        ended(one)


def results(crew: Sequence[Worker], url: str, task: str) -> list[list[int]]:
    """What each says of a task that all begin when all are ready."""
    for number, one in enumerate(crew):
        told(one, f"{url} {task} {number}")
    assert [heard(one) for one in crew] == ["ready"] * len(crew)
    for one in crew:
        told(one, "begin")
    return [[int(word) for word in heard(one).split()] for one in crew]


def test_of_those_who_claim_an_entry_one_has_it_and_one_uses_it(crew: list[Worker], shared: Stores) -> None:
    had: Counter[int] = Counter()
    used: Counter[int] = Counter()
    for line in results(crew, shared.url, "claim"):
        middle = line.index(-1)
        had.update(line[:middle])
        used.update(line[middle + 1 :])
    assert had == used == Counter(range(len(ENTRIES)))
    state = shared.open().read(ENTRIES)
    assert {entry.version for entry in state.entries.values()} == {2}


def test_a_hundred_are_counted_however_many_count(crew: list[Worker], shared: Stores) -> None:
    counted = [moment for line in results(crew, shared.url, "count") for moment in line]
    assert len(counted) == 100
    store = shared.open()
    assert store.counted(Window(RATE, 0), 1000) == [(moment, 1) for moment in sorted(counted)]


def test_counts_are_exact_whatever_isolation_the_database_prefers(crew: list[Worker], schema: str) -> None:
    url = f"{schema}&options=-c%20default_transaction_isolation%3Dserializable"
    assert sum(map(len, results(crew, url, "count"))) == 100


def test_rows_are_added_without_gaps_or_doubles(crew: list[Worker], shared: Stores) -> None:
    lines = results(crew, shared.url, "append")
    rows = shared.open().rows(LOG, 0, 1000)
    assert [row.number for row in rows] == list(range(1, 12 * PROCESSES + 1))
    for number, line in enumerate(lines):
        assert [row.number for row in rows if row.value == b"%d" % number] == line


def test_all_who_open_a_new_store_at_once_get_it(crew: list[Worker], shared: Stores) -> None:
    assert results(crew, shared.url, "opened") == [[number] for number in range(PROCESSES)]
    assert len(shared.open().listed("acme", Kind.SESSION, "", 100)) == PROCESSES


def test_a_process_that_is_killed_leaves_all_of_an_apply_or_nothing(shared: Stores) -> None:
    killed_at(shared.url)


def test_so_does_one_that_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    killed_at(f"sqlite://{tmp_path}/store.db?synchronous=normal")


def killed_at(url: str) -> None:
    """Kill processes in the middle of applies: each is there wholly or not at all, and those said to be done are there."""
    for kill in range(6):
        worker = started()
        told(worker, f"{url} endless {kill}")
        assert heard(worker) == "ready"
        told(worker, "begin")
        assert [heard(worker) for _ in range(5)] == ["0", "1", "2", "3", "4"]
        time.sleep(0.02 + 0.013 * kill)
        said = [4, *map(int, ended(worker).split())]
        store = open_store(url)
        tenant = f"acme-{kill}"
        log, rate = key(tenant, Kind.AUDIT), Window(key(tenant, Kind.LIMIT), 0)
        calls = [key(tenant, Kind.JOURNAL, str(turn)) for turn in range(said[-1] + 3)]
        # A server may still be at the last apply of a process that is gone.
        rows = None
        while rows != (rows := store.rows(log, 0, 10**6)):
            time.sleep(0.1)
        assert rows is not None
        done = len(rows)
        assert done in (said[-1] + 1, said[-1] + 2)
        assert [row.number for row in rows] == list(range(1, done + 1))
        entries = store.read(calls).entries
        assert set(entries) == set(calls[:done])
        assert all(len(entries[calls[turn]].value) == turn * 997 % 20_000 for turn in range(done))
        assert store.read([rate]).totals == {rate: done}
        override = key(tenant, Kind.OVERRIDE, "last")
        assert store.read([override]).entries[override].version == done
        assert store.generation(tenant, Kind.OVERRIDE) == done
        store.close()


def test_a_fork_shares_the_store_and_no_connection(crew: list[Worker], shared: Stores) -> None:
    shared.open()
    assert results(crew[:1], shared.url, "forks") == [[0, *[0] * 6]]
