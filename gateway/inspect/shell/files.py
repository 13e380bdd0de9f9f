"""Files that a script writes before it runs them: what they hold, as far as the script tells it."""

from __future__ import annotations

import posixpath
from shlex import quote
from typing import TYPE_CHECKING

from gateway.inspect.place import absolute
from gateway.inspect.programs import PROGRAMS
from gateway.inspect.shell.invocation import Simple, Text
from gateway.inspect.shell.scope import MAX_LENGTH, MAX_VALUES, Certainty
from gateway.inspect.word import UNKNOWN, marked, may_be

if TYPE_CHECKING:
    from gateway.inspect.shell.walk import Walk

_STDIN = frozenset(("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/thread-self/fd/0"))
_COPIES = frozenset(("cp", "mv", "ln", "install"))
_WRITES = frozenset((">", ">|", "&>", ">>", "&>>"))


def is_stdin(name: str) -> bool:
    """Whether a file name stands for the program's own input."""
    return name == "-" or (name.startswith("/") and posixpath.normpath(name) in _STDIN)


def contents(walk: Walk, name: str) -> Text | None:
    """What a file holds that this script wrote, or that is always empty; None for every other file."""
    path = absolute(name, walk.scope.cwd, walk.scope.home)
    if path == "/dev/null":
        return ("",)
    if path is None or not marked(path):
        return None if path is None else walk.reading.files.get(path)
    # A pattern may find what was written.
    found = [texts for name, texts in walk.reading.files.items() if may_be(path, name)]
    return tuple(dict.fromkeys(text for texts in found for text in texts)) or None


def remember(walk: Walk, simple: Simple, program: str, printed: Text) -> None:
    """Note what a command writes: its output where that goes to files, its input for `tee`."""
    for redirect in simple.redirects:
        if redirect.operator in _WRITES:
            write(walk, redirect.target.value, printed, redirect.operator)
    if program in _COPIES:
        _copy(walk, [word.value for word in simple.words[1:] if not word.value.startswith("-")])
    if program in ("install", "cp") and _is_fed(simple):
        write(walk, simple.words[-1].value, simple.stdin or (UNKNOWN,), ">")
    if program == "dd" and not any(word.value.startswith("if=") for word in simple.words):
        for target in simple.words[1:]:
            if target.value.startswith("of="):
                write(walk, target.value[3:], simple.stdin or (UNKNOWN,), ">")
    if program == "tee":
        words = [word.value for word in simple.words[1:]]
        operator = ">>" if "-a" in words else ">"
        for word in words:
            if not word.startswith("-"):
                write(walk, word, simple.stdin or (UNKNOWN,), operator)


def _is_fed(simple: Simple) -> bool:
    return len(simple.words) > 2 and any(
        is_stdin(word.value) for word in simple.words[1:-1] if word.value != "-"
    )


def _copy(walk: Walk, names: list[str]) -> None:
    """Note what a copy or a link holds: a script of this text, or a program under another name."""
    if len(names) != 2:
        return
    source, target = names
    texts = contents(walk, source)
    if texts is None and (posixpath.dirname(source).endswith("bin") or source in PROGRAMS):
        texts = (f'{quote(source)} "$@"',)
    if texts is not None:
        write(walk, target, texts, ">")


def write(walk: Walk, name: str, texts: Text, operator: str) -> None:
    """Note what a file holds from now on."""
    path = absolute(name, walk.scope.cwd, walk.scope.home)
    if path is None or path.startswith("/dev/"):
        return
    if operator.endswith(">>"):
        before = walk.reading.files.get(path, ("",))
        texts = tuple(f"{one}\n{other}" for one in before for other in texts)
    if walk.scope.certainty is not Certainty.SURE:
        # What the file held before may be what it holds.
        texts = tuple(dict.fromkeys((*walk.reading.files.get(path, ()), *texts)))
    small = len(texts) <= MAX_VALUES and all(len(text) <= MAX_LENGTH for text in texts)
    walk.reading.files[path] = texts if small else (UNKNOWN,)
