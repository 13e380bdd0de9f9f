"""Here-documents, taken out of a script before it is parsed: their bodies are data for one command.

The operator becomes a file redirection of the same length and the body becomes blank, so that every other
character keeps its offset.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from gateway.frozen import frozen
from gateway.later import later

_OPERATOR = later(r"<<(-?)[ \t]*((?:\\.|'[^'\n]*'|\"[^\"\n]*\"|[^\s;&|<>()'\"\\])+)")


_OPENERS = {"(": ")", "{": "}", "[": "]"}


@frozen
class Heredoc:
    """The body of a here-document, where it starts, and whether the shell expands it."""

    body: str
    start: int
    expands: bool


@frozen
class _Waiting:
    at: int
    delimiter: str
    strips: str
    expands: bool


def take_out(text: str) -> tuple[str, Mapping[int, Heredoc]]:
    """The script without its here-documents, and these by the offset of their operator."""
    if "<<" not in text:
        return text, {}
    scanner = _Scanner(text)
    scanner.run()
    return "".join(scanner.out), scanner.found


class _Scanner:
    """Walks over a script with just enough grammar to know where `<<` is an operator."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out = list(text)
        self.found: dict[int, Heredoc] = {}
        self.waiting: list[_Waiting] = []
        # What closes each open construct: `"`, "`", `)` for `$(` and `(`, `}` for `${`, `]`, `A` for `((`.
        self.open: list[str] = []

    def run(self) -> None:
        at = 0
        while at < len(self.text):
            at = self.step(at)
        if self.waiting:
            self.bodies(len(self.text))

    def step(self, at: int) -> int:
        text, char = self.text, self.text[at]
        inside = self.open[-1] if self.open else ""
        if char == "\\":
            return at + 2
        if char == "\n" and self.waiting and inside != '"':
            return self.bodies(at + 1)
        if inside == "]" and char == "\n":
            self.open.pop()
            return at
        if inside == char and char in '"`})]':
            self.open.pop()
            return at + 1
        if inside == "A" and text.startswith("))", at):
            self.open.pop()
            return at + 2
        if char == "$" and text.startswith("((", at + 1):
            self.open.append("A")
            return at + 3
        if char == "$" and text[at + 1 : at + 2] in _OPENERS:
            self.open.append(_OPENERS[text[at + 1]])
            return at + 2
        if char in '"`':
            self.open.append(char)
            return at + 1
        return at + 1 if inside in ('"', "A", "]") else self.plain(at, inside)

    def plain(self, at: int, inside: str) -> int:
        """A step where neither quotes nor arithmetic are open."""
        text, char = self.text, self.text[at]
        if char == "'" and inside != "}":
            ansi = at > 0 and text[at - 1] == "$"
            return _after_quote(text, at + 1, ansi=ansi)
        if text.startswith("((", at):
            self.open.append("A")
            return at + 2
        if char == "[" and at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
            self.open.append("]")
        if char == "(":
            self.open.append(")")
        elif char == "#" and (at == 0 or text[at - 1] in " \t\n;&|("):
            end = text.find("\n", at)
            return len(text) if end < 0 else end
        elif text.startswith("<<<", at):
            return at + 3
        elif text.startswith("<<", at) and inside != "}":
            return self.operator(at)
        return at + 1

    def operator(self, at: int) -> int:
        match = _OPERATOR.match(self.text, at)
        if match is None:
            return at + 2
        word = match.group(2)
        delimiter = re.sub(r"\\(.)|['\"]", r"\1", word)
        strips = "\t" if match.group(1) else ""
        self.waiting.append(_Waiting(at, delimiter, strips, delimiter == word))
        width = match.end() - at
        self.out[at : match.end()] = list("<" + "h" * (width - 1)) if width > 1 else ["<"]
        return match.end()

    def bodies(self, at: int) -> int:
        for waiting in self.waiting:
            start, end = at, len(self.text)
            while at < len(self.text):
                stop = self.text.find("\n", at)
                stop = len(self.text) if stop < 0 else stop
                line = self.text[at:stop].rstrip("\r")
                if (
                    line.lstrip(waiting.strips) == waiting.delimiter
                    if waiting.strips
                    else (line == waiting.delimiter)
                ):
                    end, at = at, stop
                    break
                at = min(stop + 1, len(self.text))
            else:
                at = len(self.text)
            self.found[waiting.at] = Heredoc(self.text[start:end], start, waiting.expands)
            self.out[start:at] = [" "] * (at - start)
            at = min(at + 1, len(self.text))
        self.waiting.clear()
        # The line break that ends the command line must stay one.
        return max(at - 1, 0)


def _after_quote(text: str, at: int, *, ansi: bool) -> int:
    while at < len(text) and text[at] != "'":
        at += 2 if ansi and text[at] == "\\" else 1
    return at + 1
