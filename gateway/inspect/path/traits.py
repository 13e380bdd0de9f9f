"""The traits of a path, by the names in it and by its spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from gateway.frozen import frozen
from gateway.inspect.path.tables import EXCEPT, TABLE
from gateway.inspect.path.trait import PathTrait
from gateway.inspect.place import Place, absolute, under
from gateway.inspect.word import DEEP, FULL, MARKS, STAR, UNKNOWN, certain, marked, may_be
from gateway.later import later

_USER = later(r"~([a-z_][a-z0-9_.-]*)/", re.IGNORECASE)
_SPACE = "\ue0ff"
_WITHOUT_MARKS = {ord(mark): None for mark in MARKS}


@frozen
class _Entry:
    """One line of a table: the names in front of the one that it is found by, and where they begin."""

    trait: PathTrait
    excepted: bool
    start: str
    names: tuple[str, ...]
    below: bool


def traits(path: str, place: Place) -> frozenset[PathTrait]:
    """What a path is beside its class; it may hold marks, and has each trait that it can turn out to have."""
    from gateway.inspect.path.spelling import odd

    found = named(path, place)
    spelled = odd(path)
    if spelled:
        found |= {each.trait for each in spelled}
    return found


def named(path: str, place: Place) -> frozenset[PathTrait]:
    """The traits that a path has by its names and by where it leads, without those of its spelling."""
    whole = None if path.startswith(UNKNOWN) else absolute(expanded(path, place), place.cwd, place.home)
    found = _of_names(path if whole is None else whole, place.home)
    if UNKNOWN in path or DEEP in path:
        emptied = certain(path)
        if emptied.strip("/"):
            found |= _of_names(absolute(emptied, place.cwd, place.home) or emptied, place.home)
    if ".." in path and whole is not None and _leaves(path, whole, place):
        found |= {PathTrait.TRAVERSAL}
    return found


def expanded(path: str, place: Place) -> str:
    """The path with the home of a named user in it, as shells write it."""
    own = (place.home or "").rpartition("/")[2]
    # A name alone is rather that of a file.
    user = _USER.match(path if path.lower() not in ("~root", f"~{own}".lower()) else path + "/")
    if user is None:
        return path
    name, rest = user[1], path[user.end(1) :]
    if name.lower() == "root":
        return "/root" + rest
    if place.home is None:
        return f"/home/{name}{rest}"
    return (
        place.home + rest if name.lower() == own.lower() else f"{place.home.rpartition('/')[0]}/{name}{rest}"
    )


def _leaves(path: str, whole: str, place: Place) -> bool:
    if ".." not in path.replace("\\", "/").split("/"):
        return False
    inside = [
        root
        for root in place.roots
        if under(path, root) or (place.cwd is not None and under(place.cwd, root))
    ]
    relative = not path.startswith(("/", "~"))
    begins = any(relative or under(path, root) for root in inside)
    return begins and not any(under(whole, root) for root in place.roots)


@lru_cache(maxsize=4096)
def _of_names(path: str, home: str | None) -> frozenset[PathTrait]:
    absolute_path = path.startswith("/")
    names = [name for name in path.lower().split("/") if name]
    if absolute_path:
        if names[:1] == ["private"]:
            del names[0]
        if names[:2] == ["var", "run"]:
            del names[0]
    at_home = len(_home(names, home)) if absolute_path else 1 if UNKNOWN in names[:1] else -1
    found: set[PathTrait] = set()
    excepted: set[PathTrait] = set()
    last = len(names) - 1
    for at, name in enumerate(names):
        for entry in _entries(name):
            begin = at - len(entry.names)
            if at < last and not entry.below:
                continue
            if begin < 0 or (entry.start == "/" and (begin or not absolute_path)):
                continue
            if (
                entry.start == "~"
                and begin != at_home
                and not (not absolute_path and begin == 0 and marked(names[0]))
            ):
                continue
            if all(map(_fits, entry.names, names[begin:at])):
                (excepted if entry.excepted else found).add(entry.trait)
    return frozenset(found - excepted)


def _home(names: list[str], home: str | None) -> list[str]:
    own = [name for name in (home or "").lower().split("/") if name]
    if own and names[: len(own)] == own:
        return own
    if names[:1] == ["root"] or names[:2] == ["var", "root"]:
        return names[: 1 if names[0] == "root" else 2]
    return names[:2] if names[:1] in (["home"], ["users"], ["c:"]) else [""] * 99


def _fits(entry: str, name: str) -> bool:
    if entry in (name, "*"):
        return True
    if "*" in entry:
        return _matches(tuple(entry.split("*")), name)
    # What lies anywhere below a directory is not meant for this one.
    return name != DEEP and marked(name) and may_be(name, entry)


def _matches(pattern: tuple[str, ...], name: str) -> bool:
    """Whether a name begins and ends as a pattern does, with the parts between in order."""
    first, *between, last = pattern
    at, end = len(first), len(name) - len(last)
    if at > end or not name.startswith(first) or not name.endswith(last):
        return False
    for part in between:
        found = name.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True


@frozen
class _Index:
    """The entries by the last of their names, and those whose last name is a pattern by what it begins or ends with."""

    exact: dict[str, list[_Entry]]
    ends: dict[str, list[tuple[tuple[str, ...], _Entry]]]
    begins: dict[str, list[tuple[tuple[str, ...], _Entry]]]

    def patterns(self, name: str) -> Iterator[_Entry]:
        """The entries whose pattern a name matches."""
        for some in (self.ends.get(name[-2:], ()), self.begins.get(name[:2], ()), self.begins.get("", ())):
            for pattern, entry in some:
                if _matches(pattern, name):
                    yield entry


@cache
def _index() -> _Index:
    index = _Index({}, {}, {})
    for excepted, table in ((False, TABLE), (True, EXCEPT)):
        for trait, entries in table.items():
            for text in entries.replace("\\ ", _SPACE).split():
                start = text[0] if text.startswith(("/", "~/")) else ""
                names = text.replace(_SPACE, " ").removeprefix("~").strip("/").split("/")
                entry = _Entry(trait, excepted, start, tuple(names[:-1]), text.endswith("/"))
                if "*" not in names[-1]:
                    index.exact.setdefault(names[-1], []).append(entry)
                    continue
                pattern = tuple(names[-1].split("*"))
                if len(pattern[-1]) >= 2:
                    index.ends.setdefault(pattern[-1][-2:], []).append((pattern, entry))
                else:
                    begin = pattern[0][:2] if len(pattern[0]) >= 2 else ""
                    index.begins.setdefault(begin, []).append((pattern, entry))
    return index


@lru_cache(maxsize=4096)
def _entries(name: str) -> tuple[_Entry, ...]:
    return tuple(_found(name))


def _found(name: str) -> Iterator[_Entry]:
    index = _index()
    plain = name if name in (".", "..") else name.rstrip(". ") or name
    literal = plain.translate(_WITHOUT_MARKS)
    yield from index.exact.get(literal, ())
    yield from index.patterns(literal)
    if literal == plain:
        return
    dotted = plain in (f".{STAR}", f".{FULL}")
    marks = [at for at, char in enumerate(plain) if char in MARKS]
    begin, end = plain[: marks[0]], plain[marks[-1] + 1 :]
    if not begin and literal.startswith("."):
        # `*.json` is meant for all files of that kind.
        return
    for known, entries in index.exact.items():
        # `.e*` is meant for `.env`, `*` for all and nothing in particular.
        meant = known != literal and (dotted or 2 * len(literal) >= len(known))
        if meant and known.startswith(begin) and known.endswith(end) and may_be(plain, known):
            yield from (entry for entry in entries if not entry.excepted)
