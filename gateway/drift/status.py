"""Whether each tool of a server is still the one that was pinned."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.drift.reading import ServerList
    from gateway.engine import Engine
    from gateway.policy import Policy


class Status(Enum):
    """What a pin says of a tool that a server lists, or no longer lists."""

    KNOWN = "known"
    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"


def digests_of(pinned: Policy | Engine) -> Mapping[str, str]:
    """The digests of pins by tool; of an engine those that it holds calls to."""
    from gateway.engine import Engine

    if isinstance(pinned, Engine):
        return {name: digest for listed in pinned.pins.values() for name, digest in listed.items()}
    return {pin.tool: pin.digest for pin in pinned.pins}


def compare(pinned: Policy | Engine, listed: ServerList) -> dict[str, Status]:
    """Each tool that the server lists or that was pinned of it, by name; one that can't be used has changed."""
    pins = {
        name: digest for name, digest in digests_of(pinned).items() if name.startswith(f"{listed.server}/")
    }
    now = listed.digests
    found = {
        name: Status.NEW if name not in pins else Status.KNOWN if pins[name] == digest else Status.CHANGED
        for name, digest in now.items()
    }
    found.update({name: Status.GONE for name in pins if name not in now})
    return dict(sorted(found.items()))
