"""Anchors of a log, kept outside of it: on another disk, or where those who run agents can't write."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Protocol

from gateway.chain import Anchor
from gateway.record import Unrecorded, written_time

_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Anchors(Protocol):
    """Keeps anchors of logs."""

    def put(self, anchor: Anchor) -> None:
        """Keep one for good, or raise `Unrecorded`."""
        ...

    def last(self, log: str) -> Anchor | None:
        """The one of a log with the highest number; None where there is none, or where that can't be told."""
        ...


class AnchorFile:
    """A file with a line for each anchor (0600); its directory is made (0700) where there is none.

    A log that was cut goes on behind its last anchor, so that it shows. Raises `Unrecorded` where there can't be one.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        try:
            os.makedirs(os.path.dirname(os.path.abspath(self._path)), 0o700, exist_ok=True)  # noqa: PTH100, PTH103, PTH120
        except OSError as error:
            raise Unrecorded(f"there can be no anchors in `{self._path}`: {error.strerror}") from error

    def put(self, anchor: Anchor) -> None:
        """Add a line, and wait for the disk."""
        said = {"number": anchor.number, "hash": anchor.hash, "at": written_time(anchor.at)}
        if anchor.log:
            said["log"] = anchor.log
        try:
            descriptor = os.open(self._path, _FLAGS, 0o600)
            try:
                # Each begins with the end of a line, as a process may have been killed within the one before.
                os.write(descriptor, b"\n" + json.dumps(said).encode("ascii") + b"\n")
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise Unrecorded(f"the anchor can't be written to `{self._path}`: {error.strerror}") from error

    def last(self, log: str) -> Anchor | None:
        """The one of a log with the highest number."""
        try:
            found = read_anchors(self._path, log)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise Unrecorded(f"the anchors in `{self._path}` can't be read: {error.strerror}") from error
        return max(found, key=lambda anchor: anchor.number, default=None)


def read_anchors(path: str | os.PathLike[str], log: str = "") -> Sequence[Anchor]:
    """The anchors of a log in a file; lines that are none are left out, as one that was torn. Raises `OSError`."""
    with open(path, "rb") as file:  # noqa: PTH123  # a path is text here
        lines = file.read().splitlines()
    found = []
    for line in lines:
        try:
            said: Any = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(said, dict) or said.get("log", "") != log:
            continue
        number, known = said.get("number"), said.get("hash")
        if type(number) is int and type(known) is str:
            found.append(Anchor(number, known, 0, log))
    return found
