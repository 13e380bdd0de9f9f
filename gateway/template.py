"""Texts with placeholders such as `{args.form.id}`: paths only, never expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from gateway.frozen import frozen
from gateway.later import later
from gateway.malformed import Malformed

ROOTS = ("args", "tool", "config")
_NAME = later(r"[A-Za-z_][A-Za-z0-9_-]*", re.ASCII)
_LONGEST_PATH = 16


@frozen
class Placeholder:
    """A path in braces; `start` and `end` are offsets in the template's text, braces included."""

    root: str
    names: tuple[str, ...]
    start: int
    end: int

    @property
    def path(self) -> str:
        """The path as it is written, `args.form.id`."""
        return ".".join((self.root, *self.names))


@frozen
class Template:
    """A text in parts: literal strings and placeholders, in order."""

    text: str
    parts: tuple[str | Placeholder, ...]

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        """Only the placeholders, in order."""
        return tuple(part for part in self.parts if isinstance(part, Placeholder))

    def fill(self, value: Callable[[Placeholder], str]) -> str:
        """The text with each placeholder replaced by the value found for it."""
        return "".join(part if isinstance(part, str) else value(part) for part in self.parts)


def parse_template(text: str) -> Template:
    """A template; a brace that is meant literally is doubled."""
    parts: list[str | Placeholder] = []
    literal: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char in "{}" and text[at : at + 2] == char * 2:
            literal.append(char)
            at += 2
        elif char == "{":
            if literal:
                parts.append("".join(literal))
                literal.clear()
            placeholder = _placeholder(text, at)
            parts.append(placeholder)
            at = placeholder.end
        elif char == "}":
            raise Malformed("`}` closes nothing", "write `}}` for a brace in the text", start=at, end=at + 1)
        else:
            literal.append(char)
            at += 1
    if literal:
        parts.append("".join(literal))
    return Template(text, tuple(parts))


def _placeholder(text: str, start: int) -> Placeholder:
    close = text.find("}", start)
    if close < 0:
        raise Malformed("`{` is not closed", "write `{{` for a brace in the text", start=start, end=start + 1)
    root, *names = text[start + 1 : close].split(".")
    if root not in ROOTS or not names or len(names) > _LONGEST_PATH or not _all_names(names):
        raise Malformed(
            f"`{text[start : close + 1]}` is no path",
            "write `{args.name}`, `{tool.name}` or `{config.name}`; write `{{` for a brace in the text",
            start=start,
            end=close + 1,
        )
    return Placeholder(root, tuple(names), start, close + 1)


@frozen
class ArgumentPath:
    """Where in a call's arguments something stands: `args.a.b` as `text`, `a` and `b` as `names`."""

    text: str
    names: tuple[str, ...]


def parse_argument_path(text: str) -> ArgumentPath:
    """A path that starts with `args`."""
    root, *names = text.split(".")
    if root != "args" or not names or len(names) > _LONGEST_PATH or not _all_names(names):
        raise Malformed(f"`{text}` is no path into the arguments", "write `args.name`")
    return ArgumentPath(text, tuple(names))


def _all_names(names: list[str]) -> bool:
    return all(_NAME.fullmatch(name) is not None for name in names)


def reach(roots: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    """The value at a path of names, or None."""
    value: Any = roots
    for name in path:
        if not isinstance(value, Mapping) or name not in value:
            return None
        value = value[name]
    return value
