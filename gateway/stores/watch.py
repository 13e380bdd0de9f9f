"""Answers whether entries changed anywhere, from memory and never later than a bound says."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from threading import Event, Lock, Thread
from time import monotonic

from gateway.state import Kind

Group = tuple[str, Kind]
Notices = Generator[Sequence[Group] | None, None, None]
"""Which groups changed, often none; None when it begins to be told. It ends where no more can be told."""

RETRY = 1.0
"""Seconds after which somebody who can't listen tries again."""


class Watch:
    """Keeps the generations of groups of entries for as long as nothing is heard of a change, at most for a bound.

    That they are asked for again after the bound is what is promised, and holds whether or not anybody listens;
    listening makes it quicker. What the own process changes is told by `changed` and seen at once.
    """

    def __init__(self, ask: Callable[[str, Kind], int], listen: Callable[[], Notices], bound: float) -> None:
        self._ask = ask
        self._listen = listen
        self._bound = bound
        self._lock = Lock()
        self._kept: dict[Group, tuple[int, float]] = {}
        self._heard = 0
        self._stop = Event()
        self._thread: Thread | None = None

    def generation(self, tenant: str, kind: Kind) -> int:
        """The number of the group, as it was at most the bound ago."""
        group = tenant, kind
        now = monotonic()
        found = self._kept.get(group)
        if found is not None and now < found[1]:
            return found[0]
        self._start()
        heard = self._heard
        number = self._ask(tenant, kind)
        with self._lock:
            # What was heard meanwhile may be newer than the answer.
            if heard == self._heard:
                self._kept[group] = number, now + self._bound
        return number

    def changed(self, group: Group | None) -> None:
        """Forget a group, or all."""
        with self._lock:
            self._heard += 1
            if group is None:
                self._kept.clear()
            else:
                self._kept.pop(group, None)

    def close(self) -> None:
        """Listen no more."""
        self._stop.set()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _start(self) -> None:
        if self._thread is None:
            with self._lock:
                if self._thread is None and not self._stop.is_set():
                    self._thread = Thread(target=self._run, name="gateway-watch", daemon=True)
                    self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            with closing(self._listen()) as notices:
                for groups in notices:
                    if self._stop.is_set():
                        return
                    for group in (None,) if groups is None else groups:
                        self.changed(group)
            self._stop.wait(RETRY)
