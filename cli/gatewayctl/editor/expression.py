"""What stands at a place in an expression that is being typed, told from its tokens alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gateway.cel.lexer import Token, TokenKind, tokens
from gateway.cel.syntax import MAX_SOURCE
from gatewayctl.editor.names import lexed

_DOTS = (".", ".?")
_CLOSING: Mapping[str, str] = MappingProxyType({")": "(", "]": "[", "}": "{"})
_OPENING = ("(", "[", "[?", "{")
_NAMES = (TokenKind.IDENT, TokenKind.QUOTED)
BINDING = frozenset(
    {
        *("all", "exists", "exists_one", "existsOne", "filter", "map", "transformList", "transformMap"),
        *("optMap", "optFlatMap"),
    }
)
"""The macros that name what they go through."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Names that a macro gives: to the elements of what it is called on, or with `bind` to a value."""

    macro: str
    names: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A word of an expression: what it is a member of, and the names that macros around it give.

    `called` says that it is followed by a bracket, `compared` what a text that is not closed is compared with.
    """

    word: str
    start: int
    end: int
    receiver: str | None
    bound: tuple[Bound, ...]
    called: bool = False
    compared: str | None = None


def typed_at(text: str, cursor: int) -> Spot | None:
    """What is being typed at a cursor; None in comments, and where a name makes no sense."""
    before = text[:cursor]
    if len(before) > MAX_SOURCE:
        return None
    open_text: list[int] = []
    comments: list[int] = []

    def wrong(start: int, end: int, message: str, help_: str) -> None:
        if message.startswith("a string never ends"):
            open_text.append(start)

    found = tokens(before, wrong, lambda start, end: comments.append(end))[:-1]
    if comments and comments[-1] == cursor:
        return None
    if open_text:
        return _in_text(before, found, open_text[-1])
    word, start = "", cursor
    if found and found[-1].end == cursor and _is_word(found[-1]):
        word, start = found[-1].text, found[-1].start
        found = found[:-1]
    elif found and found[-1].end == cursor and found[-1].kind in (TokenKind.INTEGER, TokenKind.CONSTANT):
        return None
    return Spot(word, start, cursor, _receiver(before, found), tuple(_bound(before, found)))


def read_at(text: str, offset: int) -> Spot | None:
    """The name at an offset of an expression."""
    found = lexed(text)
    for index, token in enumerate(found):
        if token.kind in _NAMES and token.start <= offset <= token.end:
            following = found[index + 1].text if index + 1 < len(found) else ""
            before = found[:index]
            return Spot(
                token.text,
                token.start,
                token.end,
                _receiver(text, before),
                tuple(_bound(text, before)),
                called=following == "(",
            )
    return None


def _is_word(token: Token) -> bool:
    """Whether a token is, or may become, a name; `in`, `true` and `null` are words that may go on, too."""
    return token.kind in _NAMES or (token.text.isalpha() and token.text.islower())


def _in_text(before: str, found: Sequence[Token], start: int) -> Spot | None:
    """A text that is not closed yet, if it is compared with something."""
    earlier = [token for token in found if token.end <= start]
    if earlier and earlier[-1].text in ("[", ","):
        while earlier and (earlier[-1].text in ("[", ",") or earlier[-1].kind is TokenKind.CONSTANT):
            earlier.pop()
    if not earlier or earlier[-1].text not in ("==", "!=", "in"):
        return None
    compared = _operand(before, earlier[:-1])
    if compared is None:
        return None
    return Spot(
        before[start + 1 :], start + 1, len(before), None, tuple(_bound(before, earlier)), compared=compared
    )


def _receiver(text: str, before: Sequence[Token]) -> str | None:
    """The text of what a name is a member of, if a dot stands before it."""
    if not before or before[-1].text not in _DOTS:
        return None
    return _operand(text, before[:-1]) or ""


def _operand(text: str, before: Sequence[Token]) -> str | None:
    """The text of the operand that ends here: names, calls and indices in a row."""
    if not before:
        return None
    at = len(before) - 1
    end = before[at].end
    while True:
        token = before[at]
        if token.text in _CLOSING and token.kind is TokenKind.OPERATOR:
            opening = _opening(before, at)
            if opening is None:
                return None
            at = opening
            called = token.text == ")" and at > 0 and before[at - 1].kind in _NAMES
            indexed = token.text == "]" and at > 0 and _ends_operand(before[at - 1])
            if called or indexed:
                at -= 1
                if indexed:
                    continue
            elif token.text in "])":
                break
        elif token.kind is TokenKind.OPERATOR:
            return None
        if before[at].kind in _NAMES and at > 1 and before[at - 1].text in _DOTS:
            at -= 2
            continue
        break
    return text[before[at].start : end]


def _ends_operand(token: Token) -> bool:
    return token.kind is not TokenKind.OPERATOR or token.text in _CLOSING


def _opening(before: Sequence[Token], at: int) -> int | None:
    """The bracket that belongs to the closing one at an index."""
    depth = 0
    for index in range(at, -1, -1):
        if before[index].kind is not TokenKind.OPERATOR:
            continue
        if before[index].text in _CLOSING:
            depth += 1
        elif before[index].text in _OPENING:
            depth -= 1
            if depth == 0:
                return index
    return None


def _bound(text: str, before: Sequence[Token]) -> Iterator[Bound]:
    """The names that the macros give which are still open, from the outermost."""
    opened: list[int] = []
    for index, token in enumerate(before):
        if token.kind is not TokenKind.OPERATOR:
            continue
        if token.text in _OPENING:
            opened.append(index)
        elif token.text in _CLOSING and opened:
            opened.pop()
    for index in opened:
        if index == 0 or before[index].text != "(" or before[index - 1].kind not in _NAMES:
            continue
        macro, names = before[index - 1].text, _names_behind(before, index)
        receiver = _receiver(text, before[: index - 1])
        if macro in BINDING and receiver and names:
            yield Bound(macro, names[:2], receiver)
        elif macro == "bind" and receiver == "cel" and names:
            value = _argument(text, before, index + 3)
            if value:
                yield Bound(macro, names[:1], value)


def _names_behind(before: Sequence[Token], index: int) -> tuple[str, ...]:
    """The names behind a bracket that are followed by commas."""
    names: list[str] = []
    while index + 2 < len(before) and before[index + 1].kind in _NAMES and before[index + 2].text == ",":
        names.append(before[index + 1].text)
        index += 2
    return tuple(names)


def _argument(text: str, before: Sequence[Token], first: int) -> str:
    """The text of the argument that begins at a token, if it has ended."""
    depth = 0
    for token in before[first:]:
        if token.kind is TokenKind.OPERATOR and token.text in _OPENING:
            depth += 1
        elif token.kind is TokenKind.OPERATOR and token.text in _CLOSING:
            depth -= 1
        elif token.text == "," and depth == 0:
            return text[before[first].start : token.start]
    return ""
