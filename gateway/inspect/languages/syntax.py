"""The tokens of a language: names, texts with what is put into them, commands in backticks, signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from types import MappingProxyType

from gateway.frozen import frozen
from gateway.later import later

MAX_TOKENS = 12_000
_CLOSERS = MappingProxyType({"(": ")", "[": "]", "{": "}", "<": ">"})
_ESCAPES = MappingProxyType({"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b"})
_ESCAPE = later(r"\\(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,5})\}|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,5})\}"
                     r"|([0-7]{3})|(.))", re.DOTALL)  # fmt: skip
_INNER = MappingProxyType(
    # what is put into a text, by style; the group holds the code
    {
        "js": later(r"\$\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}"),
        "ruby": later(r"#\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}"),
        "perl": later(r"@\{\[(.*?)\]\}|([$@](?:ENV\{\w+\}|\w+|\{\w+\}))"),
        "php": later(r"\{(\$[^{}]*)\}|(\$\w+)"),
        "dollar": later(r"\$\{([^{}]*)\}|\$\(([^()]*)\)|\$(\w+)"),
    }
)


@frozen
class Token:
    """One token; `inner` are the codes that are put into a text, each where a NUL stands in its value."""

    kind: str  # name, text, shell, number, sign, line
    value: str
    start: int
    end: int
    inner: tuple[str, ...] = ()


@frozen
class Syntax:
    """How a language spells its tokens."""

    comments: tuple[str, ...] = ("//",)
    blocks: tuple[tuple[str, str], ...] = (("/*", "*/"),)
    plain: str = ""
    """Quotes of texts in which nothing is put and only the quote is escaped."""
    quotes: str = "\"'"
    backtick: str = ""
    """`text`, `shell` or `name`: what stands in backticks."""
    inner: tuple[tuple[str, str], ...] = ()
    """The style of what is put into texts, by quote."""
    name: str = r"[^\W\d][\w]*"
    triple: bool = False
    words: str = ""
    """A pattern of what opens a text with a delimiter of choice; its last character is the delimiter."""
    heredoc: str = ""
    long: str = ""

    def style(self, quote: str) -> str:
        """The style of what is put into texts between some quotes."""
        return next((style for one, style in self.inner if one == quote), "")


@cache
def _pattern(syntax: Syntax) -> re.Pattern[str]:
    parts = [r"(?P<space>[ \t\r\f\v]+|\\\n)", r"(?P<line>\n)"]
    if syntax.heredoc:
        parts.append(f"(?P<heredoc>{syntax.heredoc})")
    comments = [re.escape(mark) + r"[^\n]*" for mark in syntax.comments]
    comments += [
        rf"{re.escape(a)}(?:(?!{re.escape(b)})[\s\S])*(?:{re.escape(b)}|\Z)" for a, b in syntax.blocks
    ]
    if syntax.long:
        parts.append(f"(?P<long>{syntax.long})")
    parts.append(f"(?P<comment>{'|'.join(comments) or '(?!)'})")
    if syntax.words:
        parts.append(f"(?P<words>{syntax.words})")
    texts = [
        r"\"\"\"(?:[^\\\"]|\\[\s\S]|\"(?!\"\"))*\"\"\"",
        r"'''(?:[^\\']|\\[\s\S]|'(?!''))*'''",
    ] * syntax.triple
    texts += [rf"{q}(?:[^{q}\\]|\\[\s\S])*(?:{q}|\Z)" for q in syntax.quotes + syntax.plain]
    if syntax.backtick:
        texts.append(r"`(?:[^`\\]|\\[\s\S])*(?:`|\Z)")
    parts.append(f"(?P<text>{'|'.join(texts)})")
    parts.append(f"(?P<name>{syntax.name})")
    parts.append(r"(?P<number>0[xX][0-9A-Fa-f]+|\d[\d_]*(?:\.\d+)?)")
    parts.append(r"(?P<sign>\?\.|->|=>|::|\.\.=?|<>|\|\||&&|[-+.*/|&]=|==+|=~|!=+|<=|>=|\|>|:=|<-|[\s\S])")
    return re.compile("|".join(parts))


def tokens(text: str, syntax: Syntax) -> Iterator[Token]:
    """The tokens of a text; what is never closed goes on to its end."""
    pattern, at = _pattern(syntax), 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            return
        kind, end = found.lastgroup or "sign", found.end()
        kind = next((k for k in ("heredoc", "words", "long") if found.groupdict().get(k) is not None), kind)
        if kind == "text":
            yield text_token(found[0], at, syntax)
        elif kind == "words":
            token, end = _delimited(text, at, end, syntax)
            yield token
        elif kind == "long":
            long, end = _long(text, at, end)
            if long is not None:
                yield long
        elif kind == "heredoc":
            line = text.find("\n", end)
            body, stop = _body(text, found, end)
            yield _made("text", body, at, end, "" if "'" in found[0] else syntax.style('"'))
            if line >= 0:
                # The body is read; what stands on the line behind the opener comes next.
                text = text[:line] + " " * (stop - line) + text[stop:]
        elif kind not in ("space", "comment"):
            yield Token(kind, found[0], at, end)
        at = end


def _body(text: str, found: re.Match[str], end: int) -> tuple[str, int]:
    """The body of a here-document, and where it ends."""
    tag = re.sub(r"[<~\-'\"\s]", "", found[0])
    line = text.find("\n", end)
    if line < 0:
        return "", end
    close = re.compile(rf"^[ \t]*{re.escape(tag)}\b", re.MULTILINE).search(text, line + 1)
    stop = close.start() if close is not None else len(text)
    return text[line + 1 : stop], close.end() if close is not None else stop


def _long(text: str, at: int, end: int) -> tuple[Token | None, int]:
    """A text or comment of Lua in long brackets."""
    opener = text[at:end]
    close = "]" + "=" * opener.count("=") + "]"
    stop = text.find(close, end)
    stop = len(text) if stop < 0 else stop
    token = None if opener.startswith("--") else Token("text", text[end:stop].removeprefix("\n"), at, stop)
    return token, min(stop + len(close), len(text))


def _delimited(text: str, at: int, end: int, syntax: Syntax) -> tuple[Token, int]:
    """A text with a delimiter of choice, such as `qx{…}` and `%w(…)`."""
    opener, close = text[end - 1], _CLOSERS.get(text[end - 1], text[end - 1])
    depth, stop = 1, end
    while stop < len(text):
        char = text[stop]
        if char == "\\":
            stop += 1
        elif char == close:
            depth -= 1
            if not depth:
                break
        elif char == opener:
            depth += 1
        stop += 1
    word = text[at : end - 1].strip().lstrip("%")
    kind = {"qx": "shell", "x": "shell", "qw": "words", "w": "words", "W": "words"}.get(word, "text")
    plain = word in ("q", "qw", "w")
    return _made(
        kind, text[end:stop], at, min(stop + 1, len(text)), "" if plain else syntax.style('"')
    ), stop + 1


def text_token(found: str, at: int, syntax: Syntax) -> Token:
    """A text between quotes, unescaped."""
    quote = found[0]
    width = 3 if syntax.triple and found[:3] in ('"""', "'''") and len(found) >= 6 else 1
    body = found[width:-width] if found.endswith(quote) and len(found) > width else found[width:]
    if quote == "`":
        return _made(syntax.backtick, body, at, at + len(found), syntax.style("`"))
    if quote in syntax.plain:
        plain = body.replace("\\" + quote, quote).replace("\\\\", "\\")
        return Token("text", plain, at, at + len(found))
    return _made("text", body, at, at + len(found), syntax.style(quote))


def _made(kind: str, body: str, start: int, end: int, style: str) -> Token:
    inner: list[str] = []
    body = body.replace("\0", "")
    if style:

        def taken(found: re.Match[str]) -> str:
            before = found.string[: found.start()]
            if (len(before) - len(before.rstrip("\\"))) % 2:
                return found[0]
            inner.append(next((group for group in found.groups() if group is not None), ""))
            return "\0"

        body = _INNER[style].sub(taken, body)
    return Token(kind, _ESCAPE.sub(_unescaped, body) if "\\" in body else body, start, end, tuple(inner))


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3] or found[4]
    if code:
        return _char(int(code, 16))
    if found[5]:
        return _char(int(found[5], 8))
    return "" if found[6] == "\n" else _ESCAPES.get(found[6], found[6])


def _char(code: int) -> str:
    return chr(code) if 0 < code < 0xD800 or 0xE100 < code < 0x110000 else ""
