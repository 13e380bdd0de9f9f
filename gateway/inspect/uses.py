"""What a command does with each path that it is given."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from gateway.frozen import frozen
from gateway.inspect.carriers import WRAPPERS
from gateway.inspect.command import Command
from gateway.inspect.operands import (
    CHECKING,
    COPIERS,
    GIT_READS,
    READERS,
    REMOVERS,
    SECOND,
    TEXT,
    WRITING,
)
from gateway.inspect.options import Bound, Reading, bind, options
from gateway.inspect.reach import Use
from gateway.inspect.word import ANY, Word, marked
from gateway.later import later

# Modes without reading for the owner.
_CLOSED = later(r"0*[0-7]{1,2}|0*[0-7]?[0-3][0-7]{2}|(?:[go]*[ua][ugoa]*)?(?:-[wx]*r[rwx]*|=[^r]*)")
_LITERAL = {ord(ANY): "?"}


@frozen
class Given:
    """A path that a command is given, whether it can be written, and how far that goes."""

    word: Word
    writes: bool
    use: Use


def uses(command: Command) -> Iterator[Given]:
    """The paths of a command's words; an unknown program may change all that it is given."""
    program, words = _program(command)
    if program in TEXT:
        return
    if program in WRAPPERS:
        # What it runs is a command of its own.
        known, before = WRAPPERS[program]
        bound = bind(options(known), words, Reading.LEADING)
        flagged = [word for values in bound.flags.values() for word in values]
        words = (*flagged, *bound.operands[:before])
    if program in COPIERS:
        yield from _copied(program, bind(options(COPIERS[program]), words))
    elif program == "find":
        # What protects the gateway is not empty.
        values = {word.value for word in words}
        if "-empty" not in values or values & {"!", "-not", "-o", "-or", ","}:
            yield from (Given(word, True, Use.REMOVED) for word in command.bound.operands)
        after = [b for a, b in pairwise(words) if a.value.startswith(("-fprint", "-fls"))]
        yield from (Given(word, True, Use.CHANGED) for word in after)
    else:
        use, written = _use(program, command), _written(program, command, words)
        yield from _mounted(command)
        words = (*words, *_elsewhere(program, words))
        for word in words:
            yield from (Given(part, written is None or word in written, use) for part in _parts(word))


def _program(command: Command) -> tuple[str, tuple[Word, ...]]:
    """The program and its words; a module that `python -m` runs is a program too."""
    words = command.invocation.words
    if command.program.startswith(("python", "pypy")) and len(words) > 1 and words[0].value == "-m":
        return words[1].value, words[2:]
    return command.program, words


def _use(program: str, command: Command) -> Use:
    if program == "rm":
        return Use.EMPTIED if "recursive" in command.bound.flags else Use.REMOVED
    if program == "chmod" and _is_closing(command):
        return Use.EMPTIED
    if program == "git" and command.subcommand == "rm" and "cached" in command.bound.flags:
        return Use.REMOVED
    if program in REMOVERS or (program == "git" and command.subcommand in ("rm", "mv")):
        return Use.EMPTIED
    if program in ("unlink", "rmdir"):
        return Use.REMOVED
    return Use.CHANGED if program == "mkdir" else Use.FILLED


def _is_closing(command: Command) -> bool:
    """Whether a change of modes takes all below a directory away from its owner."""
    words = [word.value for word in command.invocation.words]
    walks = any(word == "--recursive" or (word[:1] == "-" and "R" in word) for word in words)
    return walks and any(map(_CLOSED.fullmatch, words))


def _written(program: str, command: Command, words: tuple[Word, ...]) -> tuple[Word, ...] | None:
    """The words that a program writes; None where it may write each."""
    if program in READERS:
        return ()
    if program in SECOND:
        return tuple(word for word in words if not word.value.startswith("-"))[1:]
    if program in ("tar", "zip"):
        return _archived(program, words)
    if program == "git" and command.subcommand == "archive":
        output = bind(options("-o= --output="), words).value("output")
        return tuple(word for word in words if output is not None and word.value.endswith(output.value))
    if program == "git" and command.subcommand not in GIT_READS:
        return None
    if program == "ruff" and any(word.value == "format" for word in words[:1]):
        return () if any(word.value in ("--check", "--diff") for word in words) else None
    if program in WRITING:
        known, writing = WRITING[program]
        return () if bind(options(known), words).flags.keys().isdisjoint(writing.split()) else None
    if program in CHECKING:
        return None if CHECKING[program].isdisjoint(word.value for word in words) else ()
    return None


def _archived(program: str, words: tuple[Word, ...]) -> tuple[Word, ...] | None:
    """The archive, where one is made or listed and nothing is removed; None otherwise."""
    if any(word.value.startswith(("-m", "--move", "--remove", "-T", "--to-", "-C")) for word in words):
        return None
    if program == "zip":
        return tuple(word for word in words if not word.value.startswith("-"))[:1]
    mode = words[0].value.lstrip("-") if words else ""
    if not mode.isalpha() or "x" in mode or not {"c", "t"} & set(mode):
        return None
    return words[1:2]


def _copied(program: str, bound: Bound) -> Iterator[Given]:
    target = bound.value("target-directory")
    sources = bound.operands if target is not None else bound.operands[:-1]
    last = target or (bound.operands[-1] if len(bound.operands) > 1 else None)
    # Who writes to a link writes to what it links to.
    moves = program in ("mv", "ln") or not {"remove-source-files", "link"}.isdisjoint(bound.flags)
    whole = moves or "recursive" in bound.flags
    for word in bound.flags.get("link-dest", ()):
        yield Given(word, True, Use.EMPTIED)
        if last is not None:
            yield Given(Word(f"{last.value}/{word.value}", word.start, word.end), True, Use.EMPTIED)
    for word in sources or bound.operands:
        yield Given(word, moves, Use.EMPTIED if whole else Use.CHANGED)
    if last is None:
        return
    clears = any(name.startswith("del") for name in bound.flags)
    names = [word.value.replace(":", "/").rsplit("/", 1)[-1] for word in sources]
    # What a directory holds, or a pattern finds, may have any name.
    open_ended = program == "ln" or "no-target-directory" in bound.flags or any(map(_is_open, names))
    yield Given(last, True, Use.EMPTIED if clears else Use.FILLED if open_ended else Use.CHANGED)
    for name in names:
        if name not in ("", ".", ".."):
            yield Given(Word(f"{last.value.rstrip('/')}/{name}", last.start, last.end), True, Use.FILLED)


def _is_open(name: str) -> bool:
    return name in ("", ".", "..") or marked(name)


def _mounted(command: Command) -> Iterator[Given]:
    """The directories of the host that a container can write."""
    for word in (*command.bound.flags.get("volume", ()), *command.bound.flags.get("mount", ())):
        if command.program != "docker" or not word.value:
            continue
        fields = word.value.removeprefix("=").split(",")
        named = next((each.partition("=")[2] for each in fields if each.startswith(("source=", "src="))), "")
        host, *more = fields[0].split(":") if not named else (named, *fields)
        if host.startswith(("/", ".", "~")):
            kept = any(each in ("ro", "readonly") for part in more for each in part.split(","))
            yield Given(Word(host, word.start, word.end), not kept, Use.FILLED)


def _elsewhere(program: str, words: tuple[Word, ...]) -> Iterator[Word]:
    """The operands of an archiver as they are from the directory that stands in front of them."""
    if program not in ("tar", "bsdtar"):
        return
    base = ""
    for before, word in pairwise((*words[:1], *words)):
        if before.value in ("-C", "--directory", "--cd"):
            base = word.value
        elif word.value.startswith(("-C", "--directory=")):
            base = word.value.removeprefix("-C").removeprefix("--directory=")
        elif base and not word.value.startswith("-"):
            yield Word(f"{base}/{word.value}", word.start, word.end)


def _parts(word: Word) -> Iterator[Word]:
    """The paths that a word can name: itself, and what stands behind an option's name or `of=`."""
    value = word.value
    yield word
    if "=" in value:
        yield Word(value.partition("=")[2], word.start, word.end)
    if value.startswith("file:"):
        yield Word(value[5:].translate(_LITERAL).partition("?")[0].removeprefix("//"), word.start, word.end)
    if value.startswith("-") and not value.startswith("--"):
        # Short options can be bundled in front of the one whose value is attached.
        yield from (Word(value[i:], word.start, word.end) for i in range(2, min(len(value), 8)))
