"""What an inspected argument is."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """What an inspected argument is."""

    SHELL = "shell"
    SQL = "sql"
    PATH = "path"
    URL = "url"
    PYTHON = "python"
    GIT = "git"
