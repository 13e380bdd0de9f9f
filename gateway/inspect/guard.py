"""The guard class: the files and commands that protect the gateway itself, which no policy switches off.

A command is refused that changes, moves, links, runs or removes a guarded file, by its name or by a pattern
that is meant for it (`gateway.inspect.reach` says when), or that removes a directory which holds one. Programs
that only read may read all but the unreadable paths; a program that is not known may change all that it is
given. A path that may turn out to be a guarded one when the command runs is asked about.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

from gateway.frozen import frozen
from gateway.inspect.place import Place, absolute
from gateway.inspect.reach import GuardedPaths, Touch, Use, reached


class Access(Enum):
    """What a tool does with a path."""

    READ = "read"
    WRITE = "write"


@frozen
class Guard:
    """Paths of what protects the gateway: not changed or run; the unreadable ones not read either.

    Relative paths are guarded below the working directory, each workspace root and all directories above
    them; `~/…` in the session's home. A link that leads to a guarded file is followed; a guarded path that is
    itself a link is given in both forms.
    """

    paths: tuple[str, ...]
    unreadable_paths: tuple[str, ...]

    def at(self, place: Place) -> LocatedGuard:
        """The guard as it is for one session."""
        return _located(self, place.cwd, place.home, place.roots)


@frozen
class LocatedGuard:
    """The guard of one session: what may not be changed, and which of it may not be read."""

    paths: GuardedPaths
    unreadable: GuardedPaths


@lru_cache(maxsize=256)
def _located(guard: Guard, cwd: str | None, home: str | None, roots: tuple[str, ...]) -> LocatedGuard:
    bases = dict.fromkeys(each for base in (cwd, *roots) if base is not None for each in _upwards(base))

    def found(paths: tuple[str, ...]) -> tuple[str, ...]:
        located: dict[str, None] = {}
        for path in paths:
            for base in bases if not path.startswith(("/", "~")) else (cwd,):
                whole = absolute(path, base, home)
                if whole is not None and whole.startswith("/"):
                    located[whole] = None
        return tuple(located)

    unreadable = found(guard.unreadable_paths)
    return LocatedGuard(GuardedPaths((*found(guard.paths), *unreadable)), GuardedPaths(unreadable))


def _upwards(path: str) -> tuple[str, ...]:
    """A directory and all above it but the root: an agent may have been started in any of them."""
    parts = path.rstrip("/").split("/")
    return tuple("/".join(parts[:count]) for count in range(len(parts), 1, -1))


def guard_path(guard: LocatedGuard, text: str, place: Place, access: Access) -> bool:
    """Whether a path that a tool is given is guarded against this access."""
    paths = guard.unreadable if access is Access.READ else guard.paths
    return reached(text, place.cwd, place, paths, Use.CHANGED) is Touch.YES
