"""Fields in a text that has no structure: `name: value`, `name=value`, `"name": "value"`, `<name>value</name>`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gateway.results.folding import folded

Span = tuple[int, int]

SEPARATORS = (":", "=", ">", "\uff1a", "\uff1d")
"""A text without any of these holds no field."""


def names_expression(names: Iterable[str]) -> str:
    """An expression that finds any of the names, in upper or lower case."""
    import re2

    return f"(?i:{'|'.join(re2.escape(name) for name in sorted(names, key=len, reverse=True))})"


def head_finder(names: Iterable[str]) -> Callable[[str], Iterator[Any]]:
    """Finds where a name stands before a value; the first group is an element's name, the others are the rest."""
    import re2

    any_name = names_expression(names)
    quote, blank, is_value = r"\\*[\"'`]", r"[ \t\pZ]*", "(?::=|=>|[:=\uff1a\uff1d])"
    behind = r"(?:\\*[\"'`*\])?!]|\[[^\[\]\n]{0,40}\]|[ \t]*\([^()\n]{0,40}\))*"
    return re2.compile(  # type: ignore[no-any-return]
        rf"<(?:[A-Za-z0-9_-]+:)?({any_name})(?:\s[^<>]*)?>"
        rf"|(?:^|[^\pL\pN_])({any_name}){quote}\s*{is_value}\s*"
        rf"|(?:^|[^\pL\pN_])({any_name}){behind}{blank}{is_value}{blank}"
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
            name = element
            end = at if text.endswith("/>", 0, at) else _element_end(text, at, element)
        else:
            group = 2 if head.group(2) is not None else 3
            name = head.group(group)
            end = _value_end(text, at, head.start(group))
        if end > at:
            yield (at, end), folded(name)
        done = max(end, at)


def _element_end(text: str, at: int, name: str) -> int:
    """The closing tag of an element, as it was opened; without one, the end of the text."""
    depth, name = 1, folded(name)
    at = text.find("<", at)
    while at >= 0:
        if text.startswith("<![CDATA[", at):
            at = text.find("]]>", at)
            if at < 0:
                break
        closing = text.startswith("</", at)
        tag = text[at + 1 + closing : at + len(name) + 80].partition(">")[0]
        written = tag.split(None, 1)[0].rpartition(":")[2] if tag.strip() else ""
        if folded(written) == name:
            depth += -1 if closing else 0 if tag.endswith("/") else 1
            if depth == 0:
                return at
        at = text.find("<", at + 1)
    return len(text)


_BELOW = re.compile(r"(?:[!&]\S*+[ \t]*+)*+(?:[|>][0-9+-]*+[ \t\r]*+)?(?:\#.*+)?")
"""What stands on the line of a value that goes over the lines below it."""


def _value_end(text: str, at: int, name_at: int) -> int:
    end = _quoted_end(text, at)
    if end is not None:
        return end
    if text[at : at + 1] in ("{", "[", "("):
        return _bracket_end(text, at)
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    if _BELOW.fullmatch(text, at, end - text.endswith("\r", at, end)):
        return _deeper_lines(text, end, name_at)
    while text[:end].endswith("\\", max(at, end - 1)) and end < len(text):
        end = text.find("\n", end + 1)
        end = len(text) if end < 0 else end
    return end


def _quoted_end(text: str, at: int) -> int | None:
    """Behind a value in quotes, also where it goes on in further ones; None if there is no quote."""
    quoted = at + 1 if text[at : at + 2] in ("$'", '$"') else at
    while text.startswith("\\", quoted):
        quoted += 1
    quote = text[quoted : quoted + 1]
    if not quote or quote not in "\"'`":
        return None
    slashes = quoted - at if text[at] == "\\" else 0
    if not slashes and text.startswith(quote * 3, quoted):
        end = text.find(quote * 3, quoted + 3)
        return len(text) if end < 0 else end + 3
    end = _quote_end(text, quoted + 1, quote, slashes)
    while not slashes:
        goes_on = _GOES_ON.match(text, end)
        if goes_on is None:
            break
        end = goes_on.end()
        if text[end - 1] in "\"'`":
            end = _quote_end(text, end, text[end - 1], 0)
    return end


_GOES_ON = re.compile(
    r"(?:[ \t]*+(?:[+.&]|\\\n)\s*+|[ \t]*+)[\"'`]"
    r"|[^\s\"'`,;:.!?()\[\]{}<>&|+=\\/-][^\s\"'`,;()\[\]{}<>]*+"
)
"""What makes a value go on behind its closing quote: another quote, or a letter right behind it."""

_BRACKETS = {"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}


def _bracket_end(text: str, at: int) -> int:
    """Behind the bracket that closes the one here, quoted brackets aside; without one, the end of the text."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "\"'`" and not text[at - 1].isalnum():
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
