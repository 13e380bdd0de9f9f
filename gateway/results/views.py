"""A text as it may be meant: without colours and invisible characters, with its escapes as what they stand for.

Each view knows where its characters stand in the text itself, so that what is found in it is blanked out there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

HIDDEN = "[\x00\x1b\x9b\u00ad\u200b-\u200d\u2060\ufeff]"
"""An expression for what begins something that is not seen."""

_UNSEEN = re.compile(
    "\x1b\\[[0-?]*+[ -/]*+[@-~]?|\x9b[0-?]*+[ -/]*+[@-~]?|\x1b\\][^\x07\x1b\n]{0,200}+(?:\x07|\x1b\\\\)?"
    "|\x1b[^\\[\\]]?|"
    "[\x00\u00ad\u200b-\u200d\u2060\ufeff]"
)
_PAIR = r"u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})\\+u(?P<low>[dD][c-fC-F][0-9A-Fa-f]{2})"
_ESCAPE = re.compile(
    rf"\\+(?:{_PAIR}|u(?P<four>[0-9A-Fa-f]{{4}})|x(?P<two>[0-9A-Fa-f]{{2}})|(?P<one>[\"'/nrtbf]))?"
)
_MEANT = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


class View:
    """One way of reading a text."""

    __slots__ = ("_after", "_at", "_from", "_to", "_under", "text")

    def __init__(
        self, text: str, under: View | None = None, replaced: list[tuple[int, int, int, int]] | None = None
    ) -> None:
        """`replaced` holds the first and last offset in this view, and in the one below it, of what was replaced."""
        self.text = text
        self._under = under
        replaced = replaced or []
        self._at = [one[0] for one in replaced]
        self._to = [one[1] for one in replaced]
        self._from = [one[2] for one in replaced]
        self._after = [one[3] for one in replaced]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text itself a part of this view stands."""
        if self._under is None:
            return start, end
        return self._under.span(self._first(start), self._last(end))

    def _first(self, at: int) -> int:
        index = bisect_right(self._at, at) - 1
        if index < 0:
            return at
        if at < self._to[index]:
            return self._from[index]
        return self._after[index] + at - self._to[index]

    def _last(self, end: int) -> int:
        index = bisect_right(self._at, end - 1) - 1
        if index < 0:
            return end
        if end <= self._to[index]:
            return self._after[index]
        return self._after[index] + end - self._to[index]


def views(text: str) -> Iterator[View]:
    """The text, and each other way of reading it."""
    view = View(text)
    yield view
    for begins, expression, meant in _STEPS:
        if begins(view.text):
            seen = _replaced(view, expression, meant)
            if seen is not None:
                view = seen
                yield view


def unescaped(text: str) -> str:
    """The text with every escape as what it stands for, however often it was escaped."""
    return _ESCAPE.sub(_escape, text) if "\\" in text else text


def _replaced(view: View, expression: re.Pattern[str], meant: Callable[[re.Match[str]], str]) -> View | None:
    text = view.text
    parts: list[str] = []
    replaced: list[tuple[int, int, int, int]] = []
    done = length = 0
    for match in expression.finditer(text):
        new = meant(match)
        start, end = match.span()
        if new == text[start:end]:
            continue
        length += start - done
        parts += (text[done:start], new)
        replaced.append((length, length + len(new), start, end))
        length += len(new)
        done = end
    if not replaced:
        return None
    return View("".join((*parts, text[done:])), view, replaced)


def _escape(match: re.Match[str]) -> str:
    if match["one"]:
        return _MEANT.get(match["one"], match["one"])
    if match["high"]:
        return chr(0x10000 + ((int(match["high"], 16) & 0x3FF) << 10) + (int(match["low"], 16) & 0x3FF))
    code = match["four"] or match["two"]
    if not code:
        return "\\"
    return "\\" if 0xD800 <= int(code, 16) < 0xE000 else chr(int(code, 16))


def _nothing(_: re.Match[str]) -> str:
    return ""


def _has_unseen(text: str) -> bool:
    return not text.isascii() or "\x1b" in text or "\x00" in text


def _has_escapes(text: str) -> bool:
    return "\\" in text


_STEPS = (
    (_has_unseen, _UNSEEN, _nothing),
    (_has_escapes, _ESCAPE, _escape),
    (_has_unseen, _UNSEEN, _nothing),
)
