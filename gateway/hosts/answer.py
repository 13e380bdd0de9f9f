"""What a hook gives back to the program that started it."""

from __future__ import annotations

from dataclasses import dataclass


class HostError(ValueError):
    """A host's message that can't be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything that a hook prints, and its exit code."""

    stdout: str
    stderr: str = ""
    exit_code: int = 0


@dataclass(frozen=True, slots=True)
class Notice:
    """A message of an event in which nothing is decided."""

    event: str
