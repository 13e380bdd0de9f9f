"""Keeps records as lines of a file, which begins anew when it has grown large; several processes may share it.

There is one chain, whoever writes: each process takes the lock beside the file (`NAME.lock`), looks whether the file
is as it left it, and reads the last line again if not. So the chain goes on behind what others wrote, after a restart,
and in the next file. What is full is renamed to `NAME.` and the number of its first record.
"""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from threading import Lock
from time import monotonic, sleep

from gateway.chain import START, Anchor, Head, chained, hashed, read_line
from gateway.later import later
from gateway.record import Record, RecordKind, Unrecorded, written_time
from gateway.recorders.anchors import Anchors
from gateway.state import Unavailable
from gateway.stores.place import prepared

_WAIT = 10.0
"""How long another process may hold the file, in seconds."""
_TAIL = 256 * 1024
_FLAGS = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
_ROTATED = later(r"\.(\d{12,})")


class Sync(Enum):
    """When a record is on the disk; a process that is killed loses nothing it has acknowledged, whichever it is."""

    EACH = "each"
    """Before it is acknowledged: nothing acknowledged is lost when the machine itself ends."""
    ANCHORS = "anchors"
    """At each anchor and each new file: when the machine ends, what came after that may be lost."""
    NEVER = "never"
    """When the system sees fit."""


class FileRecorder:
    """Appends to a file that its user alone may read (0600), and keeps a number of full ones."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        size: int = 64 * 1024 * 1024,
        keep: int = 16,
        sync: Sync = Sync.ANCHORS,
        anchors: Anchors | None = None,
        every: int = 1000,
    ) -> None:
        """`size` is how long a file gets, in bytes, and `keep` how many full ones stay.

        The first record is anchored, and then one of `every` many.

        Raises `Unrecorded` where the file can't be used.
        """
        self._given = os.fspath(path)
        self._size = size
        self._keep = keep
        self._sync = sync
        self._anchors = anchors
        self._every = every
        self._threads = Lock()
        self._head = START
        self._file = -1
        self._guard = -1
        self._process = 0
        self._place: tuple[int, int] | None = None
        """The file's id and size as this process left it; None where it has to look."""
        try:
            self._path, _ = prepared(self._given)
            self._guarded, _ = prepared(f"{self._given}.lock")
        except Unavailable as error:
            raise Unrecorded(str(error)) from error

    def record(self, record: Record) -> None:
        """Append it; raises `Unrecorded`."""
        text = record.text
        with self._threads:
            try:
                with self._alone():
                    self._append(text, record.at)
            except OSError as error:
                self._place = None
                raise Unrecorded(f"`{self._path}` can't be written: {error.strerror or error}") from error

    def close(self) -> None:
        """Let go of the file."""
        with self._threads:
            self._let_go()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self._process != os.getpid():
            # A process that was forked off shares the lock with its parent until it opens its own.
            self._let_go()
            self._guard = os.open(self._guarded, os.O_RDWR | os.O_CLOEXEC | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            self._process = os.getpid()
        _lock(self._guard)
        try:
            yield
        finally:
            fcntl.flock(self._guard, fcntl.LOCK_UN)

    def _let_go(self) -> None:
        for descriptor in (self._file, self._guard):
            if descriptor >= 0:
                os.close(descriptor)
        self._file = self._guard = -1
        self._process, self._place = 0, None

    def _append(self, text: str, at: int) -> None:
        before, head = (b"", self._head) if self._is_as_left() else self._looked(at)
        line, head = chained(head, text)
        size = 0 if self._place is None else self._place[1]
        if size and not before and size + len(line) + 1 > self._size:
            self._rotate()
            size = 0
        data = before + line + b"\n"
        self._write(data, size)
        self._head = head
        self._place = os.fstat(self._file).st_ino, size + len(data)
        anchored = head.number == 1 or head.number % self._every == 0
        if self._sync is Sync.EACH or (anchored and self._sync is Sync.ANCHORS):
            os.fsync(self._file)
        if anchored and self._anchors is not None:
            self._anchors.put(Anchor(head.number, head.hash, at))

    def _is_as_left(self) -> bool:
        if self._place is None:
            return False
        try:
            about = os.stat(self._path)  # noqa: PTH116  # a path is text here
        except FileNotFoundError:
            return False
        return (about.st_ino, about.st_size) == self._place

    def _looked(self, at: int) -> tuple[bytes, Head]:
        """Open the file as it is now; what has to be written before the next record, and the head behind that."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        self._file = os.open(self._path, _FLAGS | os.O_CREAT, 0o600)
        about = os.fstat(self._file)
        self._place = about.st_ino, about.st_size
        head, torn, end = _tail(self._file, about.st_size)
        if head is None:
            head = self._head_of_last_full()
        anchor = None if self._anchors is None else self._anchors.last("")
        # Where the log was cut or changed it goes on behind what is known to have been there, and that shows.
        known = [self._head] if anchor is None else [Head(anchor.number, anchor.hash), self._head]
        head = max([*known, head], key=lambda one: one.number)
        if torn is None:
            return end, head
        told = (
            f'{{"at":"{written_time(at)}","kind":"{RecordKind.TORN.value}","bytes":{len(torn)},'
            f'"sha256":"{hashed(torn)}"}}'
        )
        line, head = chained(head, told)
        return end + line + b"\n", head

    def _head_of_last_full(self) -> Head:
        for path in reversed(full_files(self._path)):
            descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                head, _, _ = _tail(descriptor, os.fstat(descriptor).st_size)
            finally:
                os.close(descriptor)
            if head is not None:
                return head
        return START

    def _rotate(self) -> None:
        """Rename the file, begin the next one, and remove the oldest."""
        first = _first(self._file)
        while os.path.lexists(f"{self._path}.{first:012}"):
            first += 1  # the chain began anew, as somebody took the log away
        if self._sync is not Sync.NEVER:
            os.fsync(self._file)
        os.rename(self._path, f"{self._path}.{first:012}")  # noqa: PTH104
        os.close(self._file)
        self._file, self._place = -1, None
        # A process that opens the log in this moment may have made the next one, and writes nothing without the lock.
        self._file = os.open(self._path, _FLAGS | os.O_CREAT, 0o600)
        about = os.fstat(self._file)
        if about.st_size:
            raise OSError(errno.EEXIST, "another program writes into it")
        self._place = about.st_ino, 0
        full = full_files(self._path)
        for path in full[: max(len(full) - self._keep, 0)]:
            os.unlink(path)  # noqa: PTH108

    def _write(self, data: bytes, size: int) -> None:
        """All of it, or nothing."""
        done = 0
        try:
            while done < len(data):
                done += os.write(self._file, data[done:])
        except OSError:
            if done:
                os.ftruncate(self._file, size)
            raise


def full_files(path: str) -> list[str]:
    """The full files of a log, oldest first."""
    directory, name = os.path.split(path)
    found: list[tuple[int, str]] = []
    for entry in os.listdir(directory or "."):  # noqa: PTH208
        match = _ROTATED.fullmatch(entry.removeprefix(name)) if entry.startswith(name) else None
        if match is not None:
            found.append((int(match[1]), os.path.join(directory, entry)))  # noqa: PTH118
    return [each for _, each in sorted(found)]


def _lock(descriptor: int) -> None:
    """Take the file for this process alone; whoever holds it for long is not waited for."""
    pause, until = 0.0002, 0.0
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            until = until or monotonic() + _WAIT
            if monotonic() > until:
                raise
            sleep(pause)
            pause = min(pause * 2, 0.02)
        else:
            return


def _tail(descriptor: int, size: int) -> tuple[Head | None, bytes | None, bytes]:
    """The last whole line's number and hash, what stands behind it, if anything, and the end that is missing."""
    if not size:
        return None, None, b""
    for length in (min(size, _TAIL), size):
        start = size - length
        data = _read(descriptor, length, start)
        end = b"" if data.endswith(b"\n") else b"\n"
        lines = data.removesuffix(b"\n").split(b"\n")
        # The first of a part is the end of a line.
        for place in range(len(lines) - 1, 0 if start else -1, -1):
            value = read_line(lines[place])
            if value is not None:
                behind = lines[place + 1 :]
                return Head(value["n"], hashed(lines[place])), b"\n".join(behind) if behind else None, end
    return None, b"\n".join(lines), end


def _read(descriptor: int, length: int, start: int) -> bytes:
    parts = []
    while length > 0:
        part = os.pread(descriptor, length, start)
        if not part:
            break
        parts.append(part)
        start, length = start + len(part), length - len(part)
    return b"".join(parts)


def _first(descriptor: int) -> int:
    """The number of a file's first record."""
    size = os.fstat(descriptor).st_size
    for line in _read(descriptor, min(size, _TAIL), 0).split(b"\n"):
        value = read_line(line)
        if value is not None:
            number: int = value["n"]
            return number
    return 0
