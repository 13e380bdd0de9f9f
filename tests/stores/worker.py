"""A process of its own that does things with stores: each line that it is told is an address, a task and a number.

It says `ready` when the store is open, begins when it is told the next line, and prints what came of it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from gateway.state import Append, Count, Kind, Lost, Put, Store, Window, key
from gateway.stores import open_store

T = 1_790_000_000_000_000
MINUTE = 60_000_000
RATE = key("acme", Kind.LIMIT, "rate")
LOG = key("acme", Kind.AUDIT)
ENTRIES = [key("acme", Kind.APPROVAL, str(number)) for number in range(25)]


def claim(store: Store, number: int) -> list[int]:
    """Take each entry for oneself, and then use it up; which ones this process had, and which it used."""
    had, used = [], []
    for place, each in enumerate(ENTRIES):
        if _made(store, Put(each, b"%d" % number, 0)):
            had.append(place)
        if _made(store, Put(each, b"used by %d" % number, 1)):
            used.append(place)
    return [*had, -1, *used]


def count(store: Store, number: int) -> list[int]:
    """Count until no more may be counted; the moments at which it could."""
    counted = []
    for turn in range(1000):
        at = T + turn * 1000 + number
        if not _made(store, Count(RATE, at, 1, MINUTE, 100)):
            break
        counted.append(at)
    return counted


def append(store: Store, number: int) -> list[int]:
    """Add rows behind the last, by its number; the numbers that it got."""
    added: list[int] = []
    while len(added) < 12:
        last = store.last(LOG)
        place = 1 if last is None else last.number + 1
        if _made(store, Append(LOG, b"%d" % number, place)):
            added.append(place)
    return added


def opened(store: Store, number: int) -> list[int]:
    """Whether it can be used, once it is open."""
    store.apply([Put(key("acme", Kind.SESSION, str(number)), b"", 0)])
    return [number]


def endless(store: Store, number: int) -> list[int]:
    """Change four things at once, again and again, and say so after each time, until somebody ends it."""
    tenant = f"acme-{number}"
    for turn in range(10**9):
        store.apply(
            [
                Put(key(tenant, Kind.JOURNAL, str(turn)), b"x" * (turn * 997 % 20_000), 0),
                Append(key(tenant, Kind.AUDIT), b"%d" % turn, turn + 1),
                Count(key(tenant, Kind.LIMIT), T + turn, 1, 10 * MINUTE, 10**9),
                Put(key(tenant, Kind.OVERRIDE, "last"), b"%d" % turn, turn),
            ]
        )
        os.write(1, b"%d\n" % turn)
    return []


def forks(store: Store, number: int) -> list[int]:
    """Fork while a thread uses the store; the parent and its children count together, each as often as it can."""
    from threading import Event, Thread

    stop = Event()
    mine = [0]

    def work() -> None:
        while not stop.is_set():
            store.read([RATE, Window(RATE, 0)])
            mine[0] += _made(store, Count(RATE, T, 1, MINUTE, 10**6))

    thread = Thread(target=work)
    thread.start()
    children = []
    for _ in range(6):
        child = os.fork()
        if child == 0:
            done = sum(_made(store, Count(RATE, T, 1, MINUTE, 10**6)) for _ in range(20))
            os._exit(0 if done == 20 and store.read([Window(RATE, 0)]).totals[Window(RATE, 0)] >= 20 else 1)
        children.append(child)
    failed = [os.waitpid(child, 0)[1] for child in children]
    stop.set()
    thread.join()
    total = store.read([Window(RATE, 0)]).totals[Window(RATE, 0)]
    return [total - mine[0] - 20 * len(children), *failed]


def _made(store: Store, change: Put | Count | Append) -> bool:
    try:
        store.apply([change])
    except Lost:
        return False
    return True


TASKS: Mapping[str, Callable[[Store, int], list[int]]] = {
    task.__name__: task for task in (claim, count, append, opened, endless, forks)
}


def main() -> None:
    while line := sys.stdin.readline():
        url, name, number = line.split()
        task = TASKS[name]
        if task is opened:
            tell("ready")
            store = open_store(url)
        else:
            store = open_store(url)
            tell("ready")
        print(*task(store, int(number)), flush=True)
        store.close()


def tell(word: str) -> None:
    print(word, flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main()
