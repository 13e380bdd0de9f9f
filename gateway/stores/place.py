"""Where the file of a store lies: nobody but its user may change it, read it, or put another in its place."""

from __future__ import annotations

import os
import stat

from gateway.state import Unavailable

_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def prepared(path: str) -> tuple[str, tuple[int, int]]:
    """Make the file (0600) and the directories to it (0700) where there are none; its path without links, and its id.

    Raises `Unavailable` where others can change one of them, which then must be mended by hand.
    """
    given = os.path.abspath(path)  # noqa: PTH100  # a path is text here, as SQLite takes it
    directory, name = os.path.split(given)
    try:
        real = _directory(os.path.realpath(directory))
        _links(directory)
        path = os.path.join(real, name)  # noqa: PTH118
        try:
            descriptor = os.open(path, _NEW, 0o600)
        except FileExistsError:
            pass
        else:
            os.fchmod(descriptor, 0o600)  # whatever the process masks
            os.close(descriptor)
            _kept(real)
        about = os.lstat(path)
    except OSError as error:
        raise Unavailable(f"`{given}` can't be opened: {error.strerror}") from error
    if not stat.S_ISREG(about.st_mode):
        raise Unavailable(f"`{path}` is no regular file")
    if about.st_uid != os.geteuid():
        raise Unavailable(f"`{path}` belongs to another user, as who a store there must be used")
    if stat.S_IMODE(about.st_mode) & 0o077:
        raise Unavailable(f"`{path}` may be read or changed by others: `chmod 600` it")
    return path, (about.st_dev, about.st_ino)


def _directory(path: str) -> str:
    """From the root on, so that nobody can change a part of the way that was looked at."""
    for here in _way(path):
        try:
            os.mkdir(here, 0o700)  # noqa: PTH102
            _kept(os.path.dirname(here))  # noqa: PTH120
        except FileExistsError:
            pass
        about = os.lstat(here)
        _owned(here, about)
        if about.st_mode & 0o022 and not about.st_mode & stat.S_ISVTX:
            raise Unavailable(f"`{here}` may be changed by others: `chmod go-w` it")
    if about.st_mode & 0o022:
        # In a directory like `/tmp` others could put the files there that SQLite keeps beside its own.
        raise Unavailable(f"others may put files into `{path}`: use a directory in it")
    return path


def _links(path: str) -> None:
    """Nobody else can lead the way elsewhere."""
    for here in _way(path):
        _owned(here, os.lstat(here))


def _way(path: str) -> list[str]:
    names = path.strip("/").split("/")
    return ["/"] + ["/" + "/".join(names[: count + 1]) for count in range(len(names)) if names != [""]]


def _owned(here: str, about: os.stat_result) -> None:
    if about.st_uid not in (0, os.geteuid()):
        raise Unavailable(f"`{here}` belongs to another user, who could put something else in its place")


def _kept(directory: str) -> None:
    """What was made in a directory outlives a power cut."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
