"""Reads a log that is kept in files or in a store, from its first line to its last."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import IO

from gateway.chain import Line
from gateway.recorders.file import full_files
from gateway.recorders.store import NAME, log_key
from gateway.state import Store

_LONGEST = 1024 * 1024
"""No record is so long; a line that is stands for no record."""
_ROWS = 500


def file_lines(path: str | os.PathLike[str]) -> Iterator[Line]:
    """The lines of a log in files, those of full files first; raises `OSError` where they can't be read."""
    given = os.path.realpath(path)
    with ExitStack() as opened:
        files = _opened(given, opened)
        for file in files:
            yield from _lines(file)


def _opened(path: str, opened: ExitStack) -> list[IO[bytes]]:
    """All files at one moment: none is renamed meanwhile."""
    with ExitStack() as locked:
        with suppress(OSError):  # who may not lock reads all the same
            guard = locked.enter_context(open(f"{path}.lock", "rb"))  # noqa: PTH123
            fcntl.flock(guard.fileno(), fcntl.LOCK_SH)
        full = full_files(path)
        paths = [*full, path] if os.path.exists(path) or not full else full  # noqa: PTH110
        return [opened.enter_context(open(each, "rb")) for each in paths]  # noqa: PTH123


def _lines(file: IO[bytes]) -> Iterator[Line]:
    name, number = os.path.basename(file.name), 0  # noqa: PTH119
    size = os.fstat(file.fileno()).st_size  # what is written meanwhile is left for the next time
    while size > 0 and (line := file.readline(min(size, _LONGEST))):
        size -= len(line)
        number += 1
        ended = line.endswith(b"\n")
        yield Line(f"{name}:{number}", line.removesuffix(b"\n"), b"\n" if ended else b"")


def store_lines(store: Store, tenant: str, name: str = NAME) -> Iterator[Line]:
    """The lines of a tenant's log in a store; raises `Unavailable`."""
    place, after = log_key(tenant, name), 0
    while rows := store.rows(place, after, _ROWS):
        for row in rows:
            yield Line(f"row {row.number}", row.value)
        after = rows[-1].number
