"""What copies, moves and links do: sources are read or go away, and the target or a file in it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from gateway.inspect.deed import Deed, Does, Extent, deed
from gateway.inspect.options import Bound
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word


def _parted(bound: Bound) -> tuple[tuple[Word, ...], Word | None]:
    """The sources of a copy and its target, which is the last operand where no option names it."""
    target = bound.value("target-directory")
    if target is not None:
        return bound.operands, target
    return bound.operands[:-1], bound.operands[-1] if len(bound.operands) > 1 else None


def _is_remote(word: Word) -> bool:
    """Whether a path lies on another host: `host:path`, a colon in front of any slash, but no drive."""
    host, colon, path = word.value.partition(":")
    return bool(colon and host) and "/" not in host and not (len(host) == 1 and path.startswith(("/", "\\")))


def _put(
    does: Does, sources: Iterable[Word], target: Word | None, bound: Bound, cwd: str | None
) -> Iterator[Deed]:
    """The target as a file, and as a directory that gets what the sources are called."""
    if target is None or _is_remote(target):
        return
    yield deed(does, target, cwd)
    if "no-target-directory" in bound.flags:
        return
    for word in sources:
        path = word.value.partition(":")[2] if _is_remote(word) else word.value
        name = path.rstrip("/").rsplit("/", 1)[-1]
        if name not in ("", ".", ".."):
            yield deed(does, Word(f"{target.value.rstrip('/')}/{name}", target.start, target.end), cwd)


def _copy(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    if "directory" in bound.flags:
        # `install -d` makes directories.
        return
    sources, target = _parted(bound)
    whole = not {"recursive", "archive"}.isdisjoint(bound.flags)
    for word in sources:
        if not _is_remote(word):
            yield deed(Does.READ, word, invocation.cwd, Extent.TREE if whole else None)
    yield from _put(Does.OVERWRITE, sources, target, bound, invocation.cwd)


def _move(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    sources, target = _parted(bound)
    for word in sources if target is not None else ():
        # A move takes what it names, however much that holds, and keeps it somewhere else.
        extent = deed(Does.DELETE, word, None).extent
        yield deed(Does.DELETE, word, invocation.cwd, Extent.MANY if extent is not Extent.ONE else Extent.ONE)
    yield from _put(Does.OVERWRITE, sources, target, bound, invocation.cwd)


def _link(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    sources, target = _parted(bound)
    for word in sources or bound.operands:
        yield deed(Does.READ, word, invocation.cwd)
    yield from _put(Does.OVERWRITE, sources, target, bound, invocation.cwd)


def _sync(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """`rsync`: what the target has too much goes where options say so, and so do sources that were sent."""
    if not {"dry-run", "list-only"}.isdisjoint(bound.flags):
        return
    yield from _copy(bound, invocation)
    sources, target = _parted(bound)
    if "delete" in bound.flags and target is not None and not _is_remote(target):
        yield deed(Does.DELETE, target, invocation.cwd, Extent.TREE)
    if "remove-source-files" in bound.flags:
        for word in sources:
            if not _is_remote(word):
                yield deed(Does.DELETE, word, invocation.cwd, Extent.TREE)


COPYING: Mapping[str, Callable[[Bound, Invocation], Iterable[Deed]]] = MappingProxyType(
    {
        "cp": _copy,
        "scp": _copy,
        "install": _copy,
        "ditto": _copy,
        "mv": _move,
        "ln": _link,
        "link": _link,
        "rsync": _sync,
    }
)
"""The programs that copy, move and link."""
