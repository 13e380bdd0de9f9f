"""Splits lines that no parser reads into commands and words, by quotes and operators alone."""

from __future__ import annotations

import re

from gateway.inspect.shell.spelling import closing
from gateway.later import later

_TRIGGERS = later(
    r"(?:^|[\s;&|(`/])(?:rm|rimraf|git|find|psql|mysql|dropdb|sh|bash|eval|xargs|gatewayctl)(?=$|[\s;&|)$`'\"\\])"
    r"|(?:drop|truncate)\s+table",
    re.IGNORECASE,
)
_QUOTED = later(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_DANGER = later(
    r"--force|--hard|dropdb|--mirror|-delete|\s-\w*[rRf]|\bdrop\b|\btruncate\b|\beval\b|gatewayctl|\s-c\b",
    re.IGNORECASE,
)


def triggers(text: str) -> bool:
    """Whether an unreadable line names, outside quotes, a program and options that could do harm."""
    text = _QUOTED.sub("_", text)
    return _TRIGGERS.search(text) is not None and _DANGER.search(text) is not None


def commands(text: str, at: int, end: int) -> list[list[tuple[int, int]]]:
    """The words of each command of a stretch of text, as offsets."""
    made: list[list[tuple[int, int]]] = [[]]
    start = -1
    while at < end:
        char = text[at]
        if char in " \t\n;&|()" or char in "<>":
            if start >= 0:
                made[-1].append((start, at))
                start = -1
            if char in "\n;&|()" and made[-1]:
                made.append([])
            at += 1
            continue
        start = at if start < 0 else start
        at = _after(text, at, end)
    if start >= 0:
        made[-1].append((start, end))
    return [words for words in made if words]


def _after(text: str, at: int, end: int) -> int:
    char = text[at]
    if char == "\\":
        return min(at + 2, end)
    if char in "'\"":
        stop = text.find(char, at + 1, end)
        return end if stop < 0 else stop + 1
    if char == "`" or text.startswith(("$(", "${"), at):
        return closing(text, at, end)
    return at + 1
