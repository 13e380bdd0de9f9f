"""Words and colours that several commands give to the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

EFFECT_INK: Mapping[str, str] = MappingProxyType(
    {"allow": "green", "ask": "yellow", "respond": "cyan", "deny": "red"}
)
"""The colour of each effect."""


def counted(number: int, noun: str) -> str:
    """`1 case`, `2 cases`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def columns(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Rows of cells, each padded to the width of its column but for the last."""
    rows = [list(row) for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return [
        [*(cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)), row[-1]]
        for row in rows
    ]


def wrapped(text: str, width: int, indent: str) -> list[str]:
    """A text in lines of a width, each behind an indent; words are kept whole."""
    import textwrap

    return [
        line
        for paragraph in text.splitlines() or [""]
        for line in textwrap.wrap(
            paragraph,
            width,
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        or [""]
    ]
