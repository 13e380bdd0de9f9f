"""A store in a PostgreSQL database, for replicas on several machines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any, TypeVar

import psycopg

from gateway.malformed import Malformed
from gateway.state import (
    WATCHED,
    Change,
    Delete,
    Entry,
    Key,
    Kind,
    Lost,
    Piece,
    Put,
    Row,
    State,
    Unavailable,
    Window,
)
from gateway.stores import forks
from gateway.stores.encoding import decoded, encoded, watched
from gateway.stores.pool import Patient, Pool, connected
from gateway.stores.schema import POSTGRES
from gateway.stores.statements import Statements, placed, state
from gateway.stores.watch import Group, Notices, Watch

PATIENCE = 5.0
"""Seconds to wait for a connection, a lock or an answer before the store is `Unavailable`."""

BOUND = 1.0
"""Seconds that a generation may lag behind what other processes changed."""

_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,47}")
_MOST = 2**31 - 2
"""What PostgreSQL counts bytes of a value with."""

_TICK = 0.2
_BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
_LOCKED = "SELECT pg_advisory_xact_lock(held) FROM unnest(%s::bigint[]) AS held"
_AGAIN = (psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure)
"""Errors after which it is certain that nothing was made."""

_T = TypeVar("_T")


class PostgresStore:
    """Opens the store at an address, in a schema that it makes if it may and it is not there.

    An apply is as durable as the server's own transactions are: an asynchronous replica that takes over may lack
    the last ones, and a server with `fsync` off loses some in a power cut.
    """

    def __init__(self, address: str, schema: str = "gateway", patience: float = PATIENCE) -> None:
        if _SCHEMA.fullmatch(schema) is None:
            raise Malformed(f"`{schema}` is no name of a schema", "use small letters, digits and `_`")
        self._address = address
        self._schema = schema
        self._patience = patience
        self._sql = Statements(f"{schema}.", "%s")
        self._pool = Pool(address, patience)
        self._watch = Watch(self._generation, self._notices, BOUND)
        try:
            self._asked(self._migrated)
        except BaseException:
            self._pool.close()
            raise
        forks.tell(self)

    @property
    def files(self) -> tuple[str, ...]:
        """It has none here: the server has them."""
        return ()

    def read(self, keys: Sequence[Key | Window]) -> State:
        """What is held under the keys, all at one moment."""
        parts = self._sql.reads(keys)
        if len(parts) == 1:
            return state(keys, self._rows_of(*parts[0]))

        def found(connection: Patient) -> list[Any]:
            with connection.pipeline():
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                done = [connection.execute(text, values, binary=True) for text, values in parts]
                connection.execute("COMMIT")
            return [row for cursor in done for row in cursor]

        return state(keys, self._asked(found))

    def apply(self, changes: Sequence[Change]) -> None:
        """Make all changes at once and for good; raises `Lost` where one can't be made."""
        statements = [self._sql.of(change) for change in changes]
        locks = self._locks(changes)

        def made(connection: Patient) -> None:
            with connection.pipeline():
                connection.execute(_BEGIN)
                # Each statement sees what was there when it began, which must be after the locks are held.
                connection.execute(_LOCKED, (locks,))
                done = [connection.execute(text, values) for text, values in statements]
            for change, cursor in zip(changes, done, strict=True):
                if cursor.rowcount != 1:
                    connection.execute("ROLLBACK")
                    raise Lost(change)

        try:
            self._asked(made, self._committed)
        finally:
            # Also where it is not known whether they were made.
            for group in _groups(changes):
                self._watch.changed(group)

    def piece(self, key: Key, offset: int, limit: int) -> Piece | None:
        """A part of an entry's value; None where there is no entry."""
        place = min(max(offset, 0), _MOST) + 1, min(max(limit, 0), _MOST)
        return next((Piece(*one) for one in self._rows_of(self._sql.piece, (*place, *placed(key)))), None)

    def listed(self, tenant: str, kind: Kind, after: str, limit: int) -> Sequence[tuple[Key, Entry]]:
        """The entries of a kind by name, from the first behind `after` on."""
        place = encoded(tenant), kind.value, encoded(after), max(limit, 0)
        return [
            (Key(tenant, kind, decoded(name)), Entry(value, version))
            for name, value, version in self._rows_of(self._sql.listed, place)
        ]

    def counted(self, window: Window, limit: int) -> Sequence[tuple[int, int]]:
        """The counts behind a window's total, oldest first."""
        return self._rows_of(self._sql.counted, (*placed(window.key), window.after, max(limit, 0)))

    def rows(self, key: Key, after: int, limit: int) -> Sequence[Row]:
        """The rows behind a number, in order."""
        return [Row(*one) for one in self._rows_of(self._sql.rows, (*placed(key), after, max(limit, 0)))]

    def last(self, key: Key) -> Row | None:
        """The row that was added last."""
        return next((Row(*one) for one in self._rows_of(self._sql.last, placed(key))), None)

    def generation(self, tenant: str, kind: Kind) -> int:
        """A number that is another one after entries of the kind were changed: by other processes within `BOUND`."""
        watched(kind)
        self._pool.usable()
        return self._watch.generation(tenant, kind)

    def sweep(self, now: int, limit: int) -> int:
        """Remove entries that have expired and counts that no window reaches any more; how many went."""
        went = 0

        def swept(connection: Patient) -> None:
            nonlocal went
            connection.execute(_BEGIN)
            went = connection.execute(self._sql.sweep_entries, (now, now, max(limit, 0))).rowcount
            went += connection.execute(self._sql.sweep_counts, (now, now, max(limit - went, 0))).rowcount

        try:
            self._asked(swept, self._committed)
        finally:
            self._watch.changed(None)
        return went

    def close(self) -> None:
        """Let go of the connections."""
        self._pool.close()
        self._watch.close()

    def before_fork(self) -> None:
        """Nothing: what a process inherits it leaves alone."""

    def after_fork(self) -> None:
        """Nothing changed."""

    def forked(self) -> None:
        """Begin with connections of this process's own."""
        _ABANDONED.append(self._pool)
        self._pool = self._pool.anew()
        self._watch = Watch(self._generation, self._notices, BOUND)

    def _rows_of(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        return self._asked(
            lambda connection: connection.execute(statement, parameters, binary=True).fetchall()
        )

    def _asked(self, work: Callable[[Patient], _T], finish: Callable[[Patient], None] | None = None) -> _T:
        """What some work gives; it is done again, once, where it is certain that nothing of it stays.

        That is so where the connection turns out to be lost before `finish` was begun: the server undoes what it has.
        """
        pool = self._pool
        again = True
        while True:
            try:
                connection = pool.take()
            except psycopg.Error as error:
                raise _unavailable(error) from error
            finishing = False
            try:
                made = work(connection)
                if finish is not None:
                    finishing = True
                    finish(connection)
            except Lost:
                pool.give(connection)
                raise
            except psycopg.Error as error:
                undone = connection.closed or isinstance(_first(error), _AGAIN)
                pool.drop(connection)
                if finishing or not undone or not again:
                    raise _unavailable(error) from error
                again = False
            except BaseException:
                pool.drop(connection)
                raise
            else:
                pool.give(connection)
                return made

    @staticmethod
    def _committed(connection: Patient) -> None:
        answer = connection.execute("COMMIT").statusmessage
        if answer != "COMMIT":
            raise Unavailable(f"the database answered {answer} when it was to commit")

    def _locks(self, changes: Sequence[Change]) -> str:
        """Numbers of what is changed, in the order in which all lock them: none wait for each other."""
        keys = {change.key for change in changes}
        names = {b"\xff".join((tenant, kind.encode(), name)) for tenant, kind, name in map(placed, keys)}
        names |= {b"\xff".join((encoded(tenant), kind.value.encode())) for tenant, kind in _groups(changes)}
        return _array(sorted(map(self._lock, names)))

    def _lock(self, name: bytes) -> int:
        key = self._schema.encode()
        return int.from_bytes(blake2b(name, digest_size=8, key=key).digest(), "big", signed=True)

    def _generation(self, tenant: str, kind: Kind) -> int:
        found = self._rows_of(self._sql.generation, (encoded(tenant), kind.value))
        return int(found[0][0]) if found else 0

    def _notices(self) -> Notices:
        """What the trigger tells; ends when the connection is lost."""
        try:
            with connected(self._address, self._patience) as connection:
                connection.execute(f"LISTEN {self._schema}")
                yield None
                while True:
                    told = [one.payload for one in connection.notifies(timeout=_TICK, stop_after=1)]
                    yield [group for payload in told if (group := _group(payload)) is not None]
        except psycopg.Error:
            return

    def _migrated(self, connection: Patient) -> None:
        """Bring the tables up to the version of this program, wholly or not at all; one process does."""
        schema = self._schema
        connection.execute(_BEGIN)
        connection.execute(_LOCKED, (_array([self._lock(b"migration")]),))
        # Making one that is there is refused to who may make none.
        if not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone():
            connection.execute(f"CREATE SCHEMA {schema}")
        if connection.execute("SELECT to_regclass(%s)", (f"{schema}.version",)).fetchall() == [(None,)]:
            connection.execute(f"CREATE TABLE {schema}.version (number integer NOT NULL)")
            connection.execute(f"INSERT INTO {schema}.version VALUES (0)")
        ((version,),) = connection.execute(f"SELECT number FROM {schema}.version").fetchall()
        if version > len(POSTGRES):
            raise Unavailable(
                f"the schema `{schema}` is of version {version}, and this program knows none after {len(POSTGRES)}:"
                " update it"
            )
        for statements in POSTGRES[version:]:
            for statement in statements:
                connection.execute(statement.format(schema=schema))
        if version < len(POSTGRES):
            connection.execute(f"UPDATE {schema}.version SET number = {len(POSTGRES)}")
        connection.execute("COMMIT")


_ABANDONED: list[Pool] = []
"""What another process uses is not even closed here."""


def _array(numbers: Sequence[int]) -> str:
    """As PostgreSQL reads it, which is quicker written so than by psycopg."""
    return "{" + ",".join(map(str, numbers)) + "}"


def _groups(changes: Sequence[Change]) -> set[Group]:
    return {
        (change.key.tenant, change.key.kind)
        for change in changes
        if change.key.kind in WATCHED and isinstance(change, Put | Delete)
    }


def _group(payload: str) -> Group | None:
    """What the trigger names; None for what others say on its channel."""
    kind, _, tenant = payload.partition(" ")
    try:
        return decoded(bytes.fromhex(tenant)), Kind(kind)
    except ValueError:
        return None


def _first(error: BaseException) -> BaseException:
    """The error that the others came of."""
    while isinstance(error.__context__, psycopg.Error):
        error = error.__context__
    return error


def _unavailable(error: psycopg.Error) -> Unavailable:
    first = _first(error)
    return Unavailable(str(first).strip() or type(first).__name__)
