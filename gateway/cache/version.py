"""What compiles policies: a form that was made by anything else is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import MAGIC_NUMBER

import gateway


@cache
def version() -> str | None:
    """A digest over this gateway's code, the packages that are installed beside it, and Python.

    Of the code it takes what the file system says of each file, which changes whenever a file is written, moved or
    replaced: Python itself trusts less of that when it runs a module that was compiled before. None where anything
    changed since this process began, for then nobody knows which code it runs.
    """
    digest = sha256(f"{sys.version}\n{MAGIC_NUMBER.hex()}\n".encode())
    newest = 0
    for name, about in (*_files(os.path.dirname(gateway.__file__), ""), *_installed()):  # noqa: PTH120
        newest = max(newest, about.st_ctime_ns)
        told = f"{name}\0{about.st_size} {about.st_mtime_ns} {about.st_ctime_ns} {about.st_ino}\n"
        digest.update(told.encode("utf-8", "surrogateescape"))
    return digest.hexdigest() if newest < gateway.BEGAN else None


def _files(folder: str, below: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                yield from _files(entry.path, f"{below}/{entry.name}")
            else:
                yield f"{below}/{entry.name}", entry.stat()


def _installed() -> Iterator[tuple[str, os.stat_result]]:
    """The distributions that can be imported; the name of each one's directory holds its version."""
    for folder in sys.path:
        if folder.startswith("/"):
            try:
                with os.scandir(folder) as entries:
                    found = [entry for entry in entries if entry.name.endswith(".dist-info")]
            except OSError:  # an archive, or nothing
                continue
            yield from sorted((entry.path, entry.stat()) for entry in found)
