"""JSON in a text: whether it can be read, and its keys, texts and numbers where they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from gateway.later import later

TEXT, KEY, OPEN, CLOSE, SCALAR = 1, 2, 3, 4, 5
"""What a token is: the number of its group. A key is a text with a colon behind it."""

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = rf"({_STRING})([ \t\r\n]*+:)?|([{{\[])|([}}\]])"
_SCALAR = r"|([-0-9A-Za-z][^\s,\]}]*+)"
_tokens = re.compile(_TOKEN + _SCALAR).finditer
_without_scalars = re.compile(_TOKEN).finditer
_BLANKS = later(r"[ \t\r\n]*+")
_decode: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().raw_decode


def is_json(text: str, at: int = 0) -> bool:
    """Whether a text is JSON from an offset on, also several values one after the other."""
    at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
    try:
        while at < len(text):
            _, at = _decode(text, at)
            at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
    except (ValueError, RecursionError):
        return False
    return True


def tokens(text: str, *, scalars: bool) -> Iterator[re.Match[str]]:
    """The keys, texts, brackets and, if asked for, other values of JSON; `lastindex` says which."""
    return _tokens(text) if scalars else _without_scalars(text)


def string(text: str, start: int, end: int) -> str:
    """What the key or text with these quotes says."""
    if text.find("\\", start, end) < 0:
        return text[start + 1 : end - 1]
    said: str = _decode(text, start)[0]
    if text.find("\\u", start, end) >= 0:  # perhaps half of a pair, which no expression can be held against
        said = said.encode("utf-8", "backslashreplace").decode("utf-8")
    return said


def value_span(text: str, at: int) -> tuple[int, int]:
    """Where the value of a key stands whose colon is right before an offset."""
    start = _BLANKS.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
    depth = 0
    for token in _tokens(text, start):
        depth += {OPEN: 1, CLOSE: -1}.get(token.lastindex or 0, 0)
        if depth == 0:
            return start, token.end()
    return start, len(text)
