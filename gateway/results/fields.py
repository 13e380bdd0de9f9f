"""Which fields of a result are blanked out: names with dots, `*` for one level, `**` for any depth."""

from __future__ import annotations

from collections.abc import Iterable

from gateway.frozen import frozen
from gateway.malformed import Malformed
from gateway.results.folding import folded

ANY_DEPTH = "**"
ANY_NAME = "*"
_LONGEST = 200
_MOST_KNOWN = 1_000


@frozen
class FieldPattern:
    """A pattern such as `**.password`; upper and lower case are one."""

    text: str
    segments: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name by which the field is looked for in a text that has no structure."""
        return next(s for s in reversed(self.segments) if s not in (ANY_DEPTH, ANY_NAME))


def any_depth(name: str) -> FieldPattern:
    """The pattern of every field with a name, wherever it stands."""
    return FieldPattern(f"**.{name}", (ANY_DEPTH, folded(name)))


def parse_field(text: str) -> FieldPattern:
    """A field pattern, or `Malformed` with the characters that are wrong."""
    if len(text) > _LONGEST:
        raise Malformed(f"the field pattern is longer than {_LONGEST} characters")
    at = 0
    segments = text.split(".")
    for segment in segments:
        end = at + len(segment)
        if not segment or segment != segment.strip():
            message = f"`{text}` has a name that is empty or begins or ends with a blank"
            raise Malformed(
                message, "write names with single dots between them", start=at, end=max(end, at + 1)
            )
        if "*" in segment and segment not in (ANY_DEPTH, ANY_NAME):
            help = "`*` stands for a whole name, `**` for any depth, such as `**.password`"
            raise Malformed(f"`{segment}` is no name of a field", help, start=at, end=end)
        if any(c in '"\\<>' or not c.isprintable() for c in segment):
            raise Malformed(
                f"`{segment}` is no name of a field", "write the name without quotes", start=at, end=end
            )
        at = end + 1
    if segments[-1] == ANY_DEPTH:
        raise Malformed(f"`{text}` names no field", "end with the name of a field, such as `**.password`")
    if all(segment in (ANY_DEPTH, ANY_NAME) for segment in segments):
        raise Malformed(f"`{text}` names no field", "name at least one of the fields on the way")
    return FieldPattern(text, tuple(folded(segment) for segment in segments))


class Place:
    """Where in the patterns a value stands: for each next name, whether it is a hit and where it leads."""

    __slots__ = ("hit", "known", "other", "steps")

    def __init__(self) -> None:
        self.hit: int | None = None
        self.steps: dict[str, Place] = {}
        self.other: Place = self
        self.known: dict[str, Place] = {}
        """Where names lead, as they were written in results so far."""

    def below(self, name: str) -> Place:
        """The place of the value under a name."""
        found = self.known.get(name)
        if found is None:
            found = self.steps.get(folded(name), self.other)
            if len(self.known) < _MOST_KNOWN and len(name) <= _LONGEST:
                self.known[name] = found
        return found


_Positions = frozenset[tuple[int, int]]


def start(patterns: Iterable[FieldPattern]) -> Place:
    """The place of a whole result; `hit` of a place is the number of the pattern that the value there matches."""
    listed = [pattern.segments for pattern in patterns]
    names = {s for segments in listed for s in segments if s not in (ANY_DEPTH, ANY_NAME)}
    made: dict[tuple[_Positions, int | None], Place] = {}

    def closed(positions: Iterable[tuple[int, int]]) -> _Positions:
        found = set(positions)
        waiting = list(found)
        while waiting:
            pattern, at = waiting.pop()
            after = (pattern, at + 1)
            if listed[pattern][at] == ANY_DEPTH and after not in found:
                found.add(after)
                waiting.append(after)
        return frozenset(found)

    def step(positions: _Positions, name: str | None) -> tuple[_Positions, int | None]:
        found: set[tuple[int, int]] = set()
        hits: list[int] = []
        for pattern, at in positions:
            segments = listed[pattern]
            if segments[at] == ANY_DEPTH:
                found.add((pattern, at))
            elif segments[at] in (ANY_NAME, name):
                if at + 1 == len(segments):
                    hits.append(pattern)
                else:
                    found.add((pattern, at + 1))
        return closed(found), min(hits, default=None)

    def place(positions: _Positions, hit: int | None) -> tuple[Place, bool]:
        known = made.get((positions, hit))
        if known is not None:
            return known, False
        new = made[(positions, hit)] = Place()
        new.hit = hit
        return new, True

    first, _ = place(closed((index, 0) for index in range(len(listed))), None)
    waiting: list[tuple[Place, _Positions]] = [(first, closed((i, 0) for i in range(len(listed))))]
    while waiting:
        here, positions = waiting.pop()
        for name in (None, *names):
            reached, hit = step(positions, name)
            there, is_new = place(reached, hit)
            if name is None:
                here.other = there
            else:
                here.steps[name] = there
            if is_new:
                waiting.append((there, reached))
        here.steps = {name: there for name, there in here.steps.items() if there is not here.other}
        if len(made) > _MOST_PLACES:
            raise Malformed("these field patterns together are too many", "use fewer `*` after `**`")
    return first


_MOST_PLACES = 5_000
