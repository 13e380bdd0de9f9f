"""Texts that fit a regular expression, and texts that nearly do."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from random import Random
from typing import Any

_MOST_REPEATED = 3
_PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]
_CLASSES = {
    "CATEGORY_DIGIT": "0123456789",
    "CATEGORY_WORD": "abcxyzABZ019_",
    "CATEGORY_SPACE": " \t",
    "CATEGORY_NOT_DIGIT": "ax-/ ;",
    "CATEGORY_NOT_WORD": "-/ ;.@",
    "CATEGORY_NOT_SPACE": "ax0-/;",
}
STRANGE = (";", "/", ".", "..", "-", "@", " ", "x", "0", "A", "\n", "_", ":", "&", "|", "é")
"""What is put into texts that nearly fit."""


def fitting(pattern: str, rng: Random) -> str:
    """A text that the expression is likely to find something in; an empty one where it can't be read."""
    tree = _tree(pattern)
    return "" if tree is None else "".join(_sample(tree, rng))


def near(pattern: str, rng: Random) -> str:
    """A fitting text with something put in, taken out or put around."""
    return bent(fitting(pattern, rng), rng)


def bent(text: str, rng: Random) -> str:
    """A text with one thing changed."""
    at = rng.randrange(len(text) + 1)
    kind = rng.randrange(7)
    if kind < 2:
        return text[:at] + rng.choice(STRANGE) + text[at:]
    if kind == 2:
        return text[:at] + rng.choice(STRANGE) + text[at + 1 :]
    if kind == 3:
        return text[:at] + text[at + 1 :]
    if kind == 4:
        return rng.choice(STRANGE) + text
    if kind == 5:
        return text + rng.choice(STRANGE)
    return text + text if rng.randrange(2) else text.swapcase()


@lru_cache(maxsize=1000)
def _tree(pattern: str) -> Any:
    """The expression as Python's own parser reads it; what is sampled from it is only ever a guess."""
    try:
        return import_module("re._parser").parse(pattern)
    except (re.error, ValueError, OverflowError, RecursionError, Warning):
        return None


def _sample(tree: Any, rng: Random) -> list[str]:
    found: list[str] = []
    for operator, value in tree:
        name = operator.name
        if name == "LITERAL":
            found.append(chr(value))
        elif name == "NOT_LITERAL":
            found.append(rng.choice([each for each in _PRINTABLE if ord(each) != value]))
        elif name == "ANY":
            found.append(rng.choice(STRANGE))
        elif name == "IN":
            found.append(_one_of(value, rng))
        elif name == "BRANCH":
            found += _sample(rng.choice(value[1]), rng)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            found += _repeated(value, rng)
        elif name == "SUBPATTERN":
            found += _sample(value[-1], rng)
        elif name == "ATOMIC_GROUP":
            found += _sample(value, rng)
    return found


def _repeated(value: Any, rng: Random) -> list[str]:
    least, most, inner = value
    most = min(int(most), 10_000)
    few = min(most, max(least, _MOST_REPEATED))
    times = rng.choice((least, few, rng.randint(least, few)))
    if most <= 1000 and rng.randrange(4) == 0:
        times = most
    found: list[str] = []
    for _ in range(times):
        found += _sample(inner, rng)
    return found


def _one_of(items: Any, rng: Random) -> str:
    wanted: list[str] = []
    negated = False
    for operator, value in items:
        if operator.name == "NEGATE":
            negated = True
        elif operator.name == "LITERAL":
            wanted.append(chr(value))
        elif operator.name == "RANGE":
            low, high = value
            wanted += [chr(low), chr(high), chr(rng.randint(low, high))]
            if negated:
                wanted += [chr(code) for code in range(low, min(high, low + 200) + 1)]
        elif operator.name == "CATEGORY":
            wanted += _CLASSES.get(value.name, "x")
    if negated:
        wanted = [each for each in _PRINTABLE if each not in wanted]
    return rng.choice(wanted) if wanted else ""
