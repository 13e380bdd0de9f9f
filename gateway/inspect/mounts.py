"""What of the host a container is given: the files that it can read, whatever the spelling of the mount."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.options import Bound
from gateway.inspect.shell.invocation import Invocation
from gateway.inspect.word import Word

_SOURCES = ("source", "src")


def mounts(bound: Bound, invocation: Invocation) -> Iterator[Deed]:
    """The host's side of `-v HOST:CONTAINER` and of `--mount type=bind,source=HOST,…`, each read as a tree."""
    for word in (*bound.flags.get("volume", ()), *bound.operands):
        host, colon, _ = word.value.removeprefix("=").partition(":")
        if colon:
            yield from _read(host, word, invocation)
    for word in bound.flags.get("mount", ()):
        for part in word.value.split(","):
            key, _, host = part.partition("=")
            if key.strip() in _SOURCES:
                yield from _read(host, word, invocation)


def _read(host: str, word: Word, invocation: Invocation) -> Iterator[Deed]:
    # A name without any slash is a volume of its own, which is no directory of the host.
    if host.startswith(("/", ".", "~")):
        yield Deed(Does.READ, host, word.start, word.end, invocation.cwd, Extent.TREE)
