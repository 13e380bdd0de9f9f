"""Real paths of files, each directory looked at once for all that a decision asks."""

from __future__ import annotations

import os
import stat


class Links:
    """Gives the real path of an absolute path, as `os.path.realpath` does, from one look at each directory."""

    __slots__ = ("_missing", "_real")

    def __init__(self) -> None:
        self._real: dict[str, str] = {}
        self._missing: set[str] = set()

    def __call__(self, path: str) -> str:
        """The path with all links followed; what is not there is taken as it is written."""
        known = self._real.get(path)
        if known is not None:
            return known
        if not path.startswith("/") or "//" in path or "/." in path:
            # `..` behind a link leads up from where that leads to.
            return self._real.setdefault(path, os.path.realpath(path))
        real, end = "", 0
        while end < len(path):
            start = end
            end = path.find("/", start + 1)
            end = len(path) if end < 0 else end
            written = path[:end]
            known = self._real.get(written)
            real = self._real[written] = self._followed(real, path[start:end]) if known is None else known
        return real

    def _followed(self, above: str, name: str) -> str:
        """The real path of a name, with `/` before it, in a directory that is a real path."""
        if name == "/":
            return above or name
        whole = name if above == "/" else above + name
        if above in self._missing:
            self._missing.add(whole)
            return whole
        try:
            is_link = stat.S_ISLNK(os.lstat(whole).st_mode)
        except OSError:
            self._missing.add(whole)
            return whole
        return os.path.realpath(whole) if is_link else whole
