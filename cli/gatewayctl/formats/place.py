"""Where a file stands, as programs see it that know the working directory as the root of a checkout."""

from __future__ import annotations

import os
from pathlib import Path, PurePath


def from_here(name: str) -> PurePath:
    """A source's name as a path: from the working directory if it lies below, otherwise whole."""
    path = Path(os.path.normpath(Path.cwd() / name))
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
