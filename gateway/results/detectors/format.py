"""One form of a text that a detector finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """An expression (RE2) with examples; what is blanked out is its first group, if it has one.

    The expression holds no quote and no line break outside of a group that may be absent: it is looked for in
    texts that are written as JSON too.
    """

    name: str
    pattern: str
    matches: tuple[str, ...]
    misses: tuple[str, ...] = ()
    accepts: Callable[[str], bool] | None = None
    broad: str | None = None
    """Where the expression itself would not be found in JSON: one that is, whenever this is found in the text."""

    @property
    def part(self) -> bool:
        """Whether only a part of what is found is blanked out."""
        return "(" in self.pattern.replace("(?", "").replace(r"\(", "")

    @property
    def hint(self) -> str:
        """The expression without its boundaries: in JSON the letter of an escape may stand before a word."""
        return self.broad if self.broad is not None else self.pattern.replace(r"\b", "")
