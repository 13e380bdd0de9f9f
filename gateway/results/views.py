"""A text as it may be meant: without colours and invisible characters, with its escapes as what they stand for.

Each view knows where its characters stand in the text itself, so that what is found in it is blanked out there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from gateway.later import later
from gateway.results import unseen

_ALONE = rf"\xff\xfe(?=\x00\x00|[^\x00]\x00)|\xfe\xff(?=\x00[^\x00])|\r(?!\n)|[{unseen.CLASS}]"
"""What is not seen; before it the mark of UTF-16 that is read as if each byte were a character."""
_STRING = r"\x1b[]PX^_]|[\x90\x98\x9d-\x9f]"
"""How a string begins that a terminal takes and does not show, such as a title."""
_SEQUENCE = (
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"  # colours, and all that moves the cursor
    rf"|(?:{_STRING})[^\x07\x1b\x90\x98\x9c-\x9f\n]*+(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*+[0-~]?"  # sets of characters, and what is told in two letters
)
_UNSEEN = later(_ALONE)
_UNSEEN_BY_TERMINALS = later(f"{_SEQUENCE}|{_ALONE}")
_UNUSUAL = later(r"\x1b(?!\[[0-9:;?]*+[A-Za-z]|\([0B])|[\x08\x80-\x9f]")
"""Where a terminal may leave out more than colours: a model reads that, too."""
_STRUCK_OVER = later(r"([^\n])\x08(?=\1)|_\x08")
"""How a printer writes bold and underlined letters."""
_PAIR = r"u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})\\+u(?P<low>[dD][c-fC-F][0-9A-Fa-f]{2})"
_ESCAPE = later(
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
    if _has_unseen(text) and _UNUSUAL.search(text):
        yield from _read(view, _AS_WRITTEN)
    yield from _read(view, _AS_SHOWN)


def _read(view: View, steps: _Steps) -> Iterator[View]:
    for begins, expression, meant in steps:
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
    return unseen.has_unseen(text) or unseen.has_lone_return(text)


def _is_struck_over(text: str) -> bool:
    return "\x08" in text


def _has_escapes(text: str) -> bool:
    return "\\" in text


_Steps = tuple[tuple[Callable[[str], bool], re.Pattern[str], Callable[[re.Match[str]], str]], ...]
"""When to take a step of reading, what it replaces, and with what."""

_AS_WRITTEN: _Steps = (
    (_has_unseen, _UNSEEN, _nothing),
    (_has_escapes, _ESCAPE, _escape),
    (_has_unseen, _UNSEEN, _nothing),
)
"""A text without what is not seen, as a model reads it; then with its escapes as what they stand for."""
_AS_SHOWN: _Steps = (
    (_is_struck_over, _STRUCK_OVER, _nothing),
    (_has_unseen, _UNSEEN_BY_TERMINALS, _nothing),
    (_has_escapes, _ESCAPE, _escape),
    (_has_unseen, _UNSEEN_BY_TERMINALS, _nothing),
)
"""The same as a terminal shows it."""
