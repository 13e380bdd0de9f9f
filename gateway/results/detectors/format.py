"""One form of a text that a detector finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gateway.frozen import frozen

START = "(?:^|[^A-Za-z0-9])"
"""What may stand before a word; in an expression it is left out where a text is written as JSON."""


@frozen
class Format:
    """An expression (RE2) with examples; what is blanked out is its first group, if it has one."""

    name: str
    pattern: str
    matches: tuple[str, ...]
    misses: tuple[str, ...] = ()
    accepts: Callable[[Any], bool] | None = None
    """Whether what the expression matched is what the format is about."""
    broad: str | None = None
    """Where the expression itself holds what JSON escapes: one without that, which is found whenever this one is."""
    ends: Callable[[str, int], int | None] | None = None
    """Where the secret ends that the expression only begins; None if there is none."""
    within: Callable[[Any], Iterator[tuple[int, int]]] | None = None
    """The secrets among what the expression matched, of which there may be several."""

    @property
    def part(self) -> bool:
        """Whether only a part of what is found is blanked out."""
        return "(" in self.pattern.replace("(?", "").replace(r"\(", "")

    @property
    def hint(self) -> str:
        """The expression without its boundary: in JSON the letter of an escape may stand before a word."""
        return self.broad if self.broad is not None else self.pattern.replace(START, "")
