"""Texts that are put together and then run as SQL: what they come to, as far as it can be told."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from types import MappingProxyType

from gateway.inspect.sql.cut import Tokens, closing, word
from gateway.inspect.sql.lexer import Token
from gateway.inspect.word import UNKNOWN
from gateway.later import later

_MAX_BRACKETS = 20
MAX_TEXT = 4096
_HEX = later(r"0[xX][0-9a-fA-F]+")
_FILLED = later(r"%(?:\d+\$)?[-+0-9]*[ILsdlt]|\{\w*\}")
_RUN = later(f"{UNKNOWN}+")
_STOPS = frozenset(("INTO", "USING", "AT", "RETURNING", "BULK", "LANGUAGE"))
_CASTS = frozenset(("::", "AS", "COLLATE"))


def _of_hex(text: str) -> str:
    try:
        raw = bytes.fromhex(text.strip().removeprefix("\\x").removeprefix("0x"))
    except ValueError:
        return UNKNOWN
    wide = len(raw) > 1 and raw[1::2] == b"\0" * len(raw[1::2])
    return raw.decode("utf-16-le" if wide else "utf-8", "replace")


def _of_base64(text: str) -> str:
    try:
        return base64.b64decode(text, validate=False).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return UNKNOWN


def _decoded(given: list[str]) -> str:
    how = given[1].lower() if len(given) > 1 else ""
    return _of_base64(given[0]) if "64" in how else _of_hex(given[0]) if "hex" in how else given[0]


def _replaced(given: list[str]) -> str:
    return given[0].replace(given[1], given[2]) if len(given) > 2 and given[1] else given[0]


def _characters(given: list[str]) -> str:
    return "".join(chr(int(g)) if g.isdigit() and int(g) < 0x110000 else UNKNOWN for g in given)


def _formatted(given: list[str]) -> str:
    rest = iter(given[1:])
    return _FILLED.sub(lambda _: next(rest, UNKNOWN), given[0])


_MAKES: Mapping[str, Callable[[list[str]], str]] = MappingProxyType(
    {
        "CONCAT": "".join,
        "CONCAT_WS": lambda given: given[0].join(given[1:]),
        "FORMAT": _formatted,
        "PRINTF": _formatted,
        "FORMATMESSAGE": _formatted,
        "CHAR": _characters,
        "CHR": _characters,
        "NCHAR": _characters,
        "UNHEX": lambda given: _of_hex(given[0]),
        "FROM_BASE64": lambda given: _of_base64(given[0]),
        "CONVERT_FROM": lambda given: given[0],
        "DECODE": _decoded,
        "REVERSE": lambda given: given[0][::-1],
        "REPLACE": _replaced,
        "LOWER": lambda given: given[0],
        "UPPER": lambda given: given[0],
        "TRIM": lambda given: given[0],
        "CAST": lambda given: given[0],
        "CONVERT": lambda given: given[-1],
        "QUOTE_IDENT": lambda given: given[0],
        "QUOTENAME": lambda given: given[0],
        "": lambda given: given[0],
    }
)
BUILDERS = frozenset(_MAKES) - {""}
"""Functions that make a text."""


def text_of(tokens: Tokens, known: Mapping[str, str]) -> str:
    """What an expression comes to, with a mark where it can't be known."""
    return ", ".join(_arguments(tokens, known, 0)[:1])[:MAX_TEXT]


def _arguments(tokens: Tokens, known: Mapping[str, str], depth: int) -> list[str]:
    """The values between commas."""
    made, current, i = [], "", 0
    while i < len(tokens):
        token = tokens[i]
        if token.text == "," and token.kind == "other":
            made.append(current)
            current = ""
        elif word(tokens, i) in _CASTS:
            i += 1
            if word(tokens, i + 1) == "(":
                i = closing(tokens, i + 1)
        elif token.kind in ("word", "other") and (token.text == "(" or word(tokens, i + 1) == "("):
            start = i if token.text == "(" else i + 1
            end = closing(tokens, start)
            make = _MAKES.get("" if start == i else token.word)
            inner = _arguments(tokens[start + 1 : end], known, depth + 1) if depth < _MAX_BRACKETS else []
            current += make(inner) if make is not None and inner else UNKNOWN
            i = end
        elif word(tokens, i) in _STOPS:
            break
        else:
            current += _value(token, known)
        if len(current) > MAX_TEXT:
            current = current[:MAX_TEXT]
        i += 1
    return [_RUN.sub(UNKNOWN, text) for text in (*made, current)]


def _value(token: Token, known: Mapping[str, str]) -> str:
    if token.kind == "string":
        return token.text
    if token.kind == "number":
        return _of_hex(token.text) if _HEX.fullmatch(token.text) else token.text
    if token.kind == "name" and token.text.startswith('"'):
        # MySQL takes double quotes for a text.
        return known.get(token.name.upper(), token.name)
    if token.name:
        return known.get(token.name.upper(), "" if token.word in ("N", "E", "X") else UNKNOWN)
    return UNKNOWN if token.text in (UNKNOWN, "?") else ""


def assigned(statement: Tokens) -> tuple[str, Tokens] | None:
    """The variable that a statement sets, and what it is set to."""
    i = 0
    if word(statement, 0) in ("SET", "DECLARE", "SELECT", "LET"):
        i = 1
        while word(statement, i) in ("SESSION", "LOCAL", "VARIABLE"):
            i += 1
    name = statement[i].name if i < len(statement) else ""
    if not name:
        return None
    for k in range(i + 1, min(i + 12, len(statement))):
        text = statement[k].text
        if text in ("=", ":=") or (text == "DEFAULT" and i):
            return name.upper(), statement[k + 1 :]
        if text == "+" and word(statement, k + 1) == "=":
            return name.upper(), (statement[i], *statement[k + 2 :])
        if text in (";", ",") or statement[k].kind == "string":
            break
    return None
