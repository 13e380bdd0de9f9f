"""Where records are kept: one writer a module. Several are put together with `Several`."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.record import Record, Recorder, Unrecorded


class Several:
    """Keeps each record in several places: all are tried, and one that fails fails it."""

    def __init__(self, *recorders: Recorder) -> None:
        self._recorders: Sequence[Recorder] = recorders

    def record(self, record: Record) -> None:
        """Keep it everywhere, or raise `Unrecorded` with what the first that failed says."""
        failed: list[Unrecorded] = []
        for one in self._recorders:
            try:
                one.record(record)
            except Unrecorded as error:
                failed.append(error)
            except (
                Exception
            ) as error:  # the edge to recorders that others wrote: none keeps a record from the next
                failed.append(Unrecorded(f"{type(error).__name__}: {error}"))
        if failed:
            raise failed[0]
