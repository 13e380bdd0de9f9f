"""Which patterns of file names surely find nothing but entries of one directory, whatever these are.

A `*` matches no `/` and no `..`, so what it finds lies in its directory; but a link among it may lead anywhere. Whoever
removes what is found removes the link itself, and stays inside. Whoever reads or changes it may not.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from gateway.inspect.command import Command
from gateway.inspect.deed import Deed, Does
from gateway.inspect.named import named
from gateway.inspect.place import Place, absolute
from gateway.inspect.word import ANY, FULL, STAR, marked, shown

_FINDS = frozenset((STAR, FULL, ANY))
_REMOVES = frozenset(("rm", "rmdir", "unlink"))


def only_removed(commands: Iterable[Command], place: Place) -> list[str]:
    """The patterns by which entries of a known directory are removed and nothing else is done, as facts tell them."""
    found = [
        (each, {path for deed in each.deeds if (path := _entries(each, deed, place))}) for each in commands
    ]
    removed = dict.fromkeys(path for _, own in found for path in sorted(own))
    others: set[str] = set()
    for command, own in found if removed else ():
        others |= {path for each in command.deeds if (path := _told(each, place)) not in own}
        others |= {path for path in named(command, place) if path not in own}
        if any(deed.does is not Does.DELETE for deed in command.deeds):
            others |= own
    return [path for path in removed if path not in others]


def _told(deed: Deed, place: Place) -> str:
    path = absolute(deed.target, deed.cwd, place.home)
    return "" if path is None else shown(path)


def _entries(command: Command, deed: Deed, place: Place) -> str:
    """The pattern of a deed that removes what it finds in one directory; nothing for any other deed."""
    if deed.does is not Does.DELETE or command.program not in _REMOVES or deed.target.endswith("/"):
        return ""
    path = absolute(deed.target, deed.cwd, place.home)
    if path is None or not marked(path):
        return ""
    directory, last = posixpath.split(path)
    marks = {char for char in last if marked(char)}
    if marked(directory) or not marks <= _FINDS:
        return ""
    if last.startswith(".") and not set(last) - marks - {"."}:
        # `.*` finds `..` in some shells.
        return ""
    return shown(path) if place.resolve(directory) == directory else ""
