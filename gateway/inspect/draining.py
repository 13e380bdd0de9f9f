"""Programs that fill a disk or the memory: from devices that never end, or by the sizes that they are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from gateway.inspect.deed import Deed, Does
from gateway.inspect.options import Bound
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.sizes import MOST, size

_ENDLESS = frozenset(("/dev/zero", "/dev/urandom", "/dev/random", "/dev/full"))
# They hold what they read until it ends.
_KEEPING = frozenset(("tail", "tac", "sort", "shuf"))


def filled(invocation: Invocation) -> Iterator[Deed]:
    """`dd` from a device without end into a file, without a count or with a very high one."""
    given = {key: value for key, _, value in (w.value.partition("=") for w in invocation.words)}
    if given.get("if") in _ENDLESS and not given.get("of", "/dev/stdout").startswith("/dev/"):
        count = size(given.get("count", ""))
        block = 1 if "count_bytes" in given.get("iflag", "") else size(given.get("bs", "512"))
        if "count" not in given or count * block > MOST:
            yield _whole(invocation)


def _allocated(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`fallocate`, `mkfile`, `head -c`: how much of the disk they take."""
    word = bound.value("length", "bytes", "size")
    if invocation.program == "mkfile" and bound.operands:
        word = bound.operands[0]
    if word is not None and size(word.value) > MOST:
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


DRAINING: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {
        **dict.fromkeys(("fallocate", "mkfile", "head"), _allocated),
        **dict.fromkeys(("yes", "cat", "tail", "tac", "sort", "shuf", "tr", "base64", "pv"), _endless),
    }
)
"""What each such program does."""
