"""Tells the stores of a process before it forks and after: no connection lives on in two processes."""

from __future__ import annotations

import os
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


def tell(store: Forking) -> None:
    """Tell it of forks from now on, as long as it is there."""
    if not _registered:
        _registered.append(True)
        os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_forked)
    _STORES.add(store)


_registered: list[bool] = []


def _before() -> None:
    # Always in the same order, so that two threads that fork at once don't wait for each other.
    for store in sorted(_STORES, key=id):
        store.before_fork()


def _after() -> None:
    for store in list(_STORES):
        store.after_fork()


def _forked() -> None:
    for store in list(_STORES):
        store.forked()
