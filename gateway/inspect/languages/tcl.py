"""Tcl: words split by blanks, in which brackets hold commands."""

from __future__ import annotations

import re

from gateway.inspect.code import Code
from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.python.folding import pattern
from gateway.inspect.word import UNKNOWN, Word
from gateway.later import later

_WORD = later(r"\{([^{}]*)\}|\"((?:[^\"\\]|\\.)*)\"|([^\s;\[\]{}\"]+)|([;\n\[\]])", re.DOTALL)
_VARIABLE = later(r"\$(?:env\((\w+)\)|\w+|\{\w+\})")
_BLOCKS = frozenset(("if", "foreach", "for", "while", "catch", "proc", "eval", "try"))
_NAMES = {"HOME": "~", "PWD": "."}


def read_tcl(source: str) -> Code:
    """All that a Tcl script would do."""
    deeds: list[Deed] = []
    commands: list[tuple[Word, ...]] = []
    line: list[Word] = []
    for found in (*_WORD.finditer(source[: 64 * 1024]), None):
        if found is None or found[4]:
            _command(line, deeds, commands)
            line = []
            continue
        braced = found[1] is not None
        value = next(group for group in found.groups() if group is not None)
        if braced and _is_block(value, line):
            inner = read_tcl(value) if len(value) < len(source) else Code()
            deeds += inner.deeds
            commands += inner.commands
        spelled = value if braced else _VARIABLE.sub(lambda one: _NAMES.get(one[1] or "", UNKNOWN), value)
        line.append(Word(spelled, *found.span()))
    return Code(tuple(deeds), (), tuple(commands))


def _is_block(value: str, line: list[Word]) -> bool:
    return " " in value and (not line or line[0].value in _BLOCKS)


def _command(line: list[Word], deeds: list[Deed], commands: list[tuple[Word, ...]]) -> None:
    if not line:
        return
    names = [word.value for word in line]
    operands = [word for word in line[2:] if not word.value.startswith("-")]
    if names[:2] == ["file", "delete"]:
        extent = Extent.TREE if "-force" in names else Extent.ONE
        deeds += [Deed(Does.DELETE, pattern(w.value), w.start, w.end, ".", extent) for w in operands]
    elif names[:2] == ["file", "rename"] or names[:2] == ["file", "copy"]:
        deeds += [Deed(Does.OVERWRITE, w.value, w.start, w.end, ".") for w in operands[-1:]]
    elif names[0] == "exec":
        commands.append(tuple(line[1:]))
    elif names[0] == "open" and len(names) > 1:
        if names[1].startswith("|"):
            commands.append((Word("sh", line[1].start, line[1].end), Word("-c", line[1].start, line[1].end),
                             Word(names[1][1:], line[1].start, line[1].end)))  # fmt: skip
        elif len(names) > 2 and names[2][:1] in ("w", "a"):
            does = Does.OVERWRITE if names[2][:1] == "w" else Does.APPEND
            deeds.append(Deed(does, names[1], line[1].start, line[1].end, "."))
