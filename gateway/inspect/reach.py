"""Whether a path that a command is given reaches a guarded one.

A path without patterns is compared as it is written and with links followed. A pattern reaches a guarded path
where it surely covers it and either spells part of its name (`polic*`, `-name settings.json`, `*.yaml` for a
policy) or belongs to a command that removes all that it covers. What lies in an unknown directory (`$DIR/…`)
reaches it where the guarded path is spelled from its own root on, as in `$DIR/.claude/settings.json`; where
only its last name is, it may. Everything else, such as `*/*.py` or a walk over a tree, is an ordinary edit of
many files and reaches nothing.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from enum import IntEnum
from functools import cached_property

from gateway.inspect.kernel import through_kernel
from gateway.inspect.place import Place, is_artifact, joined, under
from gateway.inspect.word import DEEP, MARKS, UNKNOWN, certain, marked, may_be, plain
from gateway.later import later


class Use(IntEnum):
    """What a command does with a path, the further it reaches the higher."""

    CHANGED = 0
    """It alone is read, changed or run."""
    FILLED = 1
    """If it is a directory, files of any name are put into it."""
    REMOVED = 2
    """It is removed or moved."""
    EMPTIED = 3
    """It is removed or moved with all that lies below it."""


class Touch(IntEnum):
    """Whether a guarded path is reached."""

    NO = 0
    MAYBE = 1
    YES = 2


_NAME = later(r"\w")
# No system takes a longer path.
_LONGEST = 4096
_MOST_LEADS = 32
_POLICIES = (".yaml", ".yml")
_HOLES = {ord(mark): "\0" for mark in MARKS}


class GuardedPaths:
    """Absolute paths that are guarded, by what is asked of them; some file systems ignore case, so all is folded."""

    def __init__(self, paths: tuple[str, ...]) -> None:
        self.paths = paths

    @cached_property
    def whole(self) -> frozenset[str]:
        """The paths themselves."""
        return frozenset(path.casefold() for path in self.paths)

    @cached_property
    def above(self) -> frozenset[str]:
        """Each directory that holds one, the root as nothing."""
        return frozenset(above for path in self.whole for above in _above(path))

    @cached_property
    def homes(self) -> Mapping[str, tuple[str, ...]]:
        """The directories that are there for files among them, as they are spelled."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            parent, name = posixpath.split(path)
            if posixpath.splitext(name)[1]:
                found.setdefault(parent.casefold(), []).append(path)
        return {parent: tuple(each) for parent, each in found.items()}

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The paths as they are spelled, beside their folded form."""
        return tuple((path, path.casefold()) for path in self.paths)

    @cached_property
    def lasts(self) -> frozenset[str]:
        """Their last components."""
        return frozenset(path.rpartition("/")[2] for path in self.whole)

    @cached_property
    def components(self) -> frozenset[str]:
        """All their components."""
        return frozenset(part for path in self.whole for part in path.split("/"))


def _above(path: str) -> Iterator[str]:
    """All directories above a path, the nearest first."""
    at = path.rfind("/")
    while at >= 0:
        path = path[:at]
        yield path
        at = path.rfind("/")


def reached(value: str, cwd: str | None, place: Place, guarded: GuardedPaths, use: Use) -> Touch:
    """Whether a value, as a path from a directory, reaches one of the guarded paths."""
    if not guarded.paths or not value or value.startswith("-"):
        return Touch.NO
    value, cwd = plain(value), plain(cwd) if cwd is not None else None
    if UNKNOWN in value and _NAME.search(certain(value)) is None:
        return Touch.NO
    if place.home is None and value.startswith("~/"):
        value = UNKNOWN + value[1:]
    whole = _whole(value, cwd, place)
    path = posixpath.normpath(whole)
    found = _spelled_out(path, whole, guarded, place, use)
    if found is Touch.YES or len(whole) > _LONGEST:
        return found
    if not marked(path) and ".." not in whole and place.resolve(path) == path:
        return found
    for other in _followed(whole, cwd, place):
        found = max(found, _spelled_out(other, whole, guarded, place, use))
        if found is Touch.YES:
            break
    return found


def _spelled_out(path: str, whole: str, guarded: GuardedPaths, place: Place, use: Use) -> Touch:
    """Whether one reading of a path reaches a guarded one."""
    if marked(path):
        return _by_pattern(path.casefold(), guarded, place, use)
    if not _named(path.casefold(), guarded, place, use):
        return Touch.NO
    # It lies there if the part that isn't known turns out to be that directory.
    return Touch.MAYBE if UNKNOWN in whole[:1] else Touch.YES


def _whole(value: str, cwd: str | None, place: Place) -> str:
    """A value as a path with all its `..`; it begins with an unknown part where it may lie in any directory."""
    whole = None if value.startswith(UNKNOWN) else joined(value, cwd, place.home)
    if whole is not None and ("/proc/" in whole or "/dev/" in whole):
        whole = through_kernel(whole, cwd)
    if whole is None:
        return value if value.startswith(UNKNOWN) else f"{UNKNOWN}/{value}"
    return whole


def _followed(whole: str, cwd: str | None, place: Place) -> Iterator[str]:
    """The paths that it is with links followed, as far as names are known; `..` leads up from where a link leads."""
    if not whole.startswith(UNKNOWN):
        yield from _leads("", whole.split("/")[1:], place, [_MOST_LEADS], cwd)
        return
    start, _, rest = whole.partition("/")
    for base in dict.fromkeys((cwd, *place.roots, place.home)) if start == UNKNOWN and rest else ():
        if base is not None and not marked(base):
            yield from _leads(base, rest.split("/"), place, [_MOST_LEADS], cwd)


def _leads(base: str, parts: list[str], place: Place, left: list[int], cwd: str | None) -> Iterator[str]:
    """Where a path leads that starts in a directory, once for each link that a pattern in it may find."""
    if left[0] <= 0:
        return
    left[0] -= 1
    first = next((at for at, part in enumerate(parts) if marked(part)), len(parts))
    written = "/".join((base, *parts[:first])) or "/"
    if ".." not in parts:
        written = posixpath.normpath(written)
    target = posixpath.normpath(place.resolve(written))
    if target.startswith(("/proc/", "/dev/")):
        target = place.resolve(through_kernel(target, cwd) or target)
    rest = parts[first:]
    if target != posixpath.normpath(written):
        yield posixpath.normpath("/".join((target, *rest)))
    if len(rest) > 1 and not {UNKNOWN, DEEP} & set(rest[0]) and _spells(rest[0], ""):
        for name in place.links(target):
            if may_be(f"/{rest[0]}", f"/{name}"):
                yield from _leads(target, [name, *rest[1:]], place, left, cwd)


def own_name(guarded: str, place: Place) -> str:
    """The part of a guarded path that tells it apart: from its own root on."""
    return "/".join(guarded.split("/")[_root(guarded, place) :])


def _root(guarded: str, place: Place) -> int:
    """How many leading components of a guarded path are the directory that it belongs to."""
    bases = [b for b in (place.cwd, place.home, *place.roots) if b and b not in ("/", guarded)]
    found = [len(base.split("/")) for base in bases if under(guarded, base)]
    return max(found) if found else max(len(guarded.split("/")) - 2, 1)


def _named(folded: str, guarded: GuardedPaths, place: Place, use: Use) -> bool:
    whole = guarded.whole
    at = len(folded)
    while at > 0:
        if folded[:at] in whole:
            return True
        at = folded.rfind("/", 0, at)
    if use is Use.EMPTIED:
        return folded.rstrip("/") in guarded.above
    if use is not Use.FILLED:
        return False
    # A directory is there for a guarded file as `.claude` is for `.claude/settings.json`.
    own = guarded.homes.get(folded, ())
    return any(len(posixpath.dirname(path).split("/")) > _root(path, place) for path in own)


def _by_pattern(pattern: str, paths: GuardedPaths, place: Place, use: Use) -> Touch:
    parts = pattern.split("/")
    # A pattern names something in a guarded directory if one of its own parents may be that directory.
    counts = [i for i in range(2, len(parts) + 1) if marked(parts[i - 1]) or parts[i - 1] in paths.lasts]
    above = use is Use.EMPTIED and (marked(parts[-1]) or parts[-1] in paths.components)
    best = Touch.NO
    head = pattern[: next(i for i, char in enumerate(pattern) if char in MARKS)]
    for guarded, folded in paths.pairs if counts or above else ():
        if not (folded.startswith(head) or head.startswith(folded)):
            continue
        for count in counts:
            if may_be("/".join(parts[:count]), folded):
                removed = count == len(parts) and use >= Use.REMOVED
                best = max(best, _spelled(parts[:count], _root(guarded, place), folded, removed))
        if above and best is not Touch.YES:
            best = max(best, _covers(pattern, folded, _root(guarded, place)))
        if best is Touch.YES:
            break
    return best


def _covers(pattern: str, guarded: str, root: int) -> Touch:
    """Whether a pattern covers a directory that holds a guarded path."""
    last = pattern.rsplit("/", 1)[-1]
    above = posixpath.dirname(guarded)
    while above not in ("/", ""):
        if may_be(pattern, above):
            if UNKNOWN not in pattern:
                return Touch.YES
            if _spells(last, above) and len(above.split("/")) > root and not is_artifact(last):
                return Touch.MAYBE
        above = posixpath.dirname(above)
    return Touch.NO


def _spelled(parts: list[str], root: int, guarded: str, removed: bool) -> Touch:
    """How surely the parts of a pattern that may be a guarded path are meant to be it."""
    if UNKNOWN not in "".join(parts):
        told = removed or _spells(parts[-1], guarded) or (len(parts) - 2 >= root and _spells(parts[-2], ""))
        return Touch.YES if told else Touch.NO
    own = len(guarded.split("/")) - root
    if not _spells(parts[-1], guarded):
        return Touch.NO
    names = parts[-own:]
    whole = len(parts) > own and all(_NAME.search(name) and UNKNOWN not in name for name in names)
    return Touch.YES if whole else Touch.MAYBE


def _spells(part: str, guarded: str) -> bool:
    """Whether a component says part of a name; an ending alone says it of policies only."""
    stem, ending = posixpath.splitext(part.translate(_HOLES))
    if _NAME.search(stem) is not None:
        return True
    return ending in _POLICIES and guarded.endswith(ending)
