"""A short text, such as a duration or a glob, that does not say what its place needs."""

from __future__ import annotations


class Malformed(ValueError):
    """What is wrong with a text; `start` and `end` are offsets in it, the whole text when absent."""

    def __init__(self, message: str, help: str = "", *, start: int = 0, end: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.start = start
        self.end = end
