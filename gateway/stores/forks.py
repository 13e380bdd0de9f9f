"""Tells the stores of a process before it forks and after: no connection lives on in two processes."""

from __future__ import annotations

import os
from functools import cache
from threading import Lock
from typing import Protocol
from weakref import WeakSet


class Forking(Protocol):
    """Has something that must not be shared with a process that is forked off."""

    def before_fork(self) -> None:
        """Let go of it, or be ready to."""
        ...

    def after_fork(self) -> None:
        """Go on in the process that forked."""
        ...

    def forked(self) -> None:
        """Begin anew in the process that was forked off."""
        ...


_STORES: WeakSet[Forking] = WeakSet()
_told: list[Forking] = []
"""Whom a fork that is under way was told of."""
_lock = Lock()
"""Held while one is under way, too."""


@cache
def _registered() -> None:
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_forked)


def tell(store: Forking) -> None:
    """Tell it of forks from now on, as long as it is there."""
    with _lock:
        _registered()
        _STORES.add(store)


def _before() -> None:
    _lock.acquire()
    _told.extend(_STORES)
    for store in _told:
        store.before_fork()


def _after() -> None:
    for store in _told:
        store.after_fork()
    _told.clear()
    _lock.release()


def _forked() -> None:
    for store in _told:
        store.forked()
    _told.clear()
    _lock.release()
