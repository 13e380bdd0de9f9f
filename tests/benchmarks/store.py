"""Time what a decision asks of its store: run `python -m tests.benchmarks.store`.

It starts a PostgreSQL server of its own, which waits for the disk as servers do. Figures are microseconds. The target
is for reading one journal entry and one rate and then writing both on SQLite, and leaves out the time of the disk:
exit 1 when `synchronous=normal`, which does the same without waiting for it, takes longer.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns

from gateway.state import Count, Kind, Put, Store, Window, key
from gateway.stores import open_store
from tests.stores.server import Disk, postgres, with_setting

TARGET_US = 150.0
TIMES = 2_000
MINUTE = 60_000_000
T = 1_790_000_000_000_000
RATE = key("acme", Kind.LIMIT, "pay", "ada")
OVERRIDES = key("acme", Kind.OVERRIDE, "pay")


def journal(turn: int) -> Put:
    return Put(key("acme", Kind.JOURNAL, "ada", "session", f"call-{turn}"), b"x" * 300, 0, T + 10**12)


def count(turn: int) -> Count:
    """A hundred of them are in a window of a minute."""
    return Count(RATE, T + turn * 600_000, 1, MINUTE, 1_000)


JOURNAL = [journal(turn) for turn in range(2 * TIMES)]
COUNTS = [count(turn) for turn in range(2 * TIMES)]


def read(store: Store, turn: int) -> None:
    store.read([JOURNAL[turn // 2].key, OVERRIDES, key("acme", Kind.SESSION, "session")])


def apply(store: Store, turn: int) -> None:
    store.apply([JOURNAL[turn], COUNTS[turn]])


def both(store: Store, turn: int) -> None:
    change, counted = JOURNAL[turn + TIMES], COUNTS[turn + TIMES]
    store.read([change.key, OVERRIDES, Window(RATE, counted.at - MINUTE)])
    store.apply([change, counted])


WORK: tuple[tuple[str, Callable[[Store, int], None]], ...] = (
    ("apply of an entry and a count", apply),
    ("read of 3 entries", read),
    ("read of 2 entries and a window, then apply", both),
)


def timed(work: Callable[[int], object]) -> tuple[float, float]:
    """The median and the 99th of a hundred, in microseconds."""
    taken = []
    for turn in range(TIMES):
        began = perf_counter_ns()
        work(turn)
        taken.append(perf_counter_ns() - began)
    taken.sort()
    return taken[len(taken) // 2] / 1000, taken[len(taken) * 99 // 100] / 1000


def disk(directory: Path) -> tuple[float, float]:
    """What the disk takes to keep about as much as one apply writes."""
    descriptor = os.open(directory / "disk", os.O_RDWR | os.O_CREAT)
    page = b"x" * 4096 * 4

    def work(turn: int) -> None:
        os.pwrite(descriptor, page, turn % 250 * len(page))
        os.fdatasync(descriptor)

    try:
        timed(work)
        return timed(work)
    finally:
        os.close(descriptor)


@contextmanager
def addresses() -> Iterator[list[tuple[str, str]]]:
    with tempfile.TemporaryDirectory(dir=Path.home()) as directory, postgres(Disk.REAL) as url:
        yield [
            ("memory", "memory:"),
            ("SQLite, synchronous=normal", f"sqlite://{directory}/normal.db?synchronous=normal"),
            ("SQLite, synchronous=full (default)", f"sqlite://{directory}/full.db"),
            ("PostgreSQL, on this machine", with_setting(url, "schema=benchmark")),
        ]


def main() -> None:
    print(f"{'':36}{'':46}{'p50':>8}{'p99':>8}")
    figures: dict[str, float] = {}
    with addresses() as every:
        for name, url in every:
            store = open_store(url)
            for title, work in WORK:
                p50, p99 = timed(lambda turn, store=store, work=work: work(store, turn))  # type: ignore[misc]
                figures[f"{name}: {title}"] = p50
                print(f"{name:36}{title:46}{p50:8.1f}{p99:8.1f}")
            store.close()
    with tempfile.TemporaryDirectory(dir=Path.home()) as directory:
        p50, p99 = disk(Path(directory))
    print(f"{'the disk alone':36}{'write of 16 KiB and fdatasync':46}{p50:8.1f}{p99:8.1f}")
    title = WORK[-1][0]
    full = figures[f"SQLite, synchronous=full (default): {title}"]
    normal = figures[f"SQLite, synchronous=normal: {title}"]
    print(
        f"read and apply on SQLite: p50 {full:.1f} us, {normal:.1f} us without waiting for the disk (target {TARGET_US:.0f})"
    )
    sys.exit(0 if normal <= TARGET_US else 1)


if __name__ == "__main__":
    main()
