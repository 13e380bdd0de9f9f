"""Split CEL source into tokens, each with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from gateway.cel.values import INT_MAX, UINT_MAX, UInt

RESERVED = frozenset(
    {
        *("as", "break", "const", "continue", "else", "for", "function", "if", "import", "let", "loop"),
        *("package", "namespace", "return", "var", "void", "while"),
    }
)
_CONSTANTS = {"true": True, "false": False, "null": None}


class TokenKind(Enum):
    """What a token is; operators and punctuation are told apart by their text."""

    IDENT = "name"
    QUOTED = "quoted name"
    CONSTANT = "constant"
    INTEGER = "integer"
    OPERATOR = "operator"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """A token; `value` is what a constant stands for."""

    kind: TokenKind
    text: str
    start: int
    end: int
    value: Any = None


Report = Callable[[int, int, str, str], None]

_SPACE = re.compile(r"(?:[\t\n\f\r ]|//[^\n]*)+")
_IDENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTED = re.compile(r"`([A-Za-z0-9_.\-/ ]+)`")
_NUMBER_START = re.compile(r"\.?[0-9]")
_FLOAT = re.compile(r"[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+")
_INTEGER = re.compile(r"(0x[0-9a-fA-F]+|[0-9]+)([uU]?)")
_OPERATOR = re.compile(r"&&|\|\||[=!<>]=|\.\?|\[\?|[-+*/%!<>?:,.()\[\]{}]")
_STRING = re.compile(r"([rR][bB]?|[bB][rR]?|)(\"\"\"|'''|\"|')")
_BODY = {
    ("", '"'): re.compile(r'((?:\\.|[^"\\\n\r])*)"'),
    ("", "'"): re.compile(r"((?:\\.|[^'\\\n\r])*)'"),
    ("", '"""'): re.compile(r'((?:\\[\s\S]|(?!""")[^\\])*)"""'),
    ("", "'''"): re.compile(r"((?:\\[\s\S]|(?!''')[^\\])*)'''"),
    ("r", '"'): re.compile(r'([^"\n\r]*)"'),
    ("r", "'"): re.compile(r"([^'\n\r]*)'"),
    ("r", '"""'): re.compile(r'([\s\S]*?)"""'),
    ("r", "'''"): re.compile(r"([\s\S]*?)'''"),
}
_WRONG = {
    "=": "compare with `==`",
    "&": "write `&&` for and",
    "|": "write `||` for or",
    ";": "an expression is not a statement; leave the `;` out",
    "“": "use straight quotes",
    "”": "use straight quotes",
    "‘": "use straight quotes",
    "’": "use straight quotes",
}


def tokens(text: str, report: Report) -> list[Token]:
    """All tokens up to and including END; what can't be read is reported and left out."""
    found: list[Token] = []
    position = 0
    size = len(text)
    while True:
        if space := _SPACE.match(text, position):
            position = space.end()
        if position >= size:
            found.append(Token(TokenKind.END, "", size, size))
            return found
        char = text[position]
        if opened := _STRING.match(text, position):
            token = _string(text, opened, report)
        elif char.isascii() and (char.isalpha() or char == "_"):
            token = _word(text, position)
        elif _NUMBER_START.match(text, position):
            token = _number(text, position, report)
        elif char == "`":
            token = _quoted(text, position, report)
        elif operator := _OPERATOR.match(text, position):
            token = Token(TokenKind.OPERATOR, operator.group(), position, operator.end())
        else:
            token = Token(TokenKind.OPERATOR, "", position, position + 1)
            report(position, position + 1, f"`{char}` has no meaning in an expression", _WRONG.get(char, ""))
        if token.text:
            found.append(token)
        position = token.end


def _word(text: str, start: int) -> Token:
    match = _IDENT.match(text, start)
    word = match.group() if match else text[start]
    end = start + len(word)
    if word in _CONSTANTS:
        return Token(TokenKind.CONSTANT, word, start, end, _CONSTANTS[word])
    if word == "in":
        return Token(TokenKind.OPERATOR, word, start, end)
    return Token(TokenKind.IDENT, word, start, end)


def _quoted(text: str, start: int, report: Report) -> Token:
    match = _QUOTED.match(text, start)
    if match:
        return Token(TokenKind.QUOTED, match.group(), start, match.end(), match.group(1))
    report(start, start + 1, "a name in backquotes never ends", "")
    return Token(TokenKind.QUOTED, "`", start, len(text), "")


def _number(text: str, start: int, report: Report) -> Token:
    if match := _FLOAT.match(text, start):
        token = Token(TokenKind.CONSTANT, match.group(), start, match.end(), float(match.group()))
    else:
        token = _integer(text, start, report)
    if tail := _IDENT.match(text, token.end):
        word = text[start : tail.end()]
        report(start, tail.end(), f"`{word}` is not a number", "")
        return Token(TokenKind.CONSTANT, word, start, tail.end(), 0)
    return token


def _integer(text: str, start: int, report: Report) -> Token:
    match = _INTEGER.match(text, start)
    if match is None:
        return Token(TokenKind.CONSTANT, text[start], start, start + 1, 0)
    digits, suffix = match.groups()
    base = 16 if digits.startswith("0x") else 10
    most = UINT_MAX if suffix else INT_MAX + 1  # one more: the minus of the least integer is read later
    value = most + 1 if len(digits) > 40 else int(digits, base)
    if value > most:
        kind = "uint" if suffix else "int"
        report(start, match.end(), f"`{match.group()}` is out of the range of {kind}", "")
        value = 0
    if suffix:
        return Token(TokenKind.CONSTANT, match.group(), start, match.end(), UInt(value))
    return Token(TokenKind.INTEGER, match.group(), start, match.end(), value)


def _string(text: str, opened: re.Match[str], report: Report) -> Token:
    prefix, quote = opened.group(1).lower(), opened.group(2)
    raw = "r" if "r" in prefix else ""
    start = opened.start()
    body = _BODY[raw, quote].match(text, opened.end())
    if body is None:
        line = text.find("\n", start)
        end = len(text) if line < 0 or len(quote) == 3 else line
        report(start, end, "a string never ends", f"close it with {quote}")
        return Token(TokenKind.CONSTANT, text[start:end], start, end, "")
    content = body.group(1)
    value: str | bytes
    if "b" in prefix:
        value = content.encode(errors="surrogatepass") if raw else _bytes(content, opened.end(), report)
    else:
        value = content if raw or "\\" not in content else _text(content, opened.end(), report)
    return Token(TokenKind.CONSTANT, text[start : body.end()], start, body.end(), value)


_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-3][0-7]{2})|[xX](?P<hex>[0-9a-fA-F]{2})|u(?P<short>[0-9a-fA-F]{4})"
    r"|U(?P<long>[0-9a-fA-F]{8})|(?P<plain>[abfnrtv\\?\"'`]))"
)
_PLAIN = dict(zip("abfnrtv\\?\"'`", "\a\b\f\n\r\t\v\\?\"'`", strict=True))


def _escapes(content: str, base: int, report: Report) -> list[tuple[str, int, str]]:
    """Pieces of a string: what kind of escape (empty for plain text), its number, its text."""
    pieces: list[tuple[str, int, str]] = []
    position = 0
    while position < len(content):
        slash = content.find("\\", position)
        if slash < 0:
            pieces.append(("", 0, content[position:]))
            break
        if slash > position:
            pieces.append(("", 0, content[position:slash]))
        match = _ESCAPE.match(content, slash)
        if match is None:
            length = 2 if slash + 1 < len(content) else 1
            help_ = "write `\\\\` for a backslash, or put `r` before the string"
            wrong = content[slash : slash + length]
            report(base + slash, base + slash + length, f"`{wrong}` is not an escape", help_)
            position = slash + length
            continue
        kind = match.lastgroup or ""
        digits = match.group(kind)
        if kind == "plain":
            pieces.append(("", 0, _PLAIN[digits]))
        else:
            number = int(digits, 8 if kind == "octal" else 16)
            if kind in ("short", "long") and (number > 0x10FFFF or 0xD800 <= number <= 0xDFFF):
                report(base + slash, base + match.end(), f"`{match.group()}` is not a character", "")
            else:
                pieces.append((kind, number, match.group()))
        position = match.end()
    return pieces


def _text(content: str, base: int, report: Report) -> str:
    return "".join(chr(number) if kind else text for kind, number, text in _escapes(content, base, report))


def _bytes(content: str, base: int, report: Report) -> bytes:
    parts: list[bytes] = []
    for kind, number, text in _escapes(content, base, report):
        if kind in ("octal", "hex"):
            parts.append(bytes((number,)))
        elif kind:
            report(base, base + len(content), f"`{text}` stands for a character, not a byte", "use `\\x`")
        else:
            parts.append(text.encode(errors="surrogatepass"))
    return b"".join(parts)
