"""Where a file stands, as programs see it that know the root of a checkout."""

from __future__ import annotations

import os
from pathlib import Path, PurePath


def from_here(name: str) -> PurePath:
    """A source's name as a path from the root of the checkout if it lies below it, otherwise whole.

    The root is where GitHub Actions says that it is, and the working directory elsewhere.
    """
    path = Path(os.path.normpath(Path.cwd() / name))
    root = Path(os.path.normpath(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()))
    return path.relative_to(root) if path.is_relative_to(root) else path
