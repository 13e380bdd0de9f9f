"""Statistics of each tool, made from records: calls, what was decided, errors, and how long they took."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from typing import Any

from gateway.frozen import frozen

MOVING = 100
"""So many of the last durations are averaged."""


@frozen
class ToolStatistics:
    """What the records say about one tool; durations are averages of the last `MOVING`, in microseconds."""

    tool: str
    calls: int
    effects: Mapping[str, int]
    codes: Mapping[str, int]
    results: int
    errors: int
    """Results that are errors of the tool."""
    withheld: int
    """Results of which nothing was shown."""
    deciding: float | None
    """How long a decision took; None where no record says so."""
    running: float | None
    """How long a call took; None where no record says so."""


class _Tool:
    def __init__(self) -> None:
        self.effects: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.results = self.errors = self.withheld = 0
        self.deciding: deque[int] = deque(maxlen=MOVING)
        self.running: deque[int] = deque(maxlen=MOVING)


def statistics(records: Iterable[Mapping[str, Any]]) -> tuple[ToolStatistics, ...]:
    """The statistics of each tool, by its name; records are given in their order, as JSON objects."""
    tools: dict[str, _Tool] = {}
    for record in records:
        kind, name = record.get("kind"), record.get("tool", "")
        if kind not in ("decision", "result") or not isinstance(name, str):
            continue
        tool = tools.setdefault(name, _Tool())
        if kind == "decision":
            tool.effects[str(record.get("effect"))] += 1
            tool.codes[str(record.get("code"))] += 1
            _add(tool.deciding, record.get("took"))
        else:
            tool.results += 1
            tool.withheld += record.get("code") != "REVIEWED"
            tool.errors += record.get("is_error") is True
            _add(tool.running, record.get("ran"))
    return tuple(_told(name, tool) for name, tool in sorted(tools.items()))


def _add(durations: deque[int], duration: object) -> None:
    if type(duration) is int:
        durations.append(duration)


def _told(name: str, tool: _Tool) -> ToolStatistics:
    return ToolStatistics(
        name,
        tool.effects.total(),
        dict(sorted(tool.effects.items())),
        dict(sorted(tool.codes.items())),
        tool.results,
        tool.errors,
        tool.withheld,
        _average(tool.deciding),
        _average(tool.running),
    )


def _average(durations: deque[int]) -> float | None:
    return sum(durations) / len(durations) if durations else None
