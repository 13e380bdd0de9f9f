"""Names with `*`: the only wildcard of a policy, case-sensitive, never crossing `/`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from gateway.frozen import frozen
from gateway.later import later
from gateway.malformed import Malformed

_PATTERN = later(r"[A-Za-z0-9_.:@*-]+(/[A-Za-z0-9_.:@*-]+)?", re.ASCII)
_LONGEST = 200
_T = TypeVar("_T")


@frozen
class Glob:
    """A pattern in which each `*` stands for any characters but `/`, also none."""

    text: str
    _pieces: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pieces = tuple(tuple(segment.split("*")) for segment in self.text.split("/"))
        object.__setattr__(self, "_pieces", pieces)

    @property
    def exact(self) -> bool:
        """Whether the pattern is a plain name."""
        return "*" not in self.text

    def matches(self, name: str) -> bool:
        """Whether the name fits, in time linear in pattern times name at worst, without backtracking."""
        if self.text == "*":
            return "/" not in name
        if len(self._pieces) == 1:
            return "/" not in name and _fits(self._pieces[0], name)
        if name.count("/") != len(self._pieces) - 1:
            return False
        return all(map(_fits, self._pieces, name.split("/")))


def fits(pattern: str, text: str) -> bool:
    """Whether a whole text fits a pattern in which each `*` stands for any characters, `/` and line breaks too."""
    return _fits(_pieces(pattern), text)


@lru_cache(maxsize=10_000)
def _pieces(pattern: str) -> tuple[str, ...]:
    return tuple(pattern.split("*"))


def _fits(pieces: Sequence[str], text: str) -> bool:
    """Each piece between stars is taken at its first place: with one wildcard that is never too early."""
    if len(pieces) == 1:
        return text == pieces[0]
    if len(pieces) == 3 and not pieces[0] and not pieces[2]:
        return pieces[1] in text
    first, *middle, last = pieces
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in middle:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def parse_pattern(text: str) -> str:
    """The text if it is a pattern, perhaps with `!` before it."""
    bare = text.removeprefix("!")
    if len(text) > _LONGEST:
        raise Malformed(f"the pattern is longer than {_LONGEST} characters")
    if not bare or _PATTERN.fullmatch(bare) is None:
        raise Malformed(
            f"`{text}` is no name or pattern",
            "write letters, digits, `_`, `-`, `.` and `*` for any of them; `server/name` for a server's tool",
        )
    return text


class ByName(Mapping[str, _T], Generic[_T]):
    """Things by their names, whose names are never tried one by one to find those that a pattern matches."""

    def __init__(self, things: Mapping[str, _T]) -> None:
        self._things = dict(things)

    def __getitem__(self, name: str) -> _T:
        return self._things[name]

    def __contains__(self, name: object) -> bool:
        return name in self._things

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def matching(self, pattern: str) -> Iterable[str]:
        """The names that a pattern without `!` matches."""
        if "*" not in pattern:
            return (pattern,) if pattern in self._things else ()
        return filter(Glob(pattern).matches, self._likely(pattern))

    def _likely(self, pattern: str) -> Iterable[str]:
        """The names that begin as the pattern does, or where it begins with a star, those that end as it does."""
        first, last = pattern[: pattern.index("*")], pattern[pattern.rindex("*") + 1 :]
        if first or not last:
            return _beginning(self._sorted, first)
        return (name[::-1] for name in _beginning(self._reversed, last[::-1]))

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._things)

    @cached_property
    def _reversed(self) -> list[str]:
        return sorted(name[::-1] for name in self._things)


def _beginning(names: list[str], start: str) -> list[str]:
    """Those of some sorted names that begin with a text."""
    at = bisect_left(names, start)
    return names[at : bisect_right(names, start, at, key=lambda name: name[: len(start)])]


def select(patterns: Iterable[str], names: Iterable[str]) -> frozenset[str]:
    """The names that some pattern matches and none of those with `!` before them."""
    if isinstance(names, ByName):
        return _selected(patterns, names)
    wanted, unwanted = _split(patterns)
    return frozenset(
        name
        for name in names
        if any(glob.matches(name) for glob in wanted) and not any(glob.matches(name) for glob in unwanted)
    )


def _selected(patterns: Iterable[str], names: ByName[_T]) -> frozenset[str]:
    wanted: set[str] = set()
    unwanted: set[str] = set()
    for pattern in patterns:
        if pattern.startswith("!"):
            unwanted.update(names.matching(pattern[1:]))
        else:
            wanted.update(names.matching(pattern))
    return frozenset(wanted - unwanted)


def select_governed(patterns: Iterable[str], names: Iterable[str]) -> frozenset[str]:
    """As `select`, for rules, limits and results: there a lone `*` means every tool, servers' tools too."""
    return select((wide for pattern in patterns for wide in _EVERY.get(pattern, (pattern,))), names)


_EVERY = {"*": ("*", "*/*")}


def _split(patterns: Iterable[str]) -> tuple[list[Glob], list[Glob]]:
    wanted: list[Glob] = []
    unwanted: list[Glob] = []
    for pattern in patterns:
        if pattern.startswith("!"):
            unwanted.append(Glob(pattern[1:]))
        else:
            wanted.append(Glob(pattern))
    return wanted, unwanted
