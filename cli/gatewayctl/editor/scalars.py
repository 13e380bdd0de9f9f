"""The texts of YAML's scalars, each character with its place; what is not closed ends where it is said to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from gateway.diagnostic import Excerpt, Source

_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})", re.ASCII)
_FLOAT = re.compile(r"[-+]?[0-9]+\.[0-9]*([eE][-+]?[0-9]{1,2})?", re.ASCII)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b", "_": "\xa0", "N": "\x85"}
_CODES = {"x": 2, "u": 4, "U": 8}


def plain(source: Source, start: int, end: int) -> Excerpt:
    """A text without quotes, in one line."""
    return Excerpt(source.text[start:end], source, range(start, end + 1))


def joined(source: Source, pieces: Sequence[tuple[int, int]]) -> Excerpt:
    """A text without quotes in several lines."""
    if len(pieces) == 1:
        return plain(source, *pieces[0])
    offsets: list[int] = []
    for start, end in pieces:
        offsets += range(start, end + 1)
    text = " ".join(source.text[start:end] for start, end in pieces)
    return Excerpt(text, source, offsets)


def block(source: Source, line_break: int, end: int) -> Excerpt:
    """The lines below a `|` or a `>`, as they stand."""
    if line_break < 0 or line_break >= end:
        return Excerpt("", source, (end,))
    lines = source.text[line_break + 1 : end].split("\n")
    indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
    indent = indents[0] if indents else 0
    characters: list[str] = []
    offsets: list[int] = []
    at = line_break + 1
    for line in lines:
        cut = min(indent, len(line) - len(line.lstrip(" ")))
        characters.append(line[cut:] + "\n")
        offsets += range(at + cut, at + len(line) + 1)
        at += len(line) + 1
    return Excerpt("".join(characters)[:-1], source, offsets)


def quoted(source: Source, start: int, end: int) -> Excerpt:
    """A text in quotes, of which the second may be missing."""
    text, quote = source.text, source.text[start]
    at, last = start + 1, end
    if end - start > 1 and text[end - 1] == quote:
        last = end - 1
    characters: list[str] = []
    offsets: list[int] = []
    while at < last:
        char, width = text[at], 1
        if quote == "'" and text.startswith("''", at):
            width = 2
        elif quote == '"' and char == "\\":
            char, width = _escaped(text, at, last)
        if char:
            characters.append(char)
            offsets.append(at)
        at += width
    return Excerpt("".join(characters), source, (*offsets, last))


def _escaped(text: str, at: int, last: int) -> tuple[str, int]:
    code = text[at + 1 : at + 2]
    if code in _CODES:
        digits = text[at + 2 : min(at + 2 + _CODES[code], last)]
        try:
            return chr(int(digits, 16)), 2 + len(digits)
        except (ValueError, OverflowError):
            return code, 2
    if code == "\n":
        return "", 2
    return _ESCAPES.get(code, code), 2


def data_of(text: str, style: str) -> Any:
    """What a scalar stands for."""
    if style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text
