"""Spellings that the grammar takes for something else, blanked so that it reads what stands around them.

The grammar knows `time` and `coproc` as programs only, so that it takes a loop behind one for words; it lets `!` in
front of few statements; and it takes two substitutions in backticks, one behind the other, for one within another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.later import later

if TYPE_CHECKING:
    from tree_sitter import Node

_COMPOUND = r"(?:while|until|for|if|case|select|time|function|\[\[)\s"
_KEYWORD = later(
    # Where a command can begin,
    r"(?:(?<=[;&|({\n])|(?<=![ \t])|(?<=\b(?:if|do))|(?<=\bthen)|(?<=\b(?:elif|else|time))|(?<=\b(?:while|until))|"
    # one of the keywords,
    r"\A)[ \t]*(?:(!)[ \t]+|(time(?:[ \t]+-p)?|coproc(?:[ \t]+\w+(?=[ \t]+(?:[{(]|"
    + _COMPOUND
    + r")))?)[ \t]+"
    # and behind `time` and `coproc` what no program is.
    r"(?=!|[<>{(]|[A-Za-z_]\w*(?:\+?=|[ \t]*\(\))|" + _COMPOUND + "))",
    re.ASCII,
)
_TOLD = ("!", "time", "coproc")
_TEXTS = frozenset(
    ("string", "string_content", "raw_string", "ansi_c_string", "comment", "binary_expression", "subscript")
)
_LETTER = "_"


def quoted(root: Node, at: int) -> bool:
    """Whether what stands at a byte is mere text to the grammar."""
    node = root.descendant_for_byte_range(at, at + 1)
    while node is not None and not node.is_named:
        node = node.parent
    return node is not None and node.type in _TEXTS


def keywords(text: str, root: Node) -> str:
    """The script with such keywords blanked, at the same length; `root` is how the grammar reads it."""
    if not any(word in text for word in _TOLD):
        return text
    made, at, ascii_only = [], 0, text.isascii()
    while (found := _KEYWORD.search(text, at)) is not None:
        start, stop = found.span(1 if found[1] else 2)
        made.append(text[at:start])
        byte = start if ascii_only else len(text[:start].encode())
        made.append(text[start:stop] if quoted(root, byte) else " " * (stop - start))
        at = stop
    made.append(text[at:])
    return "".join(made)


def backticks(text: str, root: Node) -> str:
    """The script as the grammar may see it: substitutions in backticks that it runs together become letters."""
    if text.count("`") < 4 or not text.isascii():
        return text
    chars = list(text)
    for start, end in _merged(text, root):
        marks = [i for i in range(start, end) if text[i] == "`" and text[i - 1 : i] != "\\"]
        for first, last in zip(marks[::2], marks[1::2], strict=False):
            chars[first : last + 1] = _LETTER * (last + 1 - first)
    return "".join(chars)


def _merged(text: str, root: Node) -> Iterator[tuple[int, int]]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        start, end = node.start_byte, node.end_byte
        if node.type == "command_substitution" and text[start] == "`":
            inside = text[start + 1 : end - 1].replace("\\`", "")
            if "`" in inside:
                yield start, end
                continue
        if "`" in text[start:end]:
            waiting.extend(node.named_children)
