"""Several processes at one store: of those that race one wins, and one that is killed leaves all or nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gateway.state import Kind, Window, key
from gateway.stores import open_store
from tests.stores.conftest import Stores
from tests.stores.worker import ENTRIES, LOG, RATE

PROCESSES = 8


@contextmanager
def workers(url: str, task: str, number: int, first: int = 0) -> Iterator[list[subprocess.Popen[str]]]:
    """So many processes that are all told to begin when each is ready."""
    made = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.stores.worker", url, task, str(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for place in range(first, first + number)
    ]
    try:
        for one in made:
            assert one.stdout is not None
            assert one.stdout.readline() == "ready\n"
        for one in made:
            assert one.stdin is not None
            one.stdin.write("begin\n")
            one.stdin.flush()
        yield made
    finally:
        for one in made:
            one.kill()
            one.communicate()


def results(url: str, task: str, number: int = PROCESSES) -> list[list[int]]:
    with workers(url, task, number) as made:
        said = [one.communicate(timeout=60)[0] for one in made]
        assert [one.returncode for one in made] == [0] * number
    return [[int(word) for word in line.split()] for line in said]


def test_of_those_who_claim_an_entry_one_has_it_and_one_uses_it(shared: Stores) -> None:
    had: Counter[int] = Counter()
    used: Counter[int] = Counter()
    for line in results(shared.url, "claim"):
        middle = line.index(-1)
        had.update(line[:middle])
        used.update(line[middle + 1 :])
    assert had == used == Counter(range(len(ENTRIES)))
    state = shared.open().read(ENTRIES)
    assert {entry.version for entry in state.entries.values()} == {2}


def test_a_hundred_are_counted_however_many_count(shared: Stores) -> None:
    counted = [moment for line in results(shared.url, "count") for moment in line]
    assert len(counted) == 100
    store = shared.open()
    assert store.counted(Window(RATE, 0), 1000) == [(moment, 1) for moment in sorted(counted)]


def test_counts_are_exact_whatever_isolation_the_database_prefers(schema: str) -> None:
    url = f"{schema}&options=-c%20default_transaction_isolation%3Dserializable"
    assert sum(map(len, results(url, "count"))) == 100


def test_rows_are_added_without_gaps_or_doubles(shared: Stores) -> None:
    lines = results(shared.url, "append")
    rows = shared.open().rows(LOG, 0, 1000)
    assert [row.number for row in rows] == list(range(1, 12 * PROCESSES + 1))
    for number, line in enumerate(lines):
        assert [row.number for row in rows if row.value == b"%d" % number] == line


def test_all_who_open_a_new_store_at_once_get_it(shared: Stores) -> None:
    assert results(shared.url, "opened") == [[number] for number in range(PROCESSES)]
    assert len(shared.open().listed("acme", Kind.SESSION, "", 100)) == PROCESSES


def test_a_process_that_is_killed_leaves_all_of_an_apply_or_nothing(shared: Stores) -> None:
    killed_at(shared.url)


def test_so_does_one_that_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    killed_at(f"sqlite://{tmp_path}/store.db?synchronous=normal")


def killed_at(url: str) -> None:
    """Kill processes in the middle of applies: each is there wholly or not at all, and those said to be done are there."""
    for kill in range(6):
        with workers(url, "endless", 1, first=kill) as (worker,):
            assert worker.stdout is not None
            for _ in range(5):
                worker.stdout.readline()
            time.sleep(0.02 + 0.013 * kill)
            worker.kill()
            said = [4, *map(int, worker.stdout.read().split())]
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


def test_a_fork_shares_the_store_and_no_connection(shared: Stores) -> None:
    shared.open()
    assert results(shared.url, "forks", 1) == [[0, *[0] * 6]]
