"""Programs that change the rights and owners of files, and that end processes: what they are pointed at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.options import Bound
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word, marked

_MODE_LETTERS = frozenset(("r", "w", "x", "X", "s", "t", "a", "c", "d", "e", "u", "mutable"))
_NO_SIGNAL = frozenset(("-l", "-L", "--list", "--table", "-0", "--help", "--version", "-V"))
_NAMED_SIGNAL = frozenset(("-s", "-n", "--signal", "-q"))


def _owners(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`chmod`, `chown` and their kin: the first operand is no file, unless the mode looks like options."""
    letters = _MODE_LETTERS if invocation.program in ("chmod", "chattr") else frozenset()
    first = 0 if "reference" in bound.flags or not letters.isdisjoint(bound.flags) else 1
    for word in bound.operands[first:]:
        if "recursive" in bound.flags:
            yield _deed(Does.META, word, invocation, Extent.TREE)
        else:
            yield _deed(Does.META, word, invocation, Extent.MANY if marked(word.value) else Extent.ONE)


def _kill(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`kill`: the processes that it ends; what looks like a negative number in front is the signal."""
    words = invocation.words
    if words and words[0].value.startswith("-"):
        if words[0].value in _NO_SIGNAL:
            return
        words = words[2 if words[0].value in _NAMED_SIGNAL else 1 :]
    for word in words:
        if word.value != "--":
            yield _deed(Does.KILL, word, invocation, Extent.ONE)


def _deed(does: Does, word: Word, invocation: Invocation, extent: Extent) -> Deed:
    return Deed(does, word.value, word.start, word.end, invocation.cwd, extent)


OWNING: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {**dict.fromkeys(("chmod", "chown", "chgrp", "chflags", "chattr"), _owners), "kill": _kill}
)
"""What each such program does."""
