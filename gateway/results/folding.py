"""Upper and lower case as one, the way the expressions see it, and without a change of length."""

from __future__ import annotations

from functools import lru_cache


def folded(text: str) -> str:
    """The text in lower case; each character stays one, and those that expressions take for one are one."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


@lru_cache(maxsize=4096)
def _folded(char: str) -> str:
    upper = char.upper()
    upper = upper if len(upper) == 1 else char
    lower = upper.lower()
    return lower if len(lower) == 1 else upper
