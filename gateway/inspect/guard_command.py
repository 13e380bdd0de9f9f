"""What a command would do to the files that protect the gateway itself, or with the gateway's own commands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gateway.decision import Effect
from gateway.frozen import frozen
from gateway.inspect.command import Command
from gateway.inspect.deed import Does, Extent
from gateway.inspect.guard import LocatedGuard
from gateway.inspect.inspection import GUARD_ADVICE, PRIVATE_ADVICE
from gateway.inspect.operands import CODE, OWN_READS, REMOVALS, SCRIPTED, STOPPERS
from gateway.inspect.options import bind, options
from gateway.inspect.own_python import is_python, runs_own, started
from gateway.inspect.place import Place, under
from gateway.inspect.reach import Touch, Use, own_name, reached
from gateway.inspect.shell.nested import SHELLS
from gateway.inspect.uses import uses
from gateway.inspect.word import Word, certain, holed, marked, shown

_REPLACES = frozenset(
    ("add", "install", "purge", "reinstall", "remove", "rm", "uninstall", "update", "upgrade")
)
_FORBIDDEN = "change, move, link, run or remove"
_LOOKING = frozenset(("list", "diff"))
# Options that start another agent without this gateway.
_UNCHECKED = ("--dangerously", "--yolo", "disableAllHooks")


@frozen
class Hit:
    """Why a command would touch what is guarded, or may, and the characters that say so."""

    effect: Effect
    reason: str
    start: int
    end: int
    advice: str
    holds: bool = False
    """Whether the guarded file only lies below what is removed."""


def guard_command(guard: LocatedGuard, command: Command, place: Place) -> Hit | None:
    """What a command would do to the guarded files, or with the gateway's own commands."""
    own = _own_command(command)
    if own is not None:
        return own
    every = guard.paths
    if not every.paths:
        return None
    cwd = command.invocation.cwd
    code = _code(command)
    mentions = (
        [_mentioned(command, code.value, path, place) for path in every.paths] if code is not None else []
    )
    named = max(mentions, key=len, default="")
    if code is not None and named:
        return Hit(
            Effect.DENY,
            f"its code names `{named}`, a file that protects this gateway; an agent may not {_FORBIDDEN} it",
            code.start,
            code.end,
            _advice(
                private=any(_mentioned(command, code.value, path, place) for path in guard.unreadable.paths)
            ),
        )
    possible: Hit | None = None
    along: Hit | None = None
    seen: set[tuple[str, bool, Use]] = set()
    for word, writes, use in _given(command):
        if (word.value, writes, use) in seen:
            continue
        seen.add((word.value, writes, use))
        touch = reached(word.value, cwd, place, every if writes else guard.unreadable, use)
        if touch is Touch.YES and writes and _is_argument(command, word):
            touch = Touch.MAYBE
        if touch is Touch.YES:
            plain = reached(word.value, cwd, place, every, Use.CHANGED) is Touch.YES
            private = reached(word.value, cwd, place, guard.unreadable, Use.CHANGED) is Touch.YES
            what = "is" if plain or use is not Use.EMPTIED else "holds"
            hit = _hit(word, what, _FORBIDDEN if writes else "read", private=private or not writes)
            if not hit.holds:
                return hit
            along = along or hit  # a file that is named itself says more than a directory that holds one
        if touch is Touch.MAYBE:
            possible = possible or _possible(word)
    return along or guard_deeds(guard, command, place) or possible


_CHANGES = frozenset((Does.DELETE, Does.OVERWRITE, Does.APPEND, Does.META))


def guard_deeds(guard: LocatedGuard, command: Command, place: Place) -> Hit | None:
    """What the deeds of code would do to the guarded files."""
    every = guard.paths
    for deed in command.deeds if every.paths else ():
        writes = deed.does in _CHANGES
        if not writes and deed.does is not Does.READ:
            continue
        use = Use.EMPTIED if deed.does is Does.DELETE and deed.extent is Extent.TREE else Use.CHANGED
        paths = every if writes else guard.unreadable
        if reached(deed.target, deed.cwd, place, paths, use) is Touch.YES:
            plain = reached(deed.target, deed.cwd, place, every, Use.CHANGED) is Touch.YES
            word = Word(deed.target, deed.start, deed.end)
            return _hit(
                word, "is" if plain else "holds", _FORBIDDEN if writes else "read", private=not writes
            )
    return None


def _given(command: Command) -> Iterator[tuple[Word, bool, Use]]:
    """Each path of a command, whether it can be written, and how far that goes."""
    invocation = command.invocation
    for redirect in invocation.redirects:
        yield redirect.target, ">" in redirect.operator, Use.CHANGED
    if _is_own(command):
        if _makes_new(command.invocation.words):
            yield from ((word, True, Use.FILLED) for word in command.invocation.words[1:])
        return
    if "/" in invocation.path:
        yield Word(invocation.path, invocation.start, invocation.end), True, Use.CHANGED
    for given in uses(command):
        yield given.word, given.writes, given.use


def _possible(word: Word) -> Hit:
    reason = f"`{shown(word.value)}` may be a file that protects this gateway, which only shows when it runs"
    return Hit(
        Effect.ASK, reason, word.start, word.end, "write the path out, so that it shows which file it is"
    )


def _hit(word: Word, what: str, act: str, *, private: bool) -> Hit:
    holds = what == "holds"
    return Hit(
        Effect.DENY,
        f"`{shown(word.value)}` {what} a file that protects this gateway; an agent may not {act} it",
        word.start,
        word.end,
        "name what has to go without that file, or ask the person who runs this agent"
        if holds
        else _advice(private=private),
        holds,
    )


def _advice(*, private: bool) -> str:
    return PRIVATE_ADVICE if private else GUARD_ADVICE


def _is_argument(command: Command, word: Word) -> bool:
    """Whether a word is what a script is given, which it may or may not write."""
    words = command.invocation.words
    program = command.program.rstrip("0123456789.")
    interprets = program in SHELLS or (program in CODE and program not in SCRIPTED)
    runs = interprets and bool(words) and not words[0].value.startswith("-")
    return runs and any(word.start == other.start and word.end == other.end for other in words[1:])


def _makes_new(words: tuple[Word, ...]) -> bool:
    """Whether the gateway's `init` writes to a directory that is told."""
    operands = [word for word in words if not word.value.startswith("-")]
    return len(operands) == 2 and operands[0].value == "init" and operands[1].known


def _mends(words: tuple[Word, ...]) -> bool:
    """Whether the gateway's `lint` changes policies, or may: a word that is not known can be that option."""
    at = next((i for i, word in enumerate(words) if not word.value.startswith("-")), None)
    if at is None or certain(words[at].value) != "lint":
        return False
    return any(not word.known or word.value == "--fix" for word in words[at + 1 :])


def _is_own(command: Command) -> bool:
    return command.program == "gatewayctl"


def _own_command(command: Command) -> Hit | None:
    """The gateway's commands that change what protects it, and its removal."""
    invocation, words = command.invocation, command.invocation.words
    if command.program in STOPPERS or command.program == "claude":
        marks = ("gatewayctl",) if command.program in STOPPERS else _UNCHECKED
        return next((_unchecked(command, w) for w in words if any(m in w.value for m in marks)), None)
    if is_python(command.program):
        code = _code(command)
        run = started(command.program, words)
        texts = [] if code is None else [code]
        if run is not None and (run.kind == "c" or run.what.value == "timeit"):
            texts += [run.what, *run.rest] if run.kind == "m" else [run.what]
        behind = run.rest if run is not None and run.kind == "c" else ()
        for text in texts:
            if runs_own(text.value, behind):
                return _person_only("its code runs the gateway itself", text)
        if run is None or run.kind == "c":
            return None
        if run.kind == "m" and run.what.value in ("pip", "uv", "pipx"):
            return _removal(run.what.value, run.rest)
        if not run.is_own:
            return None
        words = run.rest
    elif command.program in REMOVALS:
        return _removal(command.program, words)
    elif not _is_own(command):
        return None
    place = Word("", invocation.start, invocation.end)
    names = [certain(w.value) for w in words if not w.value.startswith("-")][:2]
    if not names or (names[0] in OWN_READS and not any(holed(w.value) for w in words[:1])):
        if _mends(words):
            return _person_only("`gatewayctl lint --fix` changes policies", place)
        return _of_tools(command, words) if names[:1] == ["tools"] else None
    if _makes_new(words):
        return None
    if names[0] == "approvals" and names[1:] in ([], ["list"], ["show"]):
        return None
    return _person_only(f"`gatewayctl {names[0]}` changes what protects this gateway", place)


def _of_tools(command: Command, words: tuple[Word, ...]) -> Hit | None:
    """The gateway's `tools`, which lists and compares, but also pins, accepts, and imports code to look into it."""
    at = next(i for i, word in enumerate(words) if not word.value.startswith("-"))
    rest = words[at + 1 :]
    place = Word("", command.invocation.start, command.invocation.end)
    first = rest[0].value if rest else ""
    if any(marked(word.value) for word in rest) or (
        first and not first.startswith("-") and first not in _LOOKING
    ):
        return _person_only("`gatewayctl tools` pins and accepts what servers offer", place)
    code = next((word for word in rest if word.value.startswith(("--code", "code:"))), None)
    return (
        None if code is None else _person_only("`gatewayctl tools` imports this code, and so runs it", code)
    )


def _unchecked(command: Command, word: Word) -> Hit:
    return _person_only(
        f"`{command.program}` with `{shown(word.value)[:80]}` would go round this gateway", word
    )


def _person_only(what: str, word: Word) -> Hit:
    return Hit(
        Effect.DENY,
        f"{what}, and only a person may do that",
        word.start,
        word.end,
        "ask the person who runs this agent to do it",
    )


def _removal(program: str, words: tuple[Word, ...]) -> Hit | None:
    values = [w.value for w in words]
    if _REPLACES.isdisjoint(values):
        return None
    for word in words:
        if word.value.lower().replace("_", "-").startswith("gatewayctl"):
            return _person_only(f"`{program}` would remove or replace this gateway", word)
    return None


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


def _mentioned(command: Command, code: str, path: str, place: Place) -> str:
    """How code names a guarded path: whole, from a directory that it belongs to on, or piece by piece."""
    if path.rpartition("/")[2] not in code:
        return ""
    own = own_name(path, place)
    names = [path, own]
    for root in (command.invocation.cwd, place.home):
        if root is not None and root != "/" and under(path, root) and path != root:
            names.append(path[len(root) + 1 :])
    # In scripted programs the code is mostly text to look for; what it writes stands behind `w` or `>`.
    before = r"(?:[wW]\s*|>\s*[\"']?)" if command.program in SCRIPTED else r"(?<![\w.-])"
    found = next((name for name in names if re.search(rf"{before}{re.escape(name)}(?![\w-])", code)), "")
    pieces = own.split("/")
    if found or command.program in SCRIPTED or len(pieces) < 2:
        return found
    return own if all(re.search(rf"[\"'/]{re.escape(piece)}[\"'/]", code) for piece in pieces) else ""
