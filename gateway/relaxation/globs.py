"""Two lists of patterns: what one of them matches and the other does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gateway.glob import Glob

_RARE = "zq7-"
"""What stands for a `*` where a name is needed that only a wildcard matches."""


def covers(wide: str, narrow: str) -> bool:
    """Whether each name that the second pattern matches certainly matches the first, too."""
    return Glob(wide).matches(narrow)  # a `*` of the second one is a character that only a `*` can take


def least(patterns: Iterable[str]) -> list[str]:
    """The patterns without those that another one covers, sorted: the same for each way to write a selection.

    `!name` takes away from all of them, so these are kept.
    """
    given = sorted(set(patterns))
    wanted = [pattern for pattern in given if not pattern.startswith("!")]
    unwanted = [pattern for pattern in given if pattern.startswith("!")]
    return [p for p in wanted if not any(q != p and covers(q, p) for q in wanted)] + unwanted


def beyond(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The new patterns that may match a name which no old one matches."""
    return [pattern for pattern in new if not any(covers(known, pattern) for known in old)]


def certainly_beyond(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The new patterns that match some name which no old one matches."""
    names = {pattern: pattern.replace("*", _RARE) for pattern in beyond(old, new)}
    return [pattern for pattern, name in names.items() if not any(Glob(known).matches(name) for known in old)]


def later(patterns: Iterable[str]) -> list[str] | None:
    """The patterns that also choose among a tenant's own tools, which come while the policy is served."""
    return least(p for p in patterns if "*" in p and "/" not in p) or None


def split(patterns: Iterable[str] | None) -> tuple[list[str], list[str]]:
    """The patterns of a list, and those that take some of them away."""
    given = list(patterns or ())
    return [p for p in given if not p.startswith("!")], [p[1:] for p in given if p.startswith("!")]


def fewer(old: Iterable[str] | None, new: Iterable[str] | None) -> list[str]:
    """What the old patterns may choose and the new ones may not, as patterns."""
    before, after = split(old), split(new)
    return beyond(after[0], before[0]) + [f"!{pattern}" for pattern in beyond(before[1], after[1])]
