"""Values of shell words, in which what can't be known stands as a mark instead of being guessed."""

from __future__ import annotations

from gateway.frozen import frozen

# Private-use characters mark what the shell would put in; text that already holds one reads as unknown.
# `DEEP` is whatever lies below a directory, at any depth; `STAR` and `ANY` are no leading dot, `FULL` is a `*`
# that may be one.
UNKNOWN = "\ue000"
STAR = "\ue001"
ANY = "\ue002"
DEEP = "\ue003"
FULL = "\ue004"
# Unknown too, but it is known where it comes from: a host, a decoder, a file that holds secrets.
NETWORK = "\ue005"
DECODED = "\ue006"
SECRET = "\ue007"  # noqa: S105
ORIGINS = frozenset((NETWORK, DECODED, SECRET))
HOLES = ORIGINS | {UNKNOWN}
MARKS = frozenset((UNKNOWN, STAR, ANY, DEEP, FULL, *ORIGINS))
_SHOWN = {
    ord(STAR): "*",
    ord(ANY): "?",
    ord(DEEP): "**",
    ord(FULL): "*",
    **{ord(hole): "…" for hole in HOLES},
}
_EMPTIED = {ord(mark): None for mark in (*HOLES, DEEP)}
_PLAIN = {ord(mark): UNKNOWN for mark in ORIGINS}


@frozen
class Word:
    """One argument as the program receives it, and where its characters stand in the inspected text."""

    value: str
    start: int
    end: int

    @property
    def known(self) -> bool:
        """Whether every character is known and no file name pattern is left in it."""
        return not marked(self.value)


def marked(value: str) -> bool:
    """Whether a value holds an unknown part or a file name pattern."""
    return not value.isascii() and not MARKS.isdisjoint(value)


def certain(value: str) -> str:
    """The value with its unknown parts taken as empty, as the shell does with unset variables."""
    return value if value.isascii() else value.translate(_EMPTIED)


def holed(value: str) -> bool:
    """Whether a value holds an unknown part."""
    return not value.isascii() and not HOLES.isdisjoint(value)


def plain(value: str) -> str:
    """The value with the origin of its unknown parts forgotten."""
    return value if value.isascii() else value.translate(_PLAIN)


def shown(value: str) -> str:
    """The value as people read it: `…` for an unknown part, `**` for whatever lies below."""
    return value.translate(_SHOWN)


def may_be(pattern: str, text: str) -> bool:
    """Whether a value can turn out to be the text; patterns of file names don't cross a `/`.

    All ways to match are followed at once, so that no pattern makes it slow.
    """
    if not marked(pattern):
        return pattern == text
    pattern = plain(pattern)
    first = next(i for i, char in enumerate(pattern) if char in MARKS)
    if not text.startswith(pattern[:first]):
        return False
    states = _skipping(pattern, {first})
    before = text[first - 1 : first]
    for char in text[first:]:
        following = set()
        inside = char != "/"
        visible = inside and not (char == "." and before == "/")
        before = char
        for at in states:
            mark = pattern[at] if at < len(pattern) else ""
            if mark in (UNKNOWN, DEEP) or (mark == STAR and visible) or (mark == FULL and inside):
                following.add(at)
            elif mark == char or (mark == ANY and visible):
                following.add(at + 1)
        if not following:
            return False
        states = _skipping(pattern, following)
    return len(pattern) in states


def _skipping(pattern: str, states: set[int]) -> set[int]:
    """The states with those that an empty `*` or an empty value leads to."""
    for state in tuple(states):
        at = state
        while at < len(pattern) and pattern[at] in (STAR, FULL, UNKNOWN, DEEP) and at + 1 not in states:
            at += 1
            states.add(at)
    return states
