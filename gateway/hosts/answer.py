"""What a host's hook asks, and what it is given back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.call import ToolCall
from gateway.frozen import frozen
from gateway.session import Session


class HostError(ValueError):
    """A host's message that can't be read; the message says what was expected."""


@frozen
class Answer:
    """Everything that a hook prints, and its exit code."""

    stdout: str
    stderr: str = ""
    exit_code: int = 0


@frozen
class Request:
    """A tool that a host wants to run; `calls` has one entry but for several edits at once."""

    tool: str
    given: Mapping[str, Any]
    calls: tuple[ToolCall, ...]
    session: Session


@frozen
class Finished:
    """A tool that a host has run, and its result in the host's own shape."""

    request: Request
    result: Any


@frozen
class Prompt:
    """What a person wrote, with a call for each file that the host will read because of it."""

    calls: tuple[ToolCall, ...]
    session: Session


@frozen
class Notice:
    """A message of an event in which nothing is decided."""

    event: str
