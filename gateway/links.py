"""Real paths of files, each directory looked at once for all that a decision asks."""

from __future__ import annotations

import os
import stat

# They lead elsewhere for each process, and what is asked is not about this one.
_OWN = frozenset(("/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"))
_BELOW = ("/proc/", "/dev/fd/")
_DEEPEST = 40
_MOST_LINKS = 200
"""So many links are followed from one."""
_MOST_NAMES = 2000
"""So many names of a directory are looked at."""


class Links:
    """Gives the real path of an absolute path, as `os.path.realpath` does, from one look at each directory.

    What can't be looked at is taken as it is written, and so are the links of processes, below `/proc` and `/dev`.
    """

    __slots__ = ("_circles", "_count", "_missing", "_names", "_open", "_real")

    def __init__(self) -> None:
        self._real: dict[str, str] = {}
        self._missing: set[str] = set()
        self._names: dict[str, tuple[str, ...]] = {}
        self._open: set[str] = set()
        self._count = 0
        self._circles = False

    def __call__(self, path: str) -> str:
        """The path with all links followed; what is not there is taken as it is written."""
        known = self._real.get(path)
        if known is not None:
            return known
        if not path.startswith("/"):
            path = f"{_here()}/{path}"
        if "//" in path or "/." in path or path.endswith("/"):
            # `..` behind a link leads up from where that leads to.
            real = self._walked("/", path)
            return self._real.setdefault(path, real)
        real, end = "", 0
        while end < len(path):
            start = end
            end = path.find("/", start + 1)
            end = len(path) if end < 0 else end
            written = path[:end]
            known = self._real.get(written)
            real = self._real[written] = self._followed(real, path[start:end]) if known is None else known
        return real

    def inside(self, directory: str) -> tuple[str, ...]:
        """The names in a directory that are links."""
        found = self._names.get(directory)
        if found is None:
            found = self._names[directory] = _links(directory)
        return found

    def _walked(self, real: str, path: str) -> str:
        """A path that starts in a real one, name by name."""
        for name in path.split("/"):
            if name in ("", "."):
                continue
            if name == "..":
                real = "/proc/self" if real == "/dev/fd" else real[: real.rfind("/")] or "/"
            else:
                real = self._followed("" if real == "/" else real, f"/{name}")
        return real

    def _followed(self, above: str, name: str) -> str:
        """The real path of a name, with `/` before it, in a directory that is a real path."""
        whole = name if above == "/" else above + name
        if above in self._missing:
            self._missing.add(whole)
            return whole
        if whole in _OWN or whole.startswith(_BELOW):
            return whole
        known = self._real.get(whole)
        if known is not None:
            return known
        try:
            target = os.readlink(whole) if stat.S_ISLNK(os.lstat(whole).st_mode) else None  # noqa: PTH115
        except (OSError, ValueError):
            # Not there, not to be looked at, or no name of a file at all.
            self._missing.add(whole)
            return whole
        if target is None:
            return whole
        self._count = self._count + 1 if self._open else 0
        if whole in self._open or len(self._open) >= _DEEPEST or self._count >= _MOST_LINKS:
            # A circle of links leads nowhere.
            self._circles = True
            return whole
        self._circles = self._circles and bool(self._open)
        self._open.add(whole)
        real = self._walked("/" if target.startswith("/") else above or "/", target)
        self._open.discard(whole)
        return real if self._circles else self._real.setdefault(whole, real)


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:
        return ""


def _links(directory: str) -> tuple[str, ...]:
    try:
        with os.scandir(directory) as entries:
            names = [
                entry.name
                for entry, _ in zip(entries, range(_MOST_NAMES), strict=False)
                if entry.is_symlink()
            ]
    except (OSError, ValueError):
        return ()
    return tuple(sorted(names))
