"""Hands each record to a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gateway.record import Record, Unrecorded


class CallingRecorder:
    """Calls a function with each record as a JSON object; it must return only when the record is kept."""

    def __init__(self, function: Callable[[dict[str, Any]], object]) -> None:
        self._function = function

    def record(self, record: Record) -> None:
        """Call it; raises `Unrecorded` where it raises anything."""
        try:
            self._function(record.json())
        except (
            Exception
        ) as error:  # the edge to the host's function: whatever it raises, the record is not kept
            raise Unrecorded(f"{type(error).__name__}: {error}") from error
