"""Many patterns with `*` at once: most are a beginning, an ending or a part, for which all are tried in one go."""

from __future__ import annotations

from functools import cache

from gateway.frozen import frozen
from gateway.glob import fits


@frozen
class Globs:
    """Patterns in which each `*` stands for any characters, by their kind.

    `paths` are those that can be a path, `refused` those that begin with `!`, which take back what others let in.
    """

    whole: frozenset[str]
    beginnings: tuple[str, ...]
    endings: tuple[str, ...]
    parts: tuple[str, ...]
    others: tuple[str, ...]
    paths: Globs | None
    refused: Globs | None

    def fit(self, text: str) -> bool:
        """Whether a whole text fits one of the patterns, and none of those that are refused."""
        if self.refused is not None and self.refused.fit(text):
            return False
        if text in self.whole or text.startswith(self.beginnings) or text.endswith(self.endings):
            return True
        # Loops, as this is asked thousands of times and a generator costs more than what it looks at.
        for part in self.parts:
            if part in text:
                return True
        for other in self.others:  # noqa: SIM110
            if fits(other, text):
                return True
        return False


def _is_path(pattern: str) -> bool:
    """Whether a pattern tells more of a path than how it is written."""
    return pattern.startswith(("/", "*", "~/")) and "/" in pattern and bool(pattern.strip("*/~"))


@cache
def globs(patterns: tuple[str, ...]) -> Globs:
    """The patterns by their kind."""
    refused = tuple(pattern[1:] for pattern in patterns if pattern.startswith("!"))
    patterns = tuple(pattern for pattern in patterns if not pattern.startswith("!"))
    absolute = tuple(pattern for pattern in patterns if _is_path(pattern))
    against = globs(refused) if refused else None
    paths = (
        globs((*absolute, *(f"!{each}" for each in refused))) if 0 < len(absolute) < len(patterns) else None
    )
    kinds: tuple[list[str], ...] = ([], [], [], [], [])
    for pattern in patterns:
        inner = pattern.strip("*")
        if "*" in inner:
            kinds[4].append(pattern)
        elif inner == pattern:
            kinds[0].append(pattern)
        else:
            kinds[2 * pattern.startswith("*") + pattern.endswith("*")].append(inner)
    whole, beginnings, endings, parts, others = map(tuple, kinds)
    made = Globs(frozenset(whole), beginnings, endings, parts, others, paths, against)
    if len(absolute) == len(patterns) and patterns:
        return Globs(made.whole, beginnings, endings, parts, others, made, against)
    return made
