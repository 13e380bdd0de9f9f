"""The guard for tools that the policy does not know: whatever their arguments are called, texts that name a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gateway.call import ToolCall
from gateway.guarded import guard_for
from gateway.inspect.guard import Access
from gateway.inspect.inspector import Inspector
from gateway.inspect.place import Place
from gateway.session import Session

_COMMANDS = frozenset(("cmd", "command", "commands", "script"))
_LOOKS = frozenset(
    ("cat", "find", "get", "glob", "grep", "info", "list", "ls", "read", "search", "show", "stat", "view")
)
_WORDS = re.compile(r"[a-z]+")
_LONGEST_PATH = 4096


def against(call: ToolCall, session: Session, policies: str) -> str | None:
    """Why a call of an unknown tool would touch what protects the gateway; None where it would not."""
    inspector = Inspector((), guard_for(Path(policies)))
    place = Place(session.cwd, session.home, session.roots, os.path.realpath)
    looks = not _LOOKS.isdisjoint(_WORDS.findall(call.name.lower()))
    for key, text in _texts("", call.arguments):
        if key.lower() in _COMMANDS:
            found = inspector.shell(text, place)
        elif len(text) <= _LONGEST_PATH and "\n" not in text:
            found = inspector.path(
                text.removeprefix("file://"), place, Access.READ if looks else Access.WRITE
            )
        else:
            continue
        for match in found.matches:
            if match.kind == "guard":
                return match.reason
    return None


def _texts(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Every text of the arguments, with the key that it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for inner, item in value.items():
            yield from _texts(inner, item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(key, item)
