"""AppleScript: `do shell script`, and what Finder and System Events are told to delete."""

from __future__ import annotations

import re

from gateway.inspect.code import Code
from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.word import UNKNOWN, Word
from gateway.later import later

_COMMENT = later(r"--[^\n]*|\(\*.*?\*\)|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_SET = later(r"\bset\s+(\w+)\s+to\s+([^\n]+)", re.IGNORECASE)
_SHELL = later(r"\bdo\s+shell\s+script\s+([^\n]+)", re.IGNORECASE)
_TYPED = later(r"\bdo\s+script\s+([^\n]+)", re.IGNORECASE)
_DELETE = later(r"\b(?:delete|move)\s+([^\n]+)", re.IGNORECASE)
_EMPTY = later(r"\bempty\s+(?:the\s+)?trash\b", re.IGNORECASE)
_POWER = later(
    r"\bto\s+(shut\s+down|restart|sleep|log\s+out)\b|^\s*(shut\s+down|restart)\b",
    re.IGNORECASE | re.MULTILINE,
)
_TEXT = later(r'"((?:[^"\\]|\\.)*)"|(\w+)|(&)')
_PLACES = (
    ("home", "~"),
    ("desktop", "~/Desktop"),
    ("documents folder", "~/Documents"),
    ("startup disk", "/"),
)
_ENDS = frozenset(("with", "without", "as", "in", "user", "password"))


def read_applescript(source: str) -> Code:
    """All that a script would do."""
    if len(source) > 64 * 1024:
        source = source[: 64 * 1024]
    plain = _COMMENT.sub(lambda found: found[0] if found[0].startswith('"') else " " * len(found[0]), source)
    hidden = _COMMENT.sub(lambda found: " " * len(found[0]), source)
    known: dict[str, str] = {}
    for found in _SET.finditer(plain):
        if hidden[found.start()] != " ":
            known[found[1]] = _folded(found[2], known)
    shells = [
        Word(_folded(found[1], known), *found.span(1))
        for form in (_SHELL, _TYPED)
        for found in form.finditer(plain)
        if hidden[found.start()] != " "
    ]
    deeds: list[Deed] = []
    for found in _DELETE.finditer(plain):
        if hidden[found.start()] == " ":
            continue
        place = next((path for name, path in _PLACES if name in found[1].lower()), "")
        texts = [_unescaped(one[1]) for one in _TEXT.finditer(found[1]) if one[1] is not None]
        target = (
            "/" + texts[0].partition(":")[2].replace(":", "/")
            if texts and ":" in texts[0]
            else "".join(texts)
        )
        path = f"{place}/{target}".rstrip("/") if place and not target.startswith("/") else target
        if re.search(
            r"finder|system events|posix file|disk item|folder|file|every item", plain, re.IGNORECASE
        ):
            extent = (
                Extent.TREE if re.search(r"folder|every|contents", found[1], re.IGNORECASE) else Extent.ONE
            )
            deeds.append(Deed(Does.DELETE, path or UNKNOWN, *found.span(), ".", extent))
    for found in _EMPTY.finditer(hidden):
        deeds.append(Deed(Does.DELETE, "~/.Trash", *found.span(), ".", Extent.TREE))
    for found in _POWER.finditer(hidden):
        deeds.append(Deed(Does.POWER, (found[1] or found[2]).lower(), *found.span()))
    return Code(tuple(deeds), tuple(shells))


def _folded(spelled: str, known: dict[str, str]) -> str:
    """The text that an expression makes."""
    made = ""
    for found in _TEXT.finditer(spelled):
        if found[1] is not None:
            made += _unescaped(found[1])
        elif found[2] is not None and found[2].lower() in _ENDS and made:
            break
        elif found[2] is not None and found[2] not in ("quoted", "form", "of", "POSIX", "path", "the"):
            made += known.get(found[2], UNKNOWN)
    return made or UNKNOWN


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
