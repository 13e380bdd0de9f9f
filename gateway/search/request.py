"""A call and who makes it, as plain values that a search can change bit by bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import datetime
from itertools import pairwise
from typing import Any

from gateway.call import ToolCall
from gateway.frozen import frozen
from gateway.session import Session

Path = tuple[str | int, ...]
"""Where a value stands: `("args", "to", 0)`, `("session", "facts", "limit")`."""
ITERATION: Path = ("call", "iteration")
"""The only thing of a call beside its arguments that a search changes."""
CALL_ID = "call-1"
ROOTS = ("args", "subject", "session", "turn", "result")


@frozen
class Request:
    """A call, the session that it comes from, and the moment: all that a decision needs."""

    tool: str
    arguments: Mapping[str, Any]
    session: Mapping[str, Any]
    now: datetime
    result: Any = None
    iteration: int | None = None

    @property
    def call(self) -> ToolCall:
        """The call; its id is always the same."""
        return ToolCall.of({"id": CALL_ID, **self.called})

    @property
    def called(self) -> dict[str, Any]:
        """The call as a test case or a batch line writes it."""
        call: dict[str, Any] = {"tool": self.tool, "arguments": self.arguments}
        return call if self.iteration is None else {**call, "iteration": self.iteration}

    @property
    def who(self) -> Session:
        """The session; raises `SessionError` where there can be none like it."""
        return Session.of(self.session)

    def as_json(self) -> dict[str, Any]:
        """The request as a test case or a batch line writes it."""
        return {"call": self.called, "session": self.session}


class World:
    """A request in the making: values by path."""

    __slots__ = ("now", "tool", "values")

    def __init__(self, tool: str, values: dict[str, Any], now: datetime) -> None:
        self.tool = tool
        self.values = values
        self.now = now

    def copy(self) -> World:
        """The same, to be changed by itself."""
        return World(self.tool, deepcopy(self.values), self.now)

    def get(self, path: Path) -> Any:
        """The value there; raises `LookupError` where there is none."""
        value: Any = self.values
        for key in path:
            if not isinstance(value, dict) and not (isinstance(value, list) and isinstance(key, int)):
                raise KeyError(key)
            value = value[key]  # type: ignore[index]
        return value

    def has(self, path: Path) -> bool:
        """Whether there is a value."""
        try:
            self.get(path)
        except LookupError:
            return False
        return True

    def put(self, path: Path, value: Any) -> None:
        """Set a value; what leads to it is made where it is missing, and what is in the way is replaced."""
        holder: Any = self.values
        for key, after in pairwise(path):
            below = _at(holder, key)
            if not isinstance(below, list if isinstance(after, int) else dict):
                below = [] if isinstance(after, int) else {}
                _set(holder, key, below)
            holder = below
        _set(holder, path[-1], value)

    def drop(self, path: Path) -> None:
        """Take a value away, if it is there."""
        try:
            holder = self.get(path[:-1])
            del holder[path[-1]]
        except (LookupError, TypeError):
            return

    def request(self) -> Request:
        """What has been made so far; the subject is always one of the session's tenant."""
        session = dict(self.values["session"])
        subject = {**self.values["subject"], "tenant": session.get("tenant")}
        iteration = self.values.get("call", {}).get("iteration")
        whole = isinstance(iteration, int) and not isinstance(iteration, bool)
        return Request(
            self.tool,
            self.values["args"],
            {**session, "subject": subject, "turn": self.values["turn"]},
            self.now,
            self.values.get("result"),
            iteration if whole else None,
        )


def _at(holder: Any, key: str | int) -> Any:
    if isinstance(holder, dict):
        return holder.get(key)
    if isinstance(holder, list) and isinstance(key, int) and -len(holder) <= key < len(holder):
        return holder[key]
    return None


_LONGEST = 64


def _set(holder: Any, key: str | int, value: Any) -> None:
    if isinstance(holder, dict):
        holder[key] = value
    elif isinstance(holder, list) and isinstance(key, int) and 0 <= key < _LONGEST:
        holder.extend([value] * (key + 1 - len(holder)))
        holder[key] = value


def texts_in(value: Any) -> Sequence[str]:
    """Every text in a plain value."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Mapping):
        return tuple(text for each in value.values() for text in texts_in(each))
    if isinstance(value, list | tuple):
        return tuple(text for each in value for text in texts_in(each))
    return ()
