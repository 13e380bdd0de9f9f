"""The guard class: the files and commands that protect the gateway itself, which no policy switches off."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise

from gateway.inspect.command import Command
from gateway.inspect.options import bind, options
from gateway.inspect.place import Place, absolute, is_artifact, under
from gateway.inspect.readers import CODE, DESTROYERS, GIT_READS, OWN_READS, READERS, REMOVALS, SCRIPTED, TEXT
from gateway.inspect.word import DEEP, UNKNOWN, Word, certain, marked, may_be, shown

_PYTHON = "-c=, -m=, -W=, -X=, -Q="
_ENDINGS = frozenset((".yaml", ".yml", ".json", ".toml", ".db", ".sqlite", ".sock"))
_WILD = re.compile(r"[\w]")


class Access(Enum):
    """What a tool does with a path."""

    READ = "read"
    WRITE = "write"


class Reach(Enum):
    """Whether a change to a directory also changes what lies below it."""

    ITSELF = "itself"
    BELOW = "below"


@dataclass(frozen=True, slots=True)
class Guard:
    """Paths of what protects the gateway: not changed or run; the unreadable ones not read either.

    Relative paths are guarded below each workspace root, `~/…` in the session's home. A link that leads to a
    guarded file is followed; a guarded path that is itself a link is given in both forms.
    """

    paths: tuple[str, ...]
    unreadable_paths: tuple[str, ...]

    def at(self, place: Place) -> Guard:
        """The guard with absolute paths only, as they are for one session."""
        return _located(self, place.cwd, place.home, place.roots)


@lru_cache(maxsize=256)
def _located(guard: Guard, cwd: str | None, home: str | None, roots: tuple[str, ...]) -> Guard:
    bases = dict.fromkeys(base for base in (cwd, *roots) if base is not None)

    def found(paths: tuple[str, ...]) -> tuple[str, ...]:
        located: dict[str, None] = {}
        for path in paths:
            for base in bases if not path.startswith(("/", "~")) else (cwd,):
                whole = absolute(path, base, home)
                if whole is not None and whole.startswith("/"):
                    located[whole] = None
        return tuple(located)

    return Guard(found(guard.paths), found(guard.unreadable_paths))


@dataclass(frozen=True, slots=True)
class Hit:
    """Why a command would touch what is guarded, and the characters that say so."""

    reason: str
    start: int
    end: int


def guard_path(guard: Guard, text: str, place: Place, access: Access) -> bool:
    """Whether a path that a tool is given is guarded against this access."""
    paths = guard.unreadable_paths if access is Access.READ else (*guard.paths, *guard.unreadable_paths)
    return _touches(text, place.cwd, place, paths, Reach.ITSELF)


def guard_command(guard: Guard, command: Command, place: Place) -> Hit | None:
    """What a command would do to the guarded files, or with the gateway's own commands."""
    invocation = command.invocation
    own = _own_command(command)
    if own is not None:
        return own
    if not guard.paths and not guard.unreadable_paths:
        return None
    every = (*guard.paths, *guard.unreadable_paths)
    cwd = _directory(command)
    for redirect in invocation.redirects:
        paths = every if ">" in redirect.operator else guard.unreadable_paths
        if _touches(redirect.target.value, cwd, place, paths, Reach.ITSELF):
            return _hit(redirect.target)
    if invocation.path and "/" in invocation.path and not _is_own(command):
        program = Word(invocation.path, invocation.start, invocation.end)
        if _touches(program.value, cwd, place, every, Reach.ITSELF):
            return _hit(program)
    code = _code(command)
    if code is not None and any(_mentions(code.value, path, cwd, place.home) for path in every):
        return _hit(Word("its code", code.start, code.end))
    if command.program in TEXT or _is_own(command):
        return None
    for word, paths, reach in _accesses(command, guard, every):
        if any(_touches(part, cwd, place, paths, reach) for part in _parts(word.value)):
            return _hit(word, reach)
    return None


def _hit(word: Word, reach: Reach = Reach.ITSELF) -> Hit:
    what = "is or holds" if reach is Reach.BELOW else "is"
    return Hit(
        f"`{shown(word.value)}` {what} a file that protects this gateway; an agent may not change, move, link, "
        "run or remove it",
        word.start,
        word.end,
    )


def _is_own(command: Command) -> bool:
    return command.program == "gatewayctl"


def _own_command(command: Command) -> Hit | None:
    """The gateway's commands that change what protects it, and its removal."""
    invocation, words = command.invocation, command.invocation.words
    if command.program.startswith(("python", "pypy")):
        known = options(_PYTHON)
        at = next((i for i, w in enumerate(words) if w.value in ("-m", "-mgatewayctl")), None)
        if at is None or bind(known, words).value("m") is None:
            return None
        rest = words[at + 1 :] if words[at].value == "-mgatewayctl" else words[at + 2 :]
        module = (
            "gatewayctl"
            if words[at].value == "-mgatewayctl"
            else "".join(w.value for w in words[at + 1 : at + 2])
        )
        if module in ("pip", "uv", "pipx"):
            return _removal(module, rest)
        if module.partition(".")[0] != "gatewayctl":
            return None
        words = rest
    elif command.program in REMOVALS:
        return _removal(command.program, words)
    elif not _is_own(command):
        return None
    names = [certain(w.value) for w in words if not w.value.startswith("-")][:2]
    if not names or (names[0] in OWN_READS and not any(UNKNOWN in w.value for w in words[:1])):
        return None
    if names[0] == "approvals" and names[1:] in ([], ["list"], ["show"]):
        return None
    return Hit(
        f"`gatewayctl {names[0]}` changes what protects this gateway, and only a person may do that",
        invocation.start,
        invocation.end,
    )


def _removal(program: str, words: tuple[Word, ...]) -> Hit | None:
    values = [w.value for w in words]
    if not {"uninstall", "remove", "purge", "rm"} & set(values):
        return None
    for word in words:
        if word.value.lower().replace("_", "-").startswith("gatewayctl"):
            reason = f"`{program}` would remove this gateway, and only a person may do that"
            return Hit(reason, word.start, word.end)
    return None


def _directory(command: Command) -> str | None:
    """The directory that relative paths of a command start from."""
    cwd = command.invocation.cwd
    if command.program == "git":
        words = command.invocation.words
        for i, word in enumerate(words[:-1]):
            if word.value == "-C":
                cwd = absolute(words[i + 1].value, cwd, None)
            elif not word.value.startswith("-"):
                break
    return cwd


_Access = tuple[Word, tuple[str, ...], Reach]


def _accesses(command: Command, guard: Guard, every: tuple[str, ...]) -> Iterator[_Access]:
    """Each word with the guarded paths that it must not name."""
    program, words, bound = command.program, command.invocation.words, command.bound
    hidden = guard.unreadable_paths
    if program in READERS or (program == "git" and command.subcommand in GIT_READS):
        writes = program == "sed" and any(w.value.startswith(("-i", "--in-place")) for w in words)
        yield from ((w, every if writes else hidden, Reach.ITSELF) for w in words)
    elif program == "find":
        yield from ((w, every, Reach.BELOW) for w in bound.operands)
        after = [b for a, b in pairwise(words) if a.value.startswith(("-fprint", "-fls"))]
        yield from ((w, every, Reach.ITSELF) for w in after)
    elif program == "cp" and len(bound.operands) > 1:
        target = bound.value("target-directory")
        last = target or bound.operands[-1]
        yield from ((w, hidden, Reach.ITSELF) for w in bound.operands)
        yield last, every, Reach.ITSELF
        for word in bound.operands if target else bound.operands[:-1]:
            name = Word(f"{last.value}/{word.value.rstrip('/').rsplit('/', 1)[-1]}", last.start, last.end)
            yield name, every, Reach.ITSELF
    else:
        recursive = program != "rm" or "recursive" in bound.flags
        reach = Reach.BELOW if program in DESTROYERS and recursive else Reach.ITSELF
        yield from ((w, every, reach) for w in words)


def _parts(value: str) -> Iterator[str]:
    """The paths that a word can name: itself, and the value of `--option=value` or `of=value`."""
    yield value
    if "=" in value:
        yield value.partition("=")[2]
    elif value.startswith("-") and not value.startswith("--") and len(value) > 2:
        yield value[2:]


def _code(command: Command) -> Word | None:
    """The code that an interpreter is given on its line or as its input."""
    known = CODE.get(command.program.rstrip("0123456789."))
    if known is None:
        return None
    bound = bind(options(known), command.invocation.words)
    if command.program in SCRIPTED:
        given = list(bound.flags.get("expression", ()))
        if not given and "file" not in bound.flags:
            given += bound.operands[:1]
    else:
        given = [word for values in bound.flags.values() for word in values]
    texts = [w.value for w in given] + list(command.invocation.stdin or ())
    if not texts:
        return None
    first = given[0] if given else Word("", command.invocation.start, command.invocation.end)
    return Word("\n".join(texts), first.start, first.end)


def _mentions(code: str, path: str, cwd: str | None, home: str | None) -> bool:
    """Whether code names a guarded path: whole, or from the working directory or home on."""
    names = [path]
    for root in (cwd, home):
        if root is not None and root != "/" and under(path, root) and path != root:
            names.append(path[len(root) + 1 :])
    return any(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", code) is not None for name in names)


def _touches(value: str, cwd: str | None, place: Place, paths: tuple[str, ...], reach: Reach) -> bool:
    if not paths or not value or value.startswith("-"):
        return False
    if UNKNOWN in value and _WILD.search(certain(value)) is None:
        return False
    path = absolute(value, cwd, place.home)
    if path is None or value.startswith(UNKNOWN):
        # It may lie in any directory at all.
        path = posixpath.normpath(value if value.startswith(UNKNOWN) else f"{UNKNOWN}/{value}")
    if DEEP in path and _is_other_kind(posixpath.basename(path)):
        return False
    if marked(path):
        return any(_may_touch(path.casefold(), guarded.casefold(), reach) for guarded in paths)
    if _names(path.casefold(), paths, reach):
        return True
    if len(value) > 255 or "\n" in value:
        return False
    target = place.resolve(path)
    return target != path and _names(target.casefold(), paths, reach)


def _names(folded: str, paths: tuple[str, ...], reach: Reach) -> bool:
    whole, inside = _folded(paths)
    if folded in whole or folded.startswith(inside):
        return True
    return reach is Reach.BELOW and any(path.startswith(folded.rstrip("/") + "/") for path in whole)


@lru_cache(maxsize=256)
def _folded(paths: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The guarded paths, and what paths below them start with; some file systems ignore case."""
    whole = frozenset(path.casefold() for path in paths)
    return whole, tuple(path + "/" for path in whole)


def _is_other_kind(name: str) -> bool:
    """Whether a name that is searched for at any depth is none that guarded files have."""
    ending = posixpath.splitext(name)[1]
    return is_artifact(name) or (bool(ending) and not marked(ending) and ending not in _ENDINGS)


def _may_touch(pattern: str, guarded: str, reach: Reach) -> bool:
    parts = pattern.split("/")
    # A pattern names something in a guarded directory if one of its own parents may be that directory.
    for i in range(2, len(parts) + 1):
        if may_be("/".join(parts[:i]), guarded):
            return True
    if reach is Reach.ITSELF:
        return False
    above = posixpath.dirname(guarded)
    while above not in ("/", ""):
        if may_be(pattern, above):
            return True
        above = posixpath.dirname(above)
    return False
