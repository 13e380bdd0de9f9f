"""Fields in a text that has no structure: `name: value`, `name=value`, `"name": "value"`, `<name>value</name>`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gateway.later import later
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
        unread = next((ends for begins, ends in _UNREAD if text.startswith(begins, at)), None)
        if unread is not None:
            at = text.find(unread, at)
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


_UNREAD = (("<![CDATA[", "]]>"), ("<!--", "-->"))
"""Where tags are none."""

_BELOW = later(r"(?:[!&]\S*+[ \t]*+)*+(?:[|>][0-9+-]*+[ \t\r]*+)?(?:\#.*+)?")
"""What stands on the line of a value that goes over the lines below it."""


def _value_end(text: str, at: int, name_at: int) -> int:
    end = _quoted_end(text, at)
    if end is not None:
        return end
    if text.startswith(("{", "[", "("), at):
        return _word_end(text, _bracket_end(text, at))
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    if _BELOW.fullmatch(text, at, end - text.endswith("\r", at, end)):
        return _deeper_lines(text, end, name_at)
    if not _is_continued(text, at, end):
        return _folded_lines(text, at, end, name_at)
    while end < len(text) and _is_continued(text, at, end):
        end = text.find("\n", end + 1)
        end = len(text) if end < 0 else end
    return end


def _is_continued(text: str, at: int, end: int) -> bool:
    """Whether a line that ends here says with a backslash that it goes on below."""
    return text.endswith(("\\", "\\\r"), at, end)


def _quoted_end(text: str, at: int) -> int | None:
    """Behind a value in quotes, also where it goes on in further ones; None if there is no quote."""
    quoted = at + text.startswith(("$'", '$"'), at)
    while text.startswith("\\", quoted):
        quoted += 1
    quote = text[quoted : quoted + 1]
    if not quote or quote not in "\"'`":
        return None
    if text[at] == "\\":
        return _quote_end(text, quoted + 1, quote, quoted - at)
    if text.startswith(quote * 3, quoted):
        end = text.find(quote * 3, quoted + 3)
        return len(text) if end < 0 else _word_end(text, end + 3)
    return _word_end(text, _quote_end(text, quoted + 1, quote, 0))


def _word_end(text: str, end: int) -> int:
    """Where a value really ends that has a part in quotes or in brackets, behind that part."""
    while (goes_on := _GOES_ON.match(text, end)) is not None:
        end = goes_on.end()
        opened = text[end - 1]
        if opened in "\"'`":
            end = _quote_end(text, end, opened, 0)
        elif opened in "([{":
            end = _bracket_end(text, end - 1)
    return end


_GOES_ON = later(
    r"(?:[ \t]*+(?:[+.&]|\\\r?\n)\s*+|[ \t]*+)[\"'`]"
    r"|\$[({]|\\ "
    r"|[.:!?+=/\\-]{0,8}+[^\s\"'`,;:.!?()\[\]{}<>&|+=/\\-][^\s\"'`,;$()\[\]{}<>]*+"
)
"""What makes a value go on behind a closing quote: another quote, or what a shell takes for more of the same word."""

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
    indent = name_at - text.rfind("\n", 0, name_at) - 1
    while end < len(text):
        bare = _INDENT.match(text, end + 1).end()  # type: ignore[union-attr]  # it matches nothing, too
        following = text.find("\n", bare)
        following = len(text) if following < 0 else following
        if bare < following and bare - end - 1 <= indent and not text.startswith("- ", bare):
            return end
        end = following
    return end


def _folded_lines(text: str, at: int, end: int, name_at: int) -> int:
    """The end of the lines over which a value is folded, as in YAML and in headers.

    Its name is the first thing on its line; the other lines stand further in, and are neither fields nor blank. What
    ends as a line of program code does is not folded.
    """
    line = text.rfind("\n", 0, name_at) + 1
    if _NAMED_FIRST.fullmatch(text, line, name_at) is None or _IS_CODE.match(text, at, end) is not None:
        return end
    indent = name_at - line
    while end < len(text):
        bare = _INDENT.match(text, end + 1).end()  # type: ignore[union-attr]  # it matches nothing, too
        following = text.find("\n", bare)
        following = len(text) if following < 0 else following
        if bare - end - 1 <= indent or _NO_FOLDED_LINE.match(text, bare, following) is not None:
            return end
        end = following
    return end


_INDENT = later(r"[ \t]*+")
_NAMED_FIRST = later(r"(?:[ \t]|- )*+[\"']?")
_IS_CODE = later(r".*[({\[,;:|>=][ \t\r]*+\Z")
_NO_FOLDED_LINE = later(r"\r?\Z|[-*#] |.*(?::\s|:\Z|[=(){}\[\];])")
"""What is no more of a value: an empty line, an item of a list, a comment, another field, program code."""
