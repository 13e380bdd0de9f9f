"""Work beside the conversation, for which nobody waits once the editor has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar, TypeVarTuple

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")


async def in_thread(function: Callable[[*_Ts], _T], *arguments: *_Ts) -> _T:
    """As `asyncio.to_thread`, but the end of the process doesn't wait for it."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_T] = loop.create_future()

    def settle(set_: Callable[[Any], None], value: Any) -> None:
        if not future.done():  # else it was called off
            set_(value)

    def work() -> None:
        outcome: tuple[Callable[[Any], None], Any]
        try:
            outcome = (future.set_result, function(*arguments))
        except Exception as error:
            outcome = (future.set_exception, error)
        with suppress(RuntimeError):  # the conversation is over
            loop.call_soon_threadsafe(settle, *outcome)

    Thread(target=work, daemon=True).start()
    return await future
