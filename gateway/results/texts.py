"""Fields in a text that has no structure: `name: value`, `name=value`, `"name": "value"`, `<name>value</name>`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Span = tuple[int, int]


def names_expression(names: Iterable[str]) -> str:
    """An expression that finds any of the names, in upper or lower case."""
    import re2

    return f"(?i:{'|'.join(re2.escape(name) for name in sorted(names, key=len, reverse=True))})"


def head_finder(names: Iterable[str]) -> Callable[[str], Iterator[Any]]:
    """Finds where a name stands before a value; the first group is an element's name, the second the rest."""
    import re2

    any_name = names_expression(names)
    return re2.compile(  # type: ignore[no-any-return]
        rf"<(?:[A-Za-z0-9_-]+:)?({any_name})(?:\s[^<>]*)?>"
        rf"|(?:^|[^\pL\pN_])({any_name})(?:\\*[\"'`*\])])*[ \t]*(?::=|=>|[:=])[ \t]*"
    ).finditer


def values(text: str, heads: Callable[[str], Iterator[Any]]) -> Iterator[tuple[Span, str]]:
    """Where the values of the names stand, in order and apart from one another, each with its name.

    A value without quotes goes to the end of its line, or over the deeper lines below where its own is empty.
    """
    done = 0
    for head in heads(text):
        at = head.end()
        if at < done:
            continue
        element = head.group(1)
        if element is not None:
            end = _element_end(text, at, element)
            name = element
        else:
            end = _value_end(text, at, head.start(2))
            name = head.group(2)
        if end > at:
            yield (at, end), name.lower()
        done = max(end, at)


def _element_end(text: str, at: int, name: str) -> int:
    """The closing tag of an element, as it was opened; without one, the end of the text."""
    end = text.find("</", at)
    while end >= 0:
        written = text[end + 2 : end + len(name) + 80].partition(">")[0]
        if written.strip().rpartition(":")[2].lower() == name.lower():
            return end
        end = text.find("</", end + 2)
    return len(text)


def _value_end(text: str, at: int, name_at: int) -> int:
    quoted = at
    while quoted < len(text) and text[quoted] == "\\":
        quoted += 1
    if quoted < len(text) and text[quoted] in "\"'`":
        return _quote_end(text, quoted + 1, text[quoted], quoted - at)
    if text[at : at + 1] in ("{", "["):
        return _bracket_end(text, at)
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    if text[at:end].strip() in ("", "|", ">", "|-", ">-", "|+", ">+", "\\"):
        return _deeper_lines(text, end, name_at)
    return end


_BRACKETS = {"{": 1, "[": 1, "}": -1, "]": -1}


def _bracket_end(text: str, at: int) -> int:
    """Behind the bracket that closes the one here, quoted brackets aside; without one, the end of the text."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "\"'`":
            at = _quote_end(text, at + 1, char, 0)
            continue
        depth += _BRACKETS.get(char, 0)
        at += 1
        if depth == 0:
            return at
    return len(text)


def _quote_end(text: str, at: int, quote: str, slashes: int) -> int:
    """Behind the last character before the closing quote, which has as many backslashes before it."""
    end = text.find(quote, at)
    while end >= 0:
        before = end
        while before > at and text[before - 1] == "\\":
            before -= 1
        if end - before == slashes or (slashes == 0 and (end - before) % 2 == 0):
            return end + 1
        end = text.find(quote, end + 1)
    return len(text)


def _deeper_lines(text: str, end: int, name_at: int) -> int:
    """The end of the lines below that stand further in than the name, which are its value."""
    line = text.rfind("\n", 0, name_at) + 1
    indent = name_at - line
    while end < len(text):
        following = text.find("\n", end + 1)
        following = len(text) if following < 0 else following
        content = text[end + 1 : following]
        bare = content.lstrip(" \t")
        if bare and len(content) - len(bare) <= indent and not bare.startswith("- "):
            return end
        end = following
    return end
