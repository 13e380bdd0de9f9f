"""A store in one file, for all processes of one user on one machine: SQLite with a write-ahead log."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from enum import Enum
from random import uniform
from time import monotonic, sleep
from typing import Any, NoReturn

from gateway.state import Change, Entry, Key, Kind, Lost, Piece, Row, State, Unavailable, Window
from gateway.stores import forks
from gateway.stores.encoding import decoded, encoded, watched
from gateway.stores.place import prepared
from gateway.stores.schema import SQLITE
from gateway.stores.statements import Statements, placed, state
from gateway.stores.turns import Turns

PATIENCE = 5.0
"""Seconds that one waits for other threads and processes before the store is `Unavailable`."""

APPLICATION = 0x67617465
"""Tells a store from the databases of other programs, in the file's header."""

_SQL = Statements("", "?")
_PAUSE = 0.000_2, 0.002
"""Seconds between which each wait for another process is, at random."""

_FAILURES = (sqlite3.Error, sqlite3.Warning, OverflowError)


class Synchronous(Enum):
    """What a power cut may cost; a process that is killed loses nothing that was applied with either.

    FULL: nothing. Each apply waits until the disk has it.

    NORMAL: what was applied since SQLite last copied its log into the file (about 1,000 pages), as if it had never
    been. A call that was journaled can then run again without a question, and an approval be used a second time.
    """

    FULL = "full"
    NORMAL = "normal"


class SQLiteStore:
    """Opens, and where needed makes or updates, the store at a path, which must be on a disk of this machine.

    Durability is FULL unless somebody says otherwise: at most once is a promise that a power cut must not break.
    """

    def __init__(
        self, path: str, synchronous: Synchronous = Synchronous.FULL, patience: float = PATIENCE
    ) -> None:
        self.synchronous = synchronous
        self._patience = patience
        # Who reads does not wait for who writes, which may take the disk's time.
        self._reader = _Lane()
        self._writer = _Lane()
        self._closed = ""
        self._path, self._file = prepared(path)
        self._name = str(self._path)
        self._process = os.getpid()
        self._take(self._writer).turns.give()
        forks.tell(self)

    @property
    def files(self) -> tuple[str, ...]:
        """The file, and those that SQLite writes beside it."""
        return (str(self._path), *(f"{self._path}{ending}" for ending in ("-wal", "-shm", "-journal")))

    def read(self, keys: Sequence[Key | Window]) -> State:
        """What is held under the keys, all at one moment."""
        parts = _SQL.reads(keys)
        if len(parts) == 1:
            # Who wrote last has at hand what is read next.
            found = self._rows_at_hand(*parts[0])
            return state(keys, self._rows_of(*parts[0]) if found is None else found)
        lane = self._take(self._reader)
        try:
            execute = lane.connection.execute
            execute("BEGIN")
            found = [row for part in parts for row in execute(*part)]
            execute("COMMIT")
        except BaseException as error:
            self._failed(lane, error)
        finally:
            lane.turns.give()
        return state(keys, found)

    def apply(self, changes: Sequence[Change]) -> None:
        """Make all changes at once and for good; raises `Lost` where one can't be made."""
        statements = [_SQL.of(change) for change in changes]
        lane = self._take(self._writer)
        try:
            self._same_file()
            execute = lane.connection.execute
            self._begin(lane.connection)
            for change, (statement, parameters) in zip(changes, statements, strict=True):
                if execute(statement, parameters).rowcount != 1:
                    execute("ROLLBACK")
                    raise Lost(change)
            execute("COMMIT")
        except Lost:
            raise
        except BaseException as error:
            self._failed(lane, error)
        finally:
            lane.turns.give()

    def piece(self, key: Key, offset: int, limit: int) -> Piece | None:
        """A part of an entry's value; None where there is no entry."""
        place = max(offset, 0) + 1, max(limit, 0)
        return next((Piece(*one) for one in self._rows_of(_SQL.piece, (*place, *placed(key)))), None)

    def listed(self, tenant: str, kind: Kind, after: str, limit: int) -> Sequence[tuple[Key, Entry]]:
        """The entries of a kind by name, from the first behind `after` on."""
        place = encoded(tenant), kind.value, encoded(after), max(limit, 0)
        return [
            (Key(tenant, kind, decoded(name)), Entry(value, version))
            for name, value, version in self._rows_of(_SQL.listed, place)
        ]

    def counted(self, window: Window, limit: int) -> Sequence[tuple[int, int]]:
        """The counts behind a window's total, oldest first."""
        return self._rows_of(_SQL.counted, (*placed(window.key), window.after, max(limit, 0)))

    def rows(self, key: Key, after: int, limit: int) -> Sequence[Row]:
        """The rows behind a number, in order."""
        return [Row(*one) for one in self._rows_of(_SQL.rows, (*placed(key), after, max(limit, 0)))]

    def last(self, key: Key) -> Row | None:
        """The row that was added last."""
        return next((Row(*one) for one in self._rows_of(_SQL.last, placed(key))), None)

    def generation(self, tenant: str, kind: Kind) -> int:
        """A number that is another one after entries of the kind were changed, by whichever process, at once."""
        watched(kind)
        place = encoded(tenant), kind.value
        found = self._rows_at_hand(_SQL.generation, place)
        if found is None:
            found = self._rows_of(_SQL.generation, place)
        return int(found[0][0]) if found else 0

    def sweep(self, now: int, limit: int) -> int:
        """Remove entries that have expired and counts that no window reaches any more; how many went."""
        lane = self._take(self._writer)
        try:
            self._same_file()
            execute = lane.connection.execute
            self._begin(lane.connection)
            went = execute(_SQL.sweep_entries, (now, now, max(limit, 0))).rowcount
            went += execute(_SQL.sweep_counts, (now, now, max(limit - went, 0))).rowcount
            execute("COMMIT")
        except BaseException as error:
            self._failed(lane, error)
        finally:
            lane.turns.give()
        return went

    def close(self) -> None:
        """Let go of the file."""
        self._closed = self._closed or "the store is closed"
        for lane in (self._reader, self._writer):
            # What takes longer is in the middle of something, and is closed with the process.
            if lane.turns.take(self._patience):
                lane.drop()
                lane.turns.give()

    def before_fork(self) -> None:
        """Close the connections: SQLite can't tell two processes apart that have one in common."""
        deadline = monotonic() + self._patience
        for lane in (self._reader, self._writer):
            lane.quiet = lane.turns.take(max(deadline - monotonic(), 0))
            if lane.quiet:
                lane.drop()

    def after_fork(self) -> None:
        """Go on; a connection is opened when one is needed."""
        for lane in (self._reader, self._writer):
            if lane.quiet:
                lane.turns.give()

    def forked(self) -> None:
        """Begin anew, unless another thread was in the middle of something that this process now has half of."""
        if not (self._reader.quiet and self._writer.quiet):
            self._closed = "the store was in use when this process was forked off"
            _ABANDONED.extend((self._reader, self._writer))
        # Threads that waited for their turn are not in this process.
        self._reader, self._writer = _Lane(), _Lane()
        self._process = os.getpid()

    def _rows_of(self, statement: str, parameters: Sequence[Any]) -> list[Any]:
        lane = self._take(self._reader)
        try:
            return lane.connection.execute(statement, parameters).fetchall()
        except BaseException as error:
            self._failed(lane, error)
        finally:
            lane.turns.give()

    def _rows_at_hand(self, statement: str, parameters: Sequence[Any]) -> list[Any] | None:
        """What the connection that writes says, if nobody writes and it need not wait."""
        lane = self._writer
        if not lane.open or not lane.turns.take_if_free():
            return None
        try:
            if not lane.open or self._closed or self._process != os.getpid():
                return None
            return lane.connection.execute(statement, parameters).fetchall()
        except BaseException as error:
            if isinstance(error, sqlite3.OperationalError) and _busy(error):
                return None
            self._failed(lane, error)
        finally:
            lane.turns.give()

    def _take(self, lane: _Lane) -> _Lane:
        """The lane with an open connection, for this thread alone until it is freed."""
        if self._process != os.getpid():
            raise Unavailable("this process was forked off unseen by Python: open the store in it")
        if not lane.turns.take(self._patience):
            raise Unavailable(f"`{self._path}` is in use for longer than {self._patience:g} seconds")
        try:
            if self._closed:
                raise Unavailable(self._closed)
            if not lane.open:
                lane.connection = self._connected(lane)
                lane.open = True
        except BaseException:
            lane.turns.give()
            raise
        return lane

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Wait for the processes that write; SQLite itself asks again so rarely that it hardly gets a turn."""
        deadline = 0.0
        while True:
            try:
                connection.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                now = monotonic()
                deadline = deadline or now + self._patience
                if not _busy(error) or now > deadline:
                    raise
            sleep(uniform(*_PAUSE))  # noqa: S311  # nobody gains by foreseeing it

    def _failed(self, lane: _Lane, error: BaseException) -> NoReturn:
        """Whatever happened, the next one begins with a new connection, which knows nothing of this one."""
        lane.drop()
        if isinstance(error, _FAILURES):
            raise Unavailable(f"`{self._path}`: {error}") from error
        raise error

    def _same_file(self) -> None:
        """A file that was removed or replaced can still be written to, and nobody else would ever see that."""
        try:
            about = os.stat(self._name)  # noqa: PTH116
        except OSError as error:
            raise Unavailable(f"`{self._path}` is gone: {error.strerror}") from error
        if (about.st_dev, about.st_ino) != self._file:
            raise Unavailable(f"`{self._path}` is another file than the one that was opened")

    def _connected(self, lane: _Lane) -> sqlite3.Connection:
        self._same_file()
        try:
            connection = sqlite3.connect(
                self._path, timeout=self._patience, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise Unavailable(f"`{self._path}`: {error}") from error
        try:
            connection.execute("BEGIN")  # another process may be making the tables
            version = _version(connection)
            connection.execute("COMMIT")
            _logged_ahead(connection, monotonic() + self._patience)
            connection.execute(f"PRAGMA synchronous = {self.synchronous.value}")
            connection.execute("PRAGMA fullfsync = ON")  # where `fsync` alone does not reach the disk
            connection.execute("PRAGMA trusted_schema = OFF")
            if version < len(SQLITE):
                _migrated(connection)
            if lane is self._writer:
                connection.execute("PRAGMA busy_timeout = 0")  # it waits in its own way
        except BaseException as error:
            connection.close()
            if isinstance(error, Unavailable):
                raise Unavailable(f"`{self._path}` {error}") from None
            if isinstance(error, _FAILURES):
                raise Unavailable(f"`{self._path}`: {error}") from error
            raise
        return connection


class _Lane:
    """A connection that one thread uses at a time."""

    __slots__ = ("connection", "open", "quiet", "turns")

    def __init__(self) -> None:
        self.turns = Turns()
        self.connection: sqlite3.Connection
        self.open = False
        self.quiet = False

    def drop(self) -> None:
        if self.open:
            self.open = False
            self.connection.close()
            del self.connection


_ABANDONED: list[_Lane] = []
"""What another process uses is not even closed here."""


def _busy(error: sqlite3.OperationalError) -> bool:
    return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _logged_ahead(connection: sqlite3.Connection, deadline: float) -> None:
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            # Of several processes that open a new file at once SQLite lets most fail without waiting.
            if not _busy(error) or monotonic() > deadline:
                raise
            sleep(0.01)
            continue
        if mode != "wal":
            raise Unavailable("is on a file system where SQLite can't keep a log ahead")
        return


def _migrated(connection: sqlite3.Connection) -> None:
    """Bring the tables up to the version of this program, wholly or not at all; one process does."""
    connection.execute("BEGIN IMMEDIATE")
    for statements in SQLITE[_version(connection) :]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {len(SQLITE)}")
    connection.execute("COMMIT")


def _version(connection: sqlite3.Connection) -> int:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION and connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        raise Unavailable("is a database of another program")
    if version > len(SQLITE):
        raise Unavailable(
            f"is of version {version}, and this program knows none after {len(SQLITE)}: update it"
        )
    return int(version)
