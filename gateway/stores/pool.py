"""Connections to PostgreSQL: opened when needed, each used by one thread at a time, none forever."""

from __future__ import annotations

from collections import deque
from threading import BoundedSemaphore
from time import monotonic
from typing import Any, TypeVar, cast

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict

from gateway.malformed import Malformed
from gateway.state import Unavailable

MOST = 8
"""Connections of one process at once; more threads wait for one."""

_T = TypeVar("_T")

_SETTINGS = """
SELECT set_config('statement_timeout', %s, false), set_config('lock_timeout', %s, false),
    set_config('idle_in_transaction_session_timeout', %s, false),
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END
"""


class Patient(psycopg.Connection[Any]):
    """A connection that waits so many seconds for an answer, even of a server that stands still."""

    patience = 5.0

    def wait(self, gen: PQGen[_T], *settings: Any, **named: Any) -> _T:
        """Wait for an answer, and then no more."""
        return super().wait(_bounded(gen, self.patience), *settings, **named)


def _bounded(gen: PQGen[_T], seconds: float) -> PQGen[_T]:
    """The same steps; psycopg takes one each tenth of a second, even if the server says nothing."""
    deadline = monotonic() + seconds
    try:
        asked = next(gen)
        while True:
            ready = yield asked
            if monotonic() > deadline:
                raise psycopg.OperationalError(f"the server did not answer within {seconds:g} seconds")
            asked = gen.send(ready)
    except StopIteration as done:
        return cast(_T, done.value)


class Pool:
    """The connections of one process."""

    def __init__(self, address: str, patience: float) -> None:
        self._address = address
        self._patience = patience
        self._idle: deque[Patient] = deque()
        self._places = BoundedSemaphore(MOST)
        self._closed = False

    def take(self) -> Patient:
        """A connection for this thread alone, until it is given back or dropped."""
        if not self._places.acquire(timeout=self._patience):
            raise Unavailable(f"all {MOST} connections are in use for longer than {self._patience:g} seconds")
        try:
            self.usable()
            try:
                return self._idle.pop()
            except IndexError:
                return self._connected()
        except BaseException:
            self._places.release()
            raise

    def give(self, connection: Patient) -> None:
        """Take back a connection that is not in a transaction."""
        self._idle.append(connection)
        self._places.release()
        if self._closed:
            self.close()

    def drop(self, connection: Patient) -> None:
        """Close a connection of which it is not known what it is in the middle of."""
        lost = connection.closed
        connection.close()
        self._places.release()
        if lost:
            # A server that was started anew has lost them all.
            self._empty()

    def close(self) -> None:
        """Close those that nobody uses now, and the others when they are given back."""
        self._closed = True
        self._empty()

    def usable(self) -> None:
        """Refuse to go on where it was closed."""
        if self._closed:
            raise Unavailable("the store is closed")

    def anew(self) -> Pool:
        """One that has no connection yet."""
        made = Pool(self._address, self._patience)
        made._closed = self._closed
        return made

    def _empty(self) -> None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                return
            connection.close()

    def _connected(self) -> Patient:
        connection = connected(self._address, self._patience)
        patience = str(max(int(self._patience * 1000), 1))
        try:
            # The server gives up first, where it can, and says why.
            connection.patience = 1.5 * self._patience
            connection.execute(_SETTINGS, (patience, patience, patience))
        except BaseException:
            connection.close()
            raise
        return connection


def connected(address: str, patience: float) -> Patient:
    """A new connection; each statement outside a transaction is one by itself."""
    try:
        given = conninfo_to_dict(address)
    except psycopg.ProgrammingError:
        # It would repeat what is written there, of which some is secret.
        raise Malformed("the address of the database can't be read", "write it as libpq does") from None
    defaults = {
        "connect_timeout": max(int(patience), 2),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "application_name": "gateway",
    }
    missing: dict[str, Any] = {name: value for name, value in defaults.items() if name not in given}
    return Patient.connect(address, autocommit=True, **missing)
