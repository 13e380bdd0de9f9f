"""The file in which pins stand: one text for the same pins, sorted, with a line for each thing that may change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from gateway.canonical import canonical
from gateway.diagnostic import printable
from gateway.fingerprint import Listed
from gateway.frozen import frozen

FILE = "tools.pins.yaml"
"""Its name in the policies' directory."""
_HEAD = (
    "# What servers' tools were when somebody accepted them. Written by `gatewayctl tools pin` and `accept`:",
    "# read it in review, but change nothing by hand.",
    "version: 1",
)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_WORDS = frozenset(("true", "false", "null"))
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\r": "\\r"}
_MARKS = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0000-\U000e0fff]")
"""What is shown as nothing by itself, and is no control character."""


@frozen
class Acceptance:
    """Who took a tool that had changed, when and why; `was` is the digest before."""

    by: str
    at: date
    reason: str
    was: str | None


@frozen
class PinnedTool:
    """A tool as it was pinned."""

    tool: Listed
    accepted: Acceptance | None = None


def pins_text(pins: Iterable[PinnedTool]) -> str:
    """The text of the file with these pins."""
    lines = [*_HEAD]
    entries = [_entry(pin) for pin in sorted(pins, key=lambda pin: pin.tool.name)]
    lines += ["pins:", *_lines(entries, "  ")] if entries else ["pins: []"]
    return "\n".join(lines) + "\n"


def _entry(pin: PinnedTool) -> Mapping[str, Any]:
    tool, accepted = pin.tool, pin.accepted
    given = {
        "tool": tool.name,
        "digest": tool.digest,
        "title": tool.title,
        "description": tool.description,
        "input": _sorted(tool.input),
        "output": None if tool.output is None else _sorted(tool.output),
        "annotations": None if tool.annotations is None else _sorted(tool.annotations),
        "accepted": None
        if accepted is None
        else _given(
            {
                "by": accepted.by,
                "at": accepted.at.isoformat(),
                "reason": accepted.reason,
                "was": accepted.was,
            }
        ),
    }
    return _given(given)


def _given(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _sorted(value: Any) -> Any:
    """The value with all keys in order."""
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value


def _lines(value: Any, indent: str) -> Iterator[str]:
    """A mapping or list that is not empty, one entry a line."""
    items = (
        [(f"{_key(key)}:", item, "  ") for key, item in value.items()]
        if isinstance(value, Mapping)
        else [("-", item, "  ") for item in value]
    )
    for head, item, deeper in items:
        if isinstance(item, Mapping | list | tuple) and item:
            below = list(_lines(item, indent + deeper))
            if head == "-":  # the first entry stands beside the dash
                yield f"{indent}- {below[0].lstrip(' ')}"
                yield from below[1:]
            else:
                yield f"{indent}{head}"
                yield from below
        else:
            yield f"{indent}{head} {_scalar(item, indent + deeper)}"


def _key(key: str) -> str:
    return key if _PLAIN.fullmatch(key) and key.lower() not in _WORDS else _quoted(key)


def _scalar(value: Any, indent: str) -> str:
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, list | tuple):
        return "[]"
    if isinstance(value, str):
        return _text(value, indent)
    return canonical(value)


def _text(text: str, indent: str) -> str:
    """A text in quotes; after each of its line breaks the file has one, too."""
    pieces = text.split("\n")
    lines = [_escaped(piece) for piece in pieces]
    # Blanks at the beginning of a line in the file belong to the file.
    lines[1:] = [f"\\{line}" if line.startswith(" ") else line for line in lines[1:]]
    return '"' + f"\\n\\\n{indent}".join(lines) + '"'


def _quoted(text: str) -> str:
    return '"' + _escaped(text).replace("\n", "\\n") + '"'


def _escaped(text: str) -> str:
    return "".join(map(_character, text))


def _character(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char == "\n" or (printable(char) == char and not _MARKS.match(char)):
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
