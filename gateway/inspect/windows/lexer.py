"""The words of PowerShell: texts with what they hold put in, blocks and groups as texts of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gateway.frozen import frozen
from gateway.inspect.windows.tables import VARIABLES
from gateway.inspect.word import UNKNOWN
from gateway.later import later

_SPACE = later(r"(?:[ \t\r]|`\r?\n)+")
_COMMENT = later(r"<#(?:(?!#>)[\s\S])*(?:#>|\Z)|#[^\n]*")
_HERE = later(r"@(['\"])[ \t]*\r?\n((?:(?!\n\1@)[\s\S])*)\n\1@")
_SINGLE = later(r"'((?:[^']|'')*)(?:'|\Z)")
_DOUBLE = later(r"\"((?:[^\"`]|`[\s\S]|\"\")*)(?:\"|\Z)")
_VARIABLE = later(r"\$(?:\{(?:env:)?([\w:]+)\}|env:(\w+)|(\w+)((?:\.\w+)*)|([_?$^]))", re.IGNORECASE)
_BARE = later(r"(?:[^\s'\"`;|&(){}<>,$@#]|`[^\n]|\$(?![\w({_?$^])|#(?<=[^\s]#)|@(?![('\"{]))+")
_SIGN = later(r"\|\||&&|[;|&,\n]|\d?>>?(?:&\d)?|<|[\s\S]")
_OPEN = {"(": ")", "{": "}", "[": "]"}
_ESCAPES = {"n": "\n", "t": "\t", "0": "", "r": "\r"}


@frozen
class Part:
    """One token: a word, a group in parentheses, a block in braces, or a sign; `first` opens a word."""

    kind: str  # word, group, block, sign
    value: str
    start: int
    end: int
    first: bool = True
    quoted: bool = False


def parts(text: str, variables: Mapping[str, str]) -> list[Part]:
    """The tokens of a text."""
    made: list[Part] = []
    at, first = 0, True
    while at < len(text):
        gap = _SPACE.match(text, at) or (
            _COMMENT.match(text, at) if first or text.startswith("<#", at) else None
        )
        if gap is not None:
            at, first = gap.end(), True
            continue
        part = _part(text, at, variables, first)
        made.append(part)
        at, first = part.end, part.kind == "sign"
    return made


def _part(text: str, at: int, variables: Mapping[str, str], first: bool) -> Part:
    here = _HERE.match(text, at)
    if here is not None:
        value = here[2] if here[1] == "'" else filled(here[2], variables)
        return Part("word", value, at, here.end(), first, quoted=True)
    char = text[at]
    if char == "'":
        found = _SINGLE.match(text, at)
        if found is not None:
            return Part("word", found[1].replace("''", "'"), at, found.end(), first, quoted=True)
    if char == '"':
        found = _DOUBLE.match(text, at)
        if found is not None:
            return Part(
                "word", filled(found[1].replace('""', '"'), variables), at, found.end(), first, quoted=True
            )
    if char in "({" or (
        char in "$@" and text[at + 1 : at + 2] in ("(", "{") and not _VARIABLE.match(text, at)
    ):
        opener = at if char in "({" else at + 1
        end = closed(text, opener)
        kind = "group" if text[opener] == "(" else "block"
        return Part(kind, text[opener + 1 : max(end - 1, opener + 1)], at, end, first)
    found = _VARIABLE.match(text, at)
    if found is not None:
        return Part("word", variable(found, variables), at, found.end(), first, quoted=True)
    found = _BARE.match(text, at)
    if found is not None:
        return Part("word", re.sub(r"`(.)", r"\1", found[0]), at, found.end(), first)
    found = _SIGN.match(text, at)
    end = found.end() if found is not None else at + 1
    return Part("sign", text[at:end], at, end, first)


def variable(found: re.Match[str], variables: Mapping[str, str]) -> str:
    """What a variable holds."""
    name = (found[1] or found[2] or found[3] or found[5] or "").lower().removeprefix("env:")
    known = variables.get(name)
    if known is None:
        known = {
            "home": "~",
            "pwd": ".",
            "psscriptroot": ".",
            "true": "$true",
            "false": "$false",
            "null": "",
        }.get(name)
    if known is None and (found[2] or found[0].lower().startswith("${env:")):
        known = VARIABLES.get(name)
    if known is None:
        return UNKNOWN
    members = (found[4] or "").lower()
    return known if members in ("", ".fullname", ".path", ".name", ".value", ".content") else UNKNOWN


def filled(text: str, variables: Mapping[str, str]) -> str:
    """A text with its variables put in."""
    made, at = "", 0
    while at < len(text):
        found = _VARIABLE.match(text, at)
        if text[at] == "`" and at + 1 < len(text):
            made += _ESCAPES.get(text[at + 1], text[at + 1])
            at += 2
        elif text.startswith("$(", at):
            at = closed(text, at + 1)
            made += UNKNOWN
        elif found is not None:
            # In a text no member of a variable is taken.
            made += (
                variable(found, variables) if not found[4] else variable_alone(found, variables) + found[4]
            )
            at = found.end()
        else:
            made += text[at]
            at += 1
    return made


def variable_alone(found: re.Match[str], variables: Mapping[str, str]) -> str:
    """What a variable holds, whatever follows it."""
    return variables.get((found[3] or "").lower(), UNKNOWN)


def closed(text: str, at: int) -> int:
    """Where the bracket that stands here is closed; the end of the text for one that never is."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char == "`":
            at += 1
        elif char in ("'", '"'):
            found = (_SINGLE if char == "'" else _DOUBLE).match(text, at)
            if found is not None:
                at = found.end()
                continue
        elif char in _OPEN:
            depth += 1
        elif char in ")}]":
            depth -= 1
            if depth <= 0:
                return at + 1
        at += 1
    return len(text)
