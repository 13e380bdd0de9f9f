"""What is not seen in a text: the one definition of it, for what is looked for in results and for their fence."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from typing import Any

from gateway.later import later

_CONTROLS = bytes(code for code in (*range(32), 127) if code not in (9, 10, 13))
_HALVES = (0xD800, 0xDFFF)
_RANGES = (
    *((code, code) for code in _CONTROLS), (0x80, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C),
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F),
    (0x3164, 0x3164), _HALVES, (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB),
    (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Control characters but tab and line breaks, halves of pairs, and what Unicode calls ignorable by default."""
_STARTS = [first for first, _ in _RANGES]

ANY = "".join(rf"\x{{{first:x}}}-\x{{{last:x}}}" for first, last in _RANGES if (first, last) != _HALVES)
"""What is not seen, as the inside of a character class of RE2, which knows no halves of pairs."""
CLASS = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in _RANGES)
"""The same for Python's expressions."""

HINT = rf"[{ANY}]|\r[^\n]|\\[bfr]\\*[^\\n\"]"
"""Finds what is not seen in a text, also in one that is written as JSON; a line may end with both characters."""


def is_unseen(c: str) -> bool:
    """Whether a character is shown as nothing, or steers what is shown."""
    at = bisect_right(_STARTS, ord(c)) - 1
    return at >= 0 and ord(c) <= _RANGES[at][1]


def has_unseen(text: str) -> bool:
    """Whether any such character stands in a text."""
    if text.isascii():
        data = text.encode("ascii")
        return len(data.translate(None, _CONTROLS)) != len(data)
    try:
        return _search()(text.encode()) is not None
    except UnicodeEncodeError:
        return True


@cache
def _search() -> Callable[[bytes], Any]:
    import re2

    return re2.compile(f"[{ANY}]").search  # type: ignore[no-any-return]


_LONE_RETURN = later(r"\r(?!\n|\Z)")


def has_lone_return(text: str) -> bool:
    """Whether a carriage return stands inside of a line."""
    return "\r" in text and _LONE_RETURN.search(text) is not None
