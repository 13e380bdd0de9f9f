"""Places as the protocol counts them: lines from 0, and in a line bytes, UTF-16 units or characters, as was agreed."""

from __future__ import annotations

import re
from bisect import bisect_right
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from lsprotocol.types import Location, Position, PositionEncodingKind, Range

from gateway.diagnostic import Source, Span

_BREAK = re.compile(r"\r\n|\n|\r")
_CODECS = {PositionEncodingKind.Utf8.value: ("utf-8", 1), PositionEncodingKind.Utf16.value: ("utf-16-le", 2)}


class Positions:
    """Turns offsets of a text into positions, and back; what lies outside is taken to the nearest end."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._codec = _CODECS.get(encoding)
        self._starts = [0, *(found.end() for found in _BREAK.finditer(text))]

    def position(self, offset: int) -> Position:
        """The position of an offset in characters."""
        offset = min(max(offset, 0), len(self._text))
        line = bisect_right(self._starts, offset) - 1
        return Position(line, self._units(self._text[self._starts[line] : offset]))

    def range(self, start: int, end: int) -> Range:
        """The positions of both ends of a stretch."""
        return Range(self.position(start), self.position(end))

    def offset(self, position: Position) -> int:
        """The offset of a position; one inside a character is where that begins."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[max(position.line, 0)]
        following = position.line + 1
        line = self._text[start : self._starts[following] if following < len(self._starts) else None]
        return start + self._characters(line.rstrip("\r\n"), max(position.character, 0))

    def _units(self, text: str) -> int:
        if self._codec is None or text.isascii():
            return len(text)
        name, width = self._codec
        return len(text.encode(name, "surrogatepass")) // width

    def _characters(self, line: str, units: int) -> int:
        if self._codec is None or line.isascii():
            return min(units, len(line))
        count = 0
        for index, char in enumerate(line):
            count += self._units(char)
            if count > units:
                return index
        return len(line)


def span_range(span: Span, encoding: str) -> Range:
    """The positions of a span in its own source."""
    return Positions(span.source.text, encoding).range(span.start, span.end)


def location(source: Source, start: int, end: int, encoding: str) -> Location:
    """A stretch of a file."""
    return Location(uri_of(source.name), Positions(source.text, encoding).range(start, end))


def uri_of(path: str | Path) -> str:
    """The address of a file."""
    return f"file://{quote(Path(path).absolute().as_posix(), errors='surrogateescape')}"


def path_of(uri: str) -> Path | None:
    """The path that an address names; None for what is no file, such as a buffer without a name."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or "\0" in path:
        return None
    return Path(path) if path.startswith("/") else None
