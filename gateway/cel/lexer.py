"""Split CEL source into tokens, each with exact offsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from gateway.cel.values import INT_MAX, UINT_MAX, UInt
from gateway.later import later

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

_MOST_DIGITS = 40

_TOKEN = later(
    r"""(?P<space>(?:[\t\n\f\r ]|//[^\n]*)+)
    |(?P<string>(?P<prefix>[rR][bB]?|[bB][rR]?|)(?P<quote>\"\"\"|\'\'\'|"|'))
    |(?P<word>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<float>[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)
    |(?P<integer>(?P<digits>0x[0-9a-fA-F]+|[0-9]+)(?P<unsigned>[uU]?))
    |(?P<quoted>`(?P<name>[A-Za-z0-9_.\-/\ ]+)`)
    |(?P<operator>&&|\|\||[=!<>]=|\.\?|\[\?|[-+*/%!<>?:,.()\[\]{}])""",
    re.VERBOSE,
)
_WORD = later(r"[A-Za-z_][A-Za-z0-9_]*")
_COMMENT = later(r"//[^\n]*")
_BODY = {
    ("", '"'): later(r'((?:\\.|[^"\\\n\r])*)"'),
    ("", "'"): later(r"((?:\\.|[^'\\\n\r])*)'"),
    ("", '"""'): later(r'((?:\\[\s\S]|(?!""")[^\\])*)"""'),
    ("", "'''"): later(r"((?:\\[\s\S]|(?!''')[^\\])*)'''"),
    ("r", '"'): later(r'([^"\n\r]*)"'),
    ("r", "'"): later(r"([^'\n\r]*)'"),
    ("r", '"""'): later(r'([\s\S]*?)"""'),
    ("r", "'''"): later(r"([\s\S]*?)'''"),
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


def tokens(text: str, report: Report, comment: Callable[[int, int], None]) -> list[Token]:
    """All tokens up to and including END; what can't be read is reported and left out, as are comments."""
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            position = _unreadable(text, position, report)
            continue
        start, position = position, match.end()
        kind = match.lastgroup
        if kind == "word":
            found.append(_word(match.group(), start, position))
        elif kind == "operator":
            found.append(Token(TokenKind.OPERATOR, match.group(), start, position))
        elif kind == "space":
            for found_comment in _COMMENT.finditer(text, start, position):
                comment(found_comment.start(), found_comment.end())
        else:
            token = _READ[kind or ""](match, report)
            position = token.end
            found.append(token)
    found.append(Token(TokenKind.END, "", len(text), len(text)))
    return found


def _unreadable(text: str, start: int, report: Report) -> int:
    char = text[start]
    if char == "`":
        report(start, start + 1, "a name in backquotes never ends", "")
        return len(text)
    report(start, start + 1, f"`{char}` has no meaning in an expression", _WRONG.get(char, ""))
    return start + 1


def _word(word: str, start: int, end: int) -> Token:
    if word in _CONSTANTS:
        return Token(TokenKind.CONSTANT, word, start, end, _CONSTANTS[word])
    return Token(TokenKind.OPERATOR if word == "in" else TokenKind.IDENT, word, start, end)


def _quoted(match: re.Match[str], report: Report) -> Token:
    return Token(TokenKind.QUOTED, match.group(), match.start(), match.end(), match.group("name"))


def _float(match: re.Match[str], report: Report) -> Token:
    number = match.group()
    return _number(
        Token(TokenKind.CONSTANT, number, match.start(), match.end(), float(number)), match, report
    )


def _integer(match: re.Match[str], report: Report) -> Token:
    number, digits, suffix = match.group("integer", "digits", "unsigned")
    most = UINT_MAX if suffix else INT_MAX + 1  # one more: the minus of the least integer is read later
    value = most + 1 if len(digits) > _MOST_DIGITS else int(digits, 16 if digits.startswith("0x") else 10)
    if value > most:
        kind = "uint" if suffix else "int"
        report(match.start(), match.end(), f"`{number}` is out of the range of {kind}", "")
        value = 0
    if suffix:
        token = Token(TokenKind.CONSTANT, number, match.start(), match.end(), UInt(value))
    else:
        token = Token(TokenKind.INTEGER, number, match.start(), match.end(), value)
    return _number(token, match, report)


def _number(token: Token, match: re.Match[str], report: Report) -> Token:
    """The number, unless a word begins right behind it."""
    tail = _WORD.match(match.string, token.end)
    if tail is None:
        return token
    word = match.string[token.start : tail.end()]
    report(token.start, tail.end(), f"`{word}` is not a number", "")
    return Token(TokenKind.CONSTANT, word, token.start, tail.end(), 0)


def _string(opened: re.Match[str], report: Report) -> Token:
    text, start = opened.string, opened.start()
    prefix, quote = opened.group("prefix").lower(), opened.group("quote")
    raw = "r" if "r" in prefix else ""
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


_READ: Mapping[str, Callable[[re.Match[str], Report], Token]] = {
    "string": _string,
    "float": _float,
    "integer": _integer,
    "quoted": _quoted,
}


_ESCAPE = later(
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
