"""A workspace and a home of which only the name is not known, for paths that a tool is given.

A session that says no directory at all has a workspace all the same: relative paths lie in it, and absolute ones,
those below `~` and those that climb out of it do not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gateway.inspect.place import Place, under

WORKSPACE = "/\0workspace"
"""Stands for its name: no file can be called so, and no argument can spell it."""
HOME = "/home/\0"


def assumed(place: Place) -> Place:
    """The place with a stand-in for the workspace and the home that are not known."""
    if place.roots and place.home is not None:
        return place
    here = place.cwd if place.roots else place.cwd or WORKSPACE
    roots = place.roots or (here or WORKSPACE,)
    follow = _follower(place.resolve)
    return replace(place, cwd=here, home=place.home or HOME, roots=roots, resolve=follow)


def _follower(resolve: Callable[[str], str]) -> Callable[[str], str]:
    """Follows links as before, but for those below a directory that nobody can look into."""
    return lambda path: path if is_below(path) else resolve(path)


def is_below(path: str) -> bool:
    """Whether an absolute path lies in a workspace or a home that is not known."""
    return under(path, WORKSPACE) or under(path, HOME)


def written(path: str) -> str:
    """An absolute path as people write it who know no names either: `src/a.py`, `~/.bashrc`."""
    if under(path, WORKSPACE):
        return path[len(WORKSPACE) + 1 :] or "."
    return "~" + path[len(HOME) :] if under(path, HOME) else path
