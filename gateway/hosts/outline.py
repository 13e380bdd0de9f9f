"""The texts at the top of a JSON object, found without reading the rest: for messages that can't be parsed."""

from __future__ import annotations

import json
from collections.abc import Mapping

_BLANK = frozenset(b" \t\r\n")
_OPEN, _CLOSE = frozenset(b"{["), frozenset(b"}]")


def top_texts(message: bytes) -> Mapping[str, tuple[str, ...]]:
    """For each key of the outermost object, the texts that stand beside it, in order.

    What is nested, how deep, whether numbers are too long, whether the end is missing: none of it matters, and
    it takes time in proportion to the message.
    """
    found: dict[str, tuple[str, ...]] = {}
    depth, at, key = 0, 0, None
    while at < len(message):
        byte = message[at]
        if byte == 0x22:
            end = _string_end(message, at + 1)
            if end < 0:
                break
            if depth == 1:
                key = _string(message[at:end], found, key, is_key=_is_key(message, end))
            at = end
            continue
        if byte in _OPEN:
            depth += 1
        elif byte in _CLOSE:
            depth -= 1
            if depth <= 0:
                break
        elif byte == 0x2C and depth == 1:
            key = None
        at += 1
    return found


def _string(
    written: bytes, found: dict[str, tuple[str, ...]], key: str | None, *, is_key: bool
) -> str | None:
    """Take a text as a key, or as the value of the key before it; the key that what follows belongs to."""
    try:
        text = json.loads(written)
    except ValueError:
        return None
    if is_key and key is None:
        return str(text)
    if key is not None:
        found[key] = (*found.get(key, ()), str(text))
    return None


def _is_key(message: bytes, at: int) -> bool:
    while at < len(message) and message[at] in _BLANK:
        at += 1
    return at < len(message) and message[at] == 0x3A


def _string_end(message: bytes, at: int) -> int:
    """Behind the quote that closes a text; -1 without one."""
    while True:
        end = message.find(b'"', at)
        if end < 0:
            return -1
        slashes = end
        while slashes > at and message[slashes - 1] == 0x5C:
            slashes -= 1
        if (end - slashes) % 2 == 0:
            return end + 1
        at = end + 1
