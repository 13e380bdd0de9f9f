"""What a script has moved keeps its worth: who removes it from where it is now removes it."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.inspect.operands import COPIERS, REMOVERS
from gateway.inspect.options import bind, options
from gateway.inspect.place import absolute, under
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word, marked

if TYPE_CHECKING:
    from gateway.inspect.shell.invocation import Reading

_REMOVING = REMOVERS | {"rm", "unlink", "truncate", "find"}
_MOST = 64


def follow_moves(reading: Reading, made: Invocation) -> None:
    """Note what a command moves; one that removes what was moved removes it where it came from as well."""
    words = made.words
    if made.program == "mv" or (made.program == "git" and words[:1] and words[0].value == "mv"):
        _note(reading.moved, words[made.program == "git" :], made.cwd)
    elif reading.moved and made.program in _REMOVING:
        swapped = tuple(one for word in words for one in _before(reading.moved, word, made.cwd) or (word,))
        if swapped != words:
            reading.invocations.append(replace(made, words=swapped))


def _note(moved: dict[str, str], words: tuple[Word, ...], cwd: str | None) -> None:
    bound = bind(options(COPIERS["mv"]), words)
    target = bound.value("target-directory")
    sources = bound.operands if target is not None else bound.operands[:-1]
    last = target or (bound.operands[-1] if len(bound.operands) > 1 else None)
    to = None if last is None else absolute(last.value, cwd, None)
    if to is None or marked(to):
        return
    for word in sources[:_MOST]:
        path = absolute(word.value, cwd, None)
        if path is None or marked(path) or len(moved) > 2 * _MOST:
            continue
        first = moved.pop(path, path)
        moved.pop(f"{path}/{posixpath.basename(first)}", None)
        if len(sources) == 1:
            moved[to] = first
        moved[posixpath.join(to, posixpath.basename(path))] = first


def _before(moved: dict[str, str], word: Word, cwd: str | None) -> tuple[Word, ...]:
    """Where what a word names lay before it was moved."""
    path = None if not word.value or word.value.startswith("-") else absolute(word.value, cwd, None)
    if path is None:
        return ()
    made: dict[str, None] = {}
    for place, first in moved.items():
        if under(path, place):
            made[first + path[len(place) :]] = None
        elif under(place, path):
            made[first] = None
    return tuple(Word(each, word.start, word.end) for each in made)
