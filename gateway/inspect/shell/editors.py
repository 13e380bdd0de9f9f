"""Editors, pagers and debuggers that run shell commands: `vim -c '!…'`, `ed` with lines of `!…`, `gdb -ex …`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gateway.inspect.options import bind, options
from gateway.inspect.shell.code import run_text
from gateway.inspect.shell.invocation import Simple
from gateway.inspect.word import Word
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

EDITORS: frozenset[str] = frozenset(("ed", "ex", "vim", "emacs", "less", "more", "gdb", "lldb"))
"""These programs, by the names that their aliases stand for."""

_KNOWN = "-c=, --cmd=, --eval=, -S=, -u=, -U=, -i=, -T=, -w=, -l=, -f=, -ex= -iex= --eval-command=, -o= --one-line="
# `!rm x`, `silent !rm x`, `r !ls`, `:w !sh`, and what is handed to a function that runs it.
_BANG = later(r"(?:(?:^|[\s:|%])!|^(?:platform )?shell\s)(.+)")
_CALL = later(r"""(?:system|systemlist|shell-command|call-process-shell-command)[\s(]*(["'])(.*?)\1""")
_CODE = ("c", "cmd", "eval", "eval-command", "one-line")
_READ_COMMANDS = frozenset(("ed", "ex", "vim", "gdb", "lldb"))
_LINES = 200


def edited(walk: Walk, simple: Simple, program: str) -> None:
    """Analyse the commands that an editor is told to run by its options or its input."""
    bound = bind(options(_KNOWN), simple.words[1:])
    given = [word for name in _CODE for word in bound.flags.get(name, ())]
    given += [word for word in simple.words[1:] if word.value.startswith("+")]
    place = (simple.start, simple.end)
    for text in simple.stdin or () if program in _READ_COMMANDS else ():
        lines = (line.lstrip(" :") for line in text.split("\n")[:_LINES])
        given += [Word(line, *place) for line in lines if line.startswith("!")]
    for word in given:
        for code in _commands(word.value.removeprefix("+")):
            run_text(walk, simple, (code,), word)


def _commands(text: str) -> list[str]:
    found = [match[2] for match in _CALL.finditer(text)]
    bang = _BANG.search(text)
    return [*found, bang[1]] if bang is not None else found
