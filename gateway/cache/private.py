"""A directory of one user's own, in which files are code: everything is checked on what was opened."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from time import time

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_UNFINISHED = "new-"
_LEFT_BEHIND = 600
"""Seconds after which nobody is still writing a file."""


class Refused(Exception):
    """Something that is there, and is not as this program makes it; the message says what and why."""


class Private:
    """The open directory: 0700, its user's own, in directories that nobody else can change."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._descriptor = _opened(path)

    def __enter__(self) -> Private:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)

    def read(self, name: str, most: int) -> bytes | None:
        """The content of a file of at most so many bytes; None where there is none of that name."""
        try:
            descriptor = os.open(name, _FILE, dir_fd=self._descriptor)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise self._refused(name, "is a link") from None
            raise
        try:
            about = os.fstat(descriptor)
            if not stat.S_ISREG(about.st_mode):
                raise self._refused(name, "is no regular file")
            if about.st_uid != os.geteuid():
                raise self._refused(name, "belongs to somebody else")
            if stat.S_IMODE(about.st_mode) != 0o600:
                raise self._refused(name, "may be read or changed by others")
            if about.st_size > most:
                raise self._refused(name, "is too large")
            with os.fdopen(descriptor, "rb", closefd=False) as stream:
                return stream.read(most)
        finally:
            os.close(descriptor)

    def write(self, name: str, content: bytes) -> None:
        """Put a file in the place of whatever has its name: whole, or not at all."""
        self._written(content, lambda made: self._rename(made, name))

    def create(self, name: str, content: bytes) -> None:
        """Write a file unless there is one of that name: of several processes one does, and it is whole."""
        with suppress(FileExistsError):
            self._written(content, lambda made: self._link(made, name))

    def prune(self, ending: str, most: int) -> None:
        """Remove the oldest files with such a name above so many, and what killed processes left unfinished."""
        kept: list[tuple[int, str]] = []
        for name in os.listdir(self._descriptor):  # noqa: PTH208  # the directory that was opened
            with suppress(FileNotFoundError):
                written = os.stat(name, dir_fd=self._descriptor, follow_symlinks=False).st_mtime_ns
                if name.endswith(ending):
                    kept.append((written, name))
                elif name.startswith(_UNFINISHED) and written < (time() - _LEFT_BEHIND) * 1e9:
                    os.unlink(name, dir_fd=self._descriptor)
        kept.sort(reverse=True)
        for _, name in kept[most:]:
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=self._descriptor)

    def _written(self, content: bytes, finish: Callable[[str], None]) -> None:
        made = f"{_UNFINISHED}{os.getpid()}-{os.urandom(8).hex()}"
        descriptor = os.open(made, _NEW, 0o600, dir_fd=self._descriptor)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                os.fchmod(stream.fileno(), 0o600)  # whatever the process masks
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            finish(made)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(made, dir_fd=self._descriptor)

    def _rename(self, made: str, name: str) -> None:
        os.rename(made, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def _link(self, made: str, name: str) -> None:
        os.link(made, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)

    def _refused(self, name: str, why: str) -> Refused:
        return Refused(f"`{self.path}/{name}` {why}")


def _opened(path: str) -> int:
    """The directory, which is made where it is not there; nothing on the way to it can be changed by others."""
    parent, name = os.path.split(path)
    holder = _held(os.path.realpath(parent))
    try:
        descriptor = _below(holder, name)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise Refused(f"`{path}` is no directory, or a link to one") from None
        raise
    finally:
        os.close(holder)
    about = os.fstat(descriptor)
    if about.st_uid != os.geteuid() or stat.S_IMODE(about.st_mode) & 0o077:
        os.close(descriptor)
        what = "belongs to somebody else" if about.st_uid != os.geteuid() else "is open to others"
        raise Refused(f"`{path}` {what}")
    return descriptor


def _held(path: str) -> int:
    """A directory of which nobody else can change the way to it; a link that turns up on that way is not followed."""
    here = os.open("/", _DIRECTORY)
    try:
        for name in path.split("/"):
            if name:
                _unchangeable(here)
                before, here = here, _below(here, name)
                os.close(before)
        _unchangeable(here)
    except BaseException:
        os.close(here)
        raise
    return here


def _below(holder: int, name: str) -> int:
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=holder)
    return os.open(name, _DIRECTORY, dir_fd=holder)


def _unchangeable(descriptor: int) -> None:
    """Others who may put files into a directory must not be able to replace those of this user (`/tmp`)."""
    about = os.fstat(descriptor)
    others = about.st_mode & 0o022 and not about.st_mode & stat.S_ISVTX
    if others or about.st_uid not in (0, os.geteuid()):
        raise OSError(errno.EPERM, "others can change it")
