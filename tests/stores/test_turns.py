"""Threads get a lock in the order in which they asked, and one that gives up is in nobody's way."""

from __future__ import annotations

import threading
import time

from gateway.stores.turns import Turns


def waiting(turns: Turns, number: int) -> None:
    deadline = time.monotonic() + 30
    while len(turns._waiting) < number:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_who_asked_first_is_first() -> None:
    turns = Turns()
    assert turns.take(0)
    order: list[int] = []

    def work(number: int) -> None:
        assert turns.take(30)
        order.append(number)
        turns.give()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        waiting(turns, number)
    assert not turns.take_if_free()
    turns.give()
    for thread in threads:
        thread.join()
    assert order == list(range(6))
    assert turns.take_if_free()


def test_one_that_gives_up_is_in_nobodys_way() -> None:
    turns = Turns()
    assert turns.take(0)
    began = time.monotonic()
    assert not turns.take(0.05)
    assert 0.05 <= time.monotonic() - began < 4
    assert not turns.take(0)
    turns.give()
    assert turns.take(0)


def test_it_is_never_two_threads_turn_nor_nobodys() -> None:
    turns = Turns()
    inside: list[int] = []
    most: list[int] = []
    had = [0] * 8

    def work(number: int) -> None:
        for turn in range(300):
            if turns.take(0.001 if turn % 3 else 30):
                inside.append(number)
                most.append(len(inside))
                if turn % 7 == 0:
                    time.sleep(0.0005)
                inside.remove(number)
                turns.give()
                had[number] += 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(most) == {1}
    assert min(had) >= 100
    assert turns.take(0)
