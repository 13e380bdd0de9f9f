"""A lock that threads get in the order in which they asked, so that none waits while others take it again and again."""

from __future__ import annotations

from collections import deque
from threading import Lock


class Turns:
    """One thread has it at a time, and gives it to the one that has waited longest."""

    def __init__(self) -> None:
        self._state = Lock()
        self._taken = False
        self._waiting: deque[Lock] = deque()

    def take(self, patience: float) -> bool:
        """Wait for one's turn, at most so many seconds; whether it came."""
        # A signal handler may ask while this thread is in here, and must not wait for it forever.
        if not self._state.acquire(timeout=patience):
            return False
        try:
            if not self._taken:
                self._taken = True
                return True
            turn = Lock()
            turn.acquire()
            self._waiting.append(turn)
        finally:
            self._state.release()
        if turn.acquire(timeout=patience):
            return True
        with self._state:
            if turn in self._waiting:
                self._waiting.remove(turn)
                return False
            return True  # it came just then

    def take_if_free(self) -> bool:
        """Have it now or not at all."""
        if not self._state.acquire(blocking=False):
            return False
        free = not self._taken
        self._taken = True
        self._state.release()
        return free

    def give(self) -> None:
        """Let the next one have it."""
        with self._state:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
