"""Compiled policies on disk, so that a process that decides one call need not compile first.

A form is found by all that it was made of: the bytes and the names of the policy files, this gateway's own code, the
packages that read and check policies, and Python. It is code, so it lies in a directory of the user's alone, and is
authenticated before anything is made of it. Nothing depends on it: what is missing or refused is compiled instead.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING

from gateway.cache.private import Refused
from gateway.cache.sealed import Sealed
from gateway.cache.version import version
from gateway.diagnostic import printable

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.files import PolicyFiles
    from gateway.form import Form
    from gateway.inspect.guard import Guard


class Cache:
    """Compiled policies in a directory; what was refused there, and points at tampering, is told in `notes`."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._sealed = Sealed(os.path.abspath(os.fspath(directory)))  # noqa: PTH100  # links are looked at when opened
        self.notes: list[str] = []

    def form(self, files: PolicyFiles, guard: Callable[[], Guard]) -> Form | None:
        """The form of the policy in files that were read, with a guard of today; None where it must be compiled."""
        try:
            name = _name(files)
            content = None if name is None else self._sealed.read(name)
        except Refused as refused:
            self.notes.append(printable(f"{refused}; the policy was compiled instead"))
            return None
        except OSError:
            return None
        if content is None:
            return None
        from gateway.cache.packed import unpacked

        try:
            return unpacked(content, guard)
        except Exception:  # the edge: what can't be unpacked is compiled
            return None

    def keep(self, files: PolicyFiles, compiled: Compiled) -> None:
        """Write the form of a policy that was compiled from these files, if that can be done."""
        from gateway.cache.packed import packed

        try:
            content = packed(compiled)
        except Exception:  # the edge: what can't be packed is compiled each time
            return
        try:
            name = _name(files)
            if name is not None:
                self._sealed.write(name, content)
        except Refused as refused:
            if not self.notes:
                self.notes.append(printable(f"{refused}; nothing is kept there"))
        except OSError:
            return


def user_cache() -> Cache:
    """The cache of the user who runs this process, below `$XDG_CACHE_HOME` or `~/.cache`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not base.startswith("/"):
        base = os.path.expanduser("~/.cache")  # noqa: PTH111
    return Cache(f"{base}/gatewayctl")


def _name(files: PolicyFiles) -> str | None:
    code = version()
    return None if code is None else sha256(f"{code} {files.digest_with_places}".encode()).hexdigest()
