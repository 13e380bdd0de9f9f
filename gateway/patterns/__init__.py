"""Packs of dangerous-command patterns: data, each entry with what it must match and must leave alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from gateway.diagnostic import Diagnostic, PolicyError, suggest
from gateway.inspect.pattern import Pattern
from gateway.patterns.reader import read_pack

PACKS: tuple[str, ...] = (
    "core",
    "git",
    "files",
    "disks",
    "database",
    "secrets",
    "system",
    "network",
    "persistence",
    "infrastructure",
    "cloud",
    "publish",
)
"""The packs that there are, in the order in which they are listed."""


def load_packs(names: Iterable[str]) -> tuple[Pattern, ...]:
    """The patterns of the named packs; a name or an entry that is wrong raises `PolicyError`."""
    patterns: list[Pattern] = []
    wrong: list[Diagnostic] = []
    for name in dict.fromkeys(names):
        if name not in PACKS:
            near = suggest(name, PACKS)
            known = (
                f"did you mean `{near[0]}`?"
                if near
                else "the packs are " + ", ".join(f"`{p}`" for p in PACKS)
            )
            wrong.append(Diagnostic("unknown-pack", f"there is no pack `{name}`", help=known))
            continue
        found, errors = _pack(name)
        patterns += found
        wrong += errors
    counted = Counter(pattern.id for pattern in patterns)
    wrong += [
        Diagnostic("duplicate-pattern", f"two patterns have the id `{name}`")
        for name, times in counted.items()
        for _ in range(times - 1)
    ]
    if wrong:
        raise PolicyError(wrong)
    return tuple(patterns)


@cache
def _pack(name: str) -> tuple[tuple[Pattern, ...], tuple[Diagnostic, ...]]:
    """A pack as it is shipped, read once."""
    from importlib.resources import files

    found, errors = read_pack(files(__name__).joinpath(f"{name}.yaml").read_text(encoding="utf-8"), name)
    return tuple(found), tuple(errors)
