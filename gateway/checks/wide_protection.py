"""A protected path that is everything, or holds the workspace.

What lies below a protected path is protected with it. `/`, `.`, `~` and `*` leave next to nothing that an inspected
argument may change, so that commands are refused one after the other.

Bad:

    settings: {protected_paths: [.]}

Good:

    settings: {protected_paths: [infra, "**/*.lock"]}

An agent that is to change nothing is better given no tool that does. Where everything is meant, write
`# gateway: ignore[wide-protection] …` on the line.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_WHOLE = frozenset((".", "/", "~", ".."))


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each path behind which nothing is left."""
    settings = policy.settings
    for index, text in enumerate(settings.protected_paths):
        path = posixpath.normpath(text)
        if path in _WHOLE or not path.removeprefix("~").strip("*/"):
            message = f"`{text}` protects all that there is to change"
            span = settings.where.span("protected_paths", index)
            yield Diagnostic("", message, span, "write the directories and files that are meant")
