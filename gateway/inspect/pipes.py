"""The programs that stand before and behind a command in its pipes."""

from __future__ import annotations

from collections.abc import Iterable

from gateway.inspect.shell.invocation import Invocation


class Pipes:
    """Knows the pipelines of one text; who stands where is only put together for a command that is asked about."""

    __slots__ = ("_first", "_last")

    def __init__(self, invocations: Iterable[Invocation]) -> None:
        self._first: dict[int, dict[str, int]] = {}
        self._last: dict[int, dict[str, int]] = {}
        for invocation in invocations:
            for number, stage in invocation.pipes:
                self._first.setdefault(number, {}).setdefault(invocation.program, stage)
                self._last.setdefault(number, {})[invocation.program] = stage

    def before(self, invocation: Invocation) -> frozenset[str]:
        """The programs whose output comes to this one in the end."""
        return frozenset(
            name
            for number, own in invocation.pipes
            for name, stage in self._first[number].items()
            if stage < own
        )

    def behind(self, invocation: Invocation) -> frozenset[str]:
        """The programs to which the output of this one goes in the end."""
        return frozenset(
            name
            for number, own in invocation.pipes
            for name, stage in self._last[number].items()
            if stage > own
        )


ALONE = Pipes(())
"""No pipes at all."""
