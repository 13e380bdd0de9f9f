"""Variables whose value programs take for a command, for code or for settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.shell.code import run_named
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.settings import given
from gateway.inspect.word import Word

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_VARIABLES = """
BROWSER EDITOR KUBE_EDITOR LESSCLOSE LESSOPEN MANPAGER PAGER PROMPT_COMMAND PSQL_EDITOR PSQL_PAGER RSYNC_RSH
SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR SYSTEMD_EDITOR SYSTEMD_PAGER TAR_RSH VISUAL
"""
_COMMANDS = frozenset(_VARIABLES.split())
_SOURCED = frozenset(("BASH_ENV", "ENV"))


def assigned(walk: Walk, name: str, values: Text, start: int, end: int) -> None:
    """Analyse what a variable holds that programs take for a command, and what it sets for `git`."""
    for value in values:
        if name in _SOURCED:
            run_named(walk, Simple((), start=start, end=end), Word(f". {value}", start, end))
        elif name in _COMMANDS:
            run_named(walk, Simple((), start=start, end=end), Word(value, start, end))
        elif name.startswith("GIT_"):
            given(walk, name, Word(value, start, end))
