"""Where in its file each character of a YAML scalar's value stands."""

from __future__ import annotations

from collections.abc import Sequence

_BREAKS = "\n\r"
_BLANKS = " \t"
_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}
_ESCAPES = {
    "0": "\0",
    "a": "\x07",
    "b": "\x08",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\x0b",
    "f": "\x0c",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "\\": "\\",
    "/": "/",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}

Placed = list[tuple[str, int]]
"""Characters of a value, each with its offset in the file."""


def value_offsets(text: str, start: int, end: int, style: str, value: str) -> Sequence[int]:
    """The offset of each character of `value`, and of its end; `style` is empty for a plain scalar.

    What was read is built again from the file's text and compared, so that an offset is never a guess:
    if the two should differ, every character stands for the whole scalar's start.
    """
    if not style:
        if text.startswith(value, start) and start + len(value) == end:
            return range(start, end + 1)
        placed = _folded(text, start, end, style)
    elif style in "'\"":
        if text.startswith(value, start + 1) and start + len(value) + 2 == end and "\\" not in value:
            return range(start + 1, end)
        placed = _folded(text, start + 1, end - 1, style)
    else:
        placed = _block(text, start, end, style, value)
    if "".join(char for char, _ in placed) != value:
        return [start] * (len(value) + 1)
    offsets = [offset for _, offset in placed]
    if style in ("|", ">"):
        offsets.append(offsets[-1] + 1 if offsets else start)
    else:
        offsets.append(end - 1 if style else end)
    return offsets


def _folded(text: str, at: int, end: int, style: str) -> Placed:
    """A plain or quoted scalar: line breaks fold into spaces, quotes and escapes are undone."""
    placed: Placed = []
    while at < end:
        char = text[at]
        if char in _BLANKS or char in _BREAKS:
            blank = at
            while blank < end and text[blank] in _BLANKS:
                blank += 1
            if blank < end and text[blank] in _BREAKS:
                at = _fold(text, blank, end, placed)
            else:
                placed.extend((text[i], i) for i in range(at, blank))
                at = blank
        elif style == "'" and char == "'":
            placed.append(("'", at))
            at += 2
        elif style == '"' and char == "\\" and at + 1 < end:
            at = _escape(text, at, end, placed)
        else:
            placed.append((char, at))
            at += 1
    return placed


def _fold(text: str, at: int, end: int, placed: Placed) -> int:
    """Read line breaks and the blanks around them: one break is a space, more are themselves but one."""
    breaks: Placed = []
    first = at
    at = _blank_lines(text, _line_break(text, at, []), end, breaks)
    placed.extend(breaks or [(" ", first)])
    return at


def _blank_lines(text: str, at: int, end: int, breaks: Placed) -> int:
    while at < end and (text[at] in _BLANKS or text[at] in _BREAKS):
        if text[at] in _BLANKS:
            at += 1
        else:
            at = _line_break(text, at, breaks)
    return at


def _line_break(text: str, at: int, breaks: Placed) -> int:
    """One line break; documents hold no others than these two."""
    breaks.append(("\n", at))
    return at + 2 if text.startswith("\r\n", at) else at + 1


def _escape(text: str, at: int, end: int, placed: Placed) -> int:
    code = text[at + 1]
    if code in _BREAKS:
        return _blank_lines(text, _line_break(text, at + 1, []), end, placed)
    digits = _ESCAPE_DIGITS.get(code)
    if digits is None:
        placed.append((_ESCAPES.get(code, code), at))
        return at + 2
    placed.append((chr(int(text[at + 2 : at + 2 + digits], 16)), at))
    return at + 2 + digits


def _block(text: str, start: int, end: int, style: str, value: str) -> Placed:
    """A `|` or `>` scalar; its indentation is the one with which the lines give the value that was read."""
    # The scalar's span ends at its last word; chomping may have kept line breaks that follow.
    while end < len(text) and (text[end] in _BLANKS or text[end] in _BREAKS):
        end += 1
    body = start
    while body < end and text[body] not in _BREAKS:
        body += 1
    if body == end:
        return []
    body = _line_break(text, body, [])
    for indent in range(_first_indent(text, body, end), 0, -1):
        placed = _block_lines(text, body, end, indent, folded=style == ">")[: len(value)]
        if "".join(char for char, _ in placed) == value:
            return placed
    return []


def _first_indent(text: str, body: int, end: int) -> int:
    """The most spaces that the content may be indented by: those of its first line that holds anything."""
    line, most = body, 0
    for at in range(body, end):
        if text[at] in _BREAKS:
            line = at + 1
        elif text[at] == " ":
            most = max(most, at + 1 - line)
        else:
            return at - line
    return most


def _block_lines(text: str, at: int, end: int, indent: int, *, folded: bool) -> Placed:
    placed: Placed = []
    before: Placed = []
    at = _block_breaks(text, at, end, indent, before)
    while at < end and text[at] not in _BREAKS:
        placed.extend(before)
        flush = text[at] not in _BLANKS
        while at < end and text[at] not in _BREAKS:
            placed.append((text[at], at))
            at += 1
        if at == end:
            break
        ended: Placed = []
        at = _line_break(text, at, ended)
        before = []
        at = _block_breaks(text, at, end, indent, before)
        more = at < end and text[at] not in _BREAKS
        if more and folded and flush and text[at] not in _BLANKS:
            if not before:
                placed.append((" ", ended[0][1]))
        else:
            placed.extend(ended)
        if not more:
            placed.extend(before)
            break
    return placed or before


def _block_breaks(text: str, at: int, end: int, indent: int, breaks: Placed) -> int:
    """Skip the indentation, and lines that hold nothing beyond it."""
    while True:
        line = at
        while at < end and at - line < indent and text[at] == " ":
            at += 1
        if at == end or text[at] not in _BREAKS:
            return at
        at = _line_break(text, at, breaks)
