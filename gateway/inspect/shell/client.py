"""Clients of databases: the files of statements that they are given, and the commands that those can start."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.inspect.clients import CLIENTS, texts
from gateway.inspect.options import bind
from gateway.inspect.programs import spec
from gateway.inspect.shell.code import run_named
from gateway.inspect.shell.files import contents
from gateway.inspect.shell.invocation import Simple
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_FILES = ("file", "input-file", "input_file", "init", "filename", "queries-file", "f")
_INCLUDES = later(
    r"""\\(?:i|ir|include|include_relative|\.)\s+(?P<name>\S+)|^\s*\.read\s+(?P<read>\S+)
    |^\s*source\s+(?P<source>[^\s;]+)|^\s*@@?(?P<run>[^\s;@]+)|^\s*:r\s+(?P<file>\S+)""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_ESCAPES = later(
    r"""\\!\s*(?P<psql>[^\n]+)|^\s*\.(?:shell|system)\s+(?P<sqlite>[^\n]+)|^\s*system\s+(?P<mysql>[^\n;]+)
    |\bprogram\s+'(?P<copy>(?:[^']|'')*)'|\\(?:o|g|w)\s*\|(?P<pipe>[^\n]+)""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def client(walk: Walk, simple: Simple, name: str) -> Simple:
    """The command with the statements of files that this script wrote as input; its escapes are analysed."""
    bound = bind(spec(name).options, simple.words[1:])
    files = [word.value for option in _FILES for word in bound.flags.get(option, ())]
    given = [word.value for word in (*bound.operands, *texts(CLIENTS[name], bound, simple.stdin, (0, 0)))]
    for text in dict.fromkeys(given):
        files += [found[found.lastgroup or 0].strip("'\"") for found in _INCLUDES.finditer(text)]
    written = tuple(text for file in files for text in contents(walk, file) or ())
    if written:
        simple = replace(simple, stdin=(*(simple.stdin or ()), *written))
    for word in texts(CLIENTS[name], bound, simple.stdin, (simple.start, simple.end)):
        for found in _ESCAPES.finditer(word.value):
            run_named(walk, replace(simple, stdin=None), replace(word, value=found[found.lastgroup or 0]))
    return simple
