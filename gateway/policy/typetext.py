"""Declared types such as `list(string)`, read into a small tree."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gateway.diagnostic import suggest
from gateway.malformed import Malformed

SIMPLE = ("string", "bool", "int", "double", "bytes", "timestamp", "duration", "dyn")
_PARAMETERS = {"list": 1, "map": 2}
_DEEPEST = 8
_TOKEN = re.compile(r"\s*([A-Za-z_]\w*|[(),])", re.ASCII)


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type's name with the types in its parentheses."""

    name: str
    parameters: tuple[TypeText, ...] = ()


def parse_type_text(text: str) -> TypeText:
    """A simple type, `list(T)` or `map(string, T)`."""
    tokens: list[tuple[str, int]] = []
    at = 0
    trimmed = text.rstrip()
    while at < len(trimmed):
        match = _TOKEN.match(trimmed, at)
        if match is None:
            raise Malformed(f"`{text}` is no type", _HELP)
        tokens.append((match[1], match.start(1)))
        at = match.end()
    reader = _Reader(text, tokens)
    parsed = reader.type(0)
    if reader.at != len(tokens):
        raise Malformed(f"`{text}` is no type", _HELP)
    return parsed


_HELP = f"write one of {', '.join(f'`{name}`' for name in SIMPLE)}, `list(T)` or `map(string, T)`"


class _Reader:
    def __init__(self, text: str, tokens: list[tuple[str, int]]) -> None:
        self.text = text
        self.tokens = tokens
        self.at = 0

    def take(self) -> tuple[str, int]:
        if self.at == len(self.tokens):
            raise Malformed(f"`{self.text}` is no type", _HELP)
        self.at += 1
        return self.tokens[self.at - 1]

    def punctuation(self, wanted: str) -> None:
        if self.take()[0] != wanted:
            raise Malformed(f"`{self.text}` is no type", _HELP)

    def type(self, depth: int) -> TypeText:
        name, start = self.take()
        if depth > _DEEPEST:
            raise Malformed(f"the type is nested deeper than {_DEEPEST}")
        if name in SIMPLE:
            return TypeText(name)
        count = _PARAMETERS.get(name)
        if count is None:
            likely = suggest(name, [*SIMPLE, *_PARAMETERS])
            raise Malformed(
                f"`{name}` is no type",
                f"did you mean `{likely[0]}`?" if likely else _HELP,
                start=start,
                end=start + len(name),
            )
        self.punctuation("(")
        parameters = [self.type(depth + 1)]
        if count == 2:
            if parameters[0].name != "string":
                raise Malformed("the keys of a map are strings", "write `map(string, T)`", start=start)
            self.punctuation(",")
            parameters.append(self.type(depth + 1))
        self.punctuation(")")
        return TypeText(name, tuple(parameters))
