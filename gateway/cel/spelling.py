"""Operators of other languages: told once, and read as what they mean."""

from __future__ import annotations

from dataclasses import replace

from gateway.cel.lexer import Report, Token, TokenKind

WORDS = {
    "and": "write `&&` for and",
    "or": "write `||` for or",
    "not": "write `!` for not",
    "between": "write `low <= x && x <= high`",
    "contains": "write `text.contains(part)`, or `value in list`",
    "startsWith": "write `text.startsWith(part)`",
    "endsWith": "write `text.endsWith(part)`",
    "matches": "write `text.matches(pattern)`",
    "like": "write `text.glob(pattern)`",
}
"""Words that stand between two values elsewhere, and what to write."""

_JOINED = {
    ("<", ">"): ("!=", "write `!=`"),
    ("?", "?"): ("||", "write `x.?field.orValue(…)` for a value in place of an absent one"),
}
_SPACED = {
    ("is", "null"): ("==", 1, "write `== null`, or `!has(x.field)` if the field may be absent"),
    ("is", "not", "null"): ("!=", 2, "write `!= null`, or `has(x.field)` if the field may be absent"),
    ("not", "in"): ("in", 2, "write `!(value in list)`"),
}
"""Words, the operator that is meant, how many of them are in its place, and the help."""


def respelt(tokens: list[Token], report: Report) -> list[Token]:
    """The tokens with operators that only other languages have turned into those that are meant."""
    found: list[Token] = []
    position = 0
    while position < len(tokens):
        operator, count = _foreign(tokens, position, report)
        found.append(operator)
        position += count
    return found


def _foreign(tokens: list[Token], position: int, report: Report) -> tuple[Token, int]:
    """The token at a position, and how many tokens it stands for."""
    token = tokens[position]
    if token.text in ("<", "?") and token.kind is TokenKind.OPERATOR:
        other = tokens[position + 1]
        joined = _JOINED.get((token.text, other.text))
        if joined is not None and token.end == other.start:
            meant, help_ = joined
            report(token.start, other.end, f"`{token.text}{other.text}` is no operator here", help_)
            return replace(token, text=meant, end=other.end), 2
    elif (
        token.text in ("is", "not")
        and token.kind is TokenKind.IDENT
        and position
        and _ends(tokens[position - 1])
    ):
        for words, (meant, count, help_) in _SPACED.items():
            if tuple(one.text for one in tokens[position : position + len(words)]) == words:
                last = tokens[position + len(words) - 1]
                report(token.start, last.end, f"`{' '.join(words)}` is no operator here", help_)
                return Token(TokenKind.OPERATOR, meant, token.start, last.end), count
    return token, 1


def _ends(token: Token) -> bool:
    """Whether a value may end with a token."""
    return token.kind is not TokenKind.OPERATOR or token.text in (")", "]", "}")
