"""Where a command records what a person does with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatewayctl.output import Failure

if TYPE_CHECKING:
    from gateway.record import Recorder
    from gateway.state import Store


def recorder_of(log: str | None, url: str | None = None, store: Store | None = None) -> Recorder | None:
    """What writes to the log at an address; `url` is that of the `store`, where one is open already."""
    from gateway.record import Unrecorded

    if not log:
        return None
    if "://" in log:
        from gateway.recorders.store import StoreRecorder
        from gatewayctl.stored import opened

        address = log.partition("#")[0]
        return StoreRecorder(store if store is not None and address == url else opened(address))
    from gateway.recorders.file import FileRecorder

    try:
        return FileRecorder(log)
    except Unrecorded as error:
        raise Failure(f"the log can't be used: {error}") from None
