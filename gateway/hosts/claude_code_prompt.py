"""Claude Code's prompts: the files that they mention with `@` are read by the program without any hook."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from string import ascii_letters, digits

from gateway.call import ToolCall
from gateway.hosts.answer import HostError
from gateway.later import later

_MOST = 5000
_LONGEST = 4096
_WORD = frozenset(f"{ascii_letters}{digits}_")
_ADDRESS = _WORD | frozenset(".-")
"""Behind one of these an `@` stands in an address, and mentions nothing."""
_ENDS = ",.;:!?)]}'\""
# What ends a name differs from program to program: blanks as Python and as JavaScript know them.
_BLANKS = (
    later(r"\s"),
    later("[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"),
)


def mentioned(
    prompt: str, cwd: str, home: str | None, exists: Callable[[str], bool] = os.path.lexists
) -> tuple[ToolCall, ...]:
    """A call that reads, for each thing that a prompt mentions and that is there, under each name that it may have."""
    calls: dict[str, ToolCall] = {}
    seen: set[str] = set()
    for name in _names(prompt):
        path = _path(name, cwd, home)
        if path in seen:
            continue
        seen.add(path)
        if exists(path):
            calls[path] = ToolCall("read", {"path": path}, f"prompt-{len(calls) + 1}")
            if len(calls) > _MOST:
                raise HostError(f"the prompt mentions more than {_MOST} files with `@`")
    return tuple(calls.values())


def _names(prompt: str) -> Iterator[str]:
    """The texts behind each `@` that begins a word: as written, and without what may end a sentence or name lines."""
    at = prompt.find("@")
    while at >= 0:
        if at == 0 or prompt[at - 1] not in _ADDRESS:
            rest = prompt[at + 1 : at + 1 + _LONGEST]
            quote = rest[:1]
            if quote in ('"', "'") and quote in rest[1:]:
                yield from _forms(rest[1 : rest.index(quote, 1)])
            for blank in _BLANKS:
                end = blank.search(rest)
                yield from _forms(rest if end is None else rest[: end.start()])
        at = prompt.find("@", at + 1)


def _forms(written: str) -> Iterator[str]:
    last = len(written)
    while last > 0 and written[last - 1] not in _WORD:
        last -= 1
    for name in (written, written.rstrip(_ENDS), written[:last]):
        for each in (name, name.partition("#")[0]):
            if each:
                yield each


def _path(name: str, cwd: str, home: str | None) -> str:
    if home is not None and (name == "~" or name.startswith("~/")):
        name = home + name[1:]
    return os.path.normpath(os.path.join(cwd, name.replace("\0", "")))  # noqa: PTH118  # nothing is opened
