"""The places that a command may touch besides the paths of its deeds: those that its words name, and where it runs.

What is done there is not known, so nothing is refused by it; it only says whether all of a command stays in a place.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.inspect.deed import Does, Origin
from gateway.inspect.operands import TEXT
from gateway.inspect.place import Place, absolute, under
from gateway.inspect.programs import roles, spec
from gateway.inspect.word import UNKNOWN, certain, marked, shown
from gateway.later import later

if TYPE_CHECKING:
    from gateway.inspect.command import Command
    from gateway.inspect.word import Word

# Programs with options that take two values.
_TWO_VALUES = frozenset(("jq", "gojq", "jaq"))
_NO_PATHS = frozenset(("text", "script", "url"))
_ELSEWHERE = later(r"(?!file:)\b[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"]*", re.ASCII)
_BETWEEN = later(r"[\s'\"`=:,;@()<>|&{}\[\]]+")
_SINKS = frozenset(("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty"))
# Of what has more parts than this it is not told where it stays.
MAX_PARTS = 200


def named(command: Command, place: Place) -> Iterator[str]:
    """The real paths; one that is not known to its end keeps `…` or `*`."""
    yield from (
        _real(deed.target, deed.cwd, place)
        for deed in command.deeds
        if deed.does is Does.EXEC and deed.origin is Origin.FILE and deed.target
    )
    for redirect in command.redirects:
        if redirect.target.value not in _SINKS and not redirect.operator.startswith("<<"):
            yield from _path(redirect.target.value, command.cwd, place)
    if not command.program:
        return
    known = spec(f"{command.program} {command.subcommand}" if command.subcommand else command.program)
    told = roles(known, frozenset(command.bound.flags), len(command.bound.operands))
    # Behind an option that is not known it is not sure which operand is which.
    texts = [
        word
        for word, role in zip(command.bound.operands, told, strict=True)
        if role in _NO_PATHS and not command.bound.loose and command.program not in _TWO_VALUES
    ]
    if not (told and all(told)) and command.program not in TEXT:
        yield _real(".", command.cwd, place)
    values = [word for word in command.words if not any(word is one for one in texts)]
    values += [word for _, word in command.variables]
    yield from _paths(values, command.cwd, place)
    if "/" in command.invocation.path:
        yield from _path(command.invocation.path, command.cwd, place)


def _paths(words: list[Word], cwd: str | None, place: Place) -> Iterator[str]:
    parts = dict.fromkeys(
        part for word in words for part in _BETWEEN.split(_ELSEWHERE.sub(" ", word.value)) if part
    )
    if len(parts) > MAX_PARTS:
        yield shown(UNKNOWN)
        return
    for part in parts:
        starts = [at for mark in ("/", "~", "..") if (at := part.find(mark)) >= 0]
        if not part.startswith(("-", "+")):
            yield from _path(part, cwd, place)
        elif starts:
            yield from _path(part[min(starts) :], cwd, place)


def _path(value: str, cwd: str | None, place: Place) -> Iterator[str]:
    """The path that a value may be, unless that plainly lies where the command runs."""
    real = _real(value, cwd, place)
    here = None if cwd is None else place.resolve(cwd)
    if not certain(value).startswith(("/", "~")) and not marked(value) and here is not None:
        if not under(real, here) and real != here:
            yield real
        return
    if real not in _SINKS:
        yield real


def _real(value: str, cwd: str | None, place: Place) -> str:
    path = absolute(value, cwd, place.home)
    if path is None:
        return shown(UNKNOWN)
    return shown(path) if marked(path) else place.resolve(posixpath.normpath(path))
