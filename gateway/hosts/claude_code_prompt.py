"""Claude Code's prompts: the files that they mention with `@` are read by the program without any hook."""

from __future__ import annotations

import os
from collections.abc import Iterator
from string import ascii_letters, digits

from gateway.call import ToolCall
from gateway.hosts.answer import HostError

_MOST = 5000
_ADDRESS = frozenset(f"{ascii_letters}{digits}_.-")
"""Behind one of these an `@` stands in an address, and mentions nothing."""
_ENDS = ",.;:!?)]}'\""


def mentioned(prompt: str, cwd: str, home: str | None) -> tuple[ToolCall, ...]:
    """A call that reads, for each file that a prompt mentions, under each name that it may have."""
    calls: dict[str, ToolCall] = {}
    for name in _names(prompt):
        path = _path(name, cwd, home)
        calls.setdefault(path, ToolCall("read", {"path": path}, f"prompt-{len(calls) + 1}"))
        if len(calls) > _MOST:
            raise HostError(f"the prompt mentions more than {_MOST} files with `@`")
    return tuple(calls.values())


def _names(prompt: str) -> Iterator[str]:
    """The texts behind each `@` that begins a word, as written and without what ends a sentence or names lines."""
    at = prompt.find("@")
    while at >= 0:
        if at == 0 or prompt[at - 1] not in _ADDRESS:
            rest = prompt[at + 1 : at + 1 + 4096]
            quote = rest[:1]
            if quote in ('"', "'") and quote in rest[1:]:
                name = rest[1 : rest.index(quote, 1)]
            else:
                name = rest.split(maxsplit=1)[0] if rest and not rest[0].isspace() else ""
            whole = (name, name.rstrip(_ENDS), name.partition("#")[0], name.rstrip(_ENDS).partition("#")[0])
            yield from (each for each in dict.fromkeys(whole) if each)
        at = prompt.find("@", at + 1)


def _path(name: str, cwd: str, home: str | None) -> str:
    if home is not None and (name == "~" or name.startswith("~/")):
        name = home + name[1:]
    return os.path.normpath(os.path.join(cwd, name.replace("\0", "")))  # noqa: PTH118  # nothing is opened
