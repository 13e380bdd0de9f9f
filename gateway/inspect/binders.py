"""Programs whose words follow a grammar of their own, and the deeds that they tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.options import Bound
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.sizes import MOST, size
from gateway.inspect.word import Word, marked

_ENDLESS = frozenset(("/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"))
_MODE_LETTERS = frozenset(("r", "w", "x", "X", "s", "t", "a", "c", "d", "e", "u", "mutable"))
# They hold what they read until it ends.
_KEEPING = frozenset(("tail", "tac", "sort", "shuf"))


def _find(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`find`: what `-delete` removes and the files that `-fprint` and its kin write."""
    if "delete" in bound.flags:
        for word in bound.operands:
            yield _deed(Does.DELETE, word, invocation, Extent.TREE)
    for option, word in pairwise(invocation.words):
        if option.value.startswith(("-fprint", "-fls")):
            yield _deed(Does.OVERWRITE, word, invocation)


def _owners(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`chmod`, `chown` and their kin: the first operand is no file, unless the mode looks like options."""
    letters = _MODE_LETTERS if invocation.program in ("chmod", "chattr") else frozenset()
    first = 0 if "reference" in bound.flags or not letters.isdisjoint(bound.flags) else 1
    tree = "recursive" in bound.flags
    for word in bound.operands[first:]:
        if tree or marked(word.value):
            yield _deed(Does.META, word, invocation, Extent.TREE if tree else Extent.MANY)
        else:
            yield _deed(Does.META, word, invocation)


def _kill(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`kill`: the processes that it ends; what looks like a negative number in front is the signal."""
    words = invocation.words
    if words and words[0].value.startswith("-"):
        if words[0].value in ("-l", "-L", "--list", "--table", "-0", "--help", "--version", "-V"):
            return
        words = words[2:] if words[0].value in ("-s", "-n", "--signal", "-q") else words[1:]
    for word in words:
        if word.value not in ("--", "-s"):
            yield _deed(Does.KILL, word, invocation)


def _dd(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`dd`: `if=` is read and `of=` written."""
    for word in invocation.words:
        key, equals, value = word.value.partition("=")
        if equals and key in ("if", "of"):
            target = Word(value, word.start + len(key) + 1, word.end)
            yield _deed(Does.OVERWRITE if key == "of" else Does.READ, target, invocation)
    given = {key: value for key, _, value in (w.value.partition("=") for w in invocation.words)}
    if given.get("if") in _ENDLESS and not given.get("of", "/dev/stdout").startswith("/dev/"):
        count = size(given.get("count", ""))
        block = 1 if "count_bytes" in given.get("iflag", "") else size(given.get("bs", "512"))
        if "count" not in given or count * block > MOST:
            yield _whole(invocation)


def _fallocate(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`fallocate`, `mkfile`, `head -c`: how much of the disk they take."""
    word = bound.value("length", "bytes", "size")
    if invocation.program == "mkfile" and bound.operands:
        word = bound.operands[0]
    reads = invocation.program != "head" or any(w.value in _ENDLESS for w in bound.operands)
    if word is not None and reads and size(word.value) > MOST:
        yield _whole(invocation)


def _endless(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """Programs that print, or keep in memory, all of a device that never ends; or print without end themselves."""
    program = invocation.program
    given = {each.target.value for each in invocation.redirects if each.operator == "<"}
    given |= {word.value for word in invocation.words}
    written = [each.target.value for each in invocation.redirects if each.operator.startswith((">", "&>"))]
    ends = all(name.startswith("/dev/") for name in written)
    endless = program == "yes" or not given.isdisjoint(_ENDLESS)
    if endless and (program in _KEEPING or not ends):
        yield _whole(invocation)


def _whole(invocation: Invocation) -> Deed:
    text = " ".join((invocation.program, *(word.value for word in invocation.words)))
    return Deed(Does.EXHAUST, text, invocation.start, invocation.end, invocation.cwd)


def _deed(does: Does, word: Word, invocation: Invocation, extent: Extent = Extent.ONE) -> Deed:
    return Deed(does, word.value, word.start, word.end, invocation.cwd, extent)


BINDERS: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {
        "find": _find,
        "dd": _dd,
        **dict.fromkeys(("chmod", "chown", "chgrp", "chflags", "chattr"), _owners),
        "kill": _kill,
        "fallocate": _fallocate,
        "mkfile": _fallocate,
        "head": _fallocate,
        **dict.fromkeys(
            ("yes", "cat", "tail", "tac", "sort", "shuf", "tr", "base64", "pv", "gzip", "xz"), _endless
        ),
    }
)
"""The grammar of each such program; what `gateway.inspect.programs` tells of it counts as well."""
