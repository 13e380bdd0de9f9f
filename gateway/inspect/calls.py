"""What calls do with their arguments, as tables of the languages' modules spell it.

`delete 0 path tree, read 1` says that the first argument, or the one named `path`, is removed with all below it,
and that the second is read. Besides deeds there are `shell` (a text for a shell), `command` (a list of arguments,
or all arguments from there on), `code` (a text in the same language) and `query` (a text in SQL).
"""

from __future__ import annotations

from functools import cache

from gateway.frozen import frozen
from gateway.inspect.deed import Does, Extent

_EXTENTS = {extent.value: extent for extent in Extent}
_DOES = {does.value: does for does in Does}


@frozen
class Role:
    """What one argument of a call is: its place and name, and what is done to it."""

    does: Does | None
    kind: str
    at: int
    names: tuple[str, ...] = ()
    extent: Extent = Extent.ONE


@cache
def roles(spec: str) -> tuple[Role, ...]:
    """The roles that a table's entry spells."""
    made = []
    for part in spec.split(","):
        kind, at, *rest = part.split()
        extent = next((_EXTENTS[word] for word in rest if word in _EXTENTS), Extent.ONE)
        names = tuple(word for word in rest if word not in _EXTENTS)
        made.append(Role(_DOES.get(kind), kind, int(at), names, extent))
    return tuple(made)
