"""A policy in all its forms, under a clock that can be set: what tests, lint and explain look into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gateway.decision import Obligation
from gateway.engine import EVERYTHING
from gateway.facts import utc_now
from gateway.runtime import Gateway
from gateway.serving import Files, Manifest
from gateway.sources import sources_of

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.files import PolicyFiles
    from gateway.policy import Policy
    from gateway.state import Store


class Clock:
    """The time that a gateway is told: the real one until `now` is set."""

    def __init__(self) -> None:
        self.now: datetime | None = None

    def __call__(self) -> datetime:
        """The time that was set, or the real one."""
        return utc_now() if self.now is None else self.now


@dataclass(frozen=True, slots=True)
class Loaded:
    """A policy as written, compiled, and ready to be asked."""

    path: Path
    policy: Policy
    compiled: Compiled
    gateway: Gateway
    clock: Clock


def load(
    path: str | Path,
    *lower: str | Path | None,
    supports: Iterable[Obligation] = EVERYTHING,
    store: Store | None = None,
    read: PolicyFiles | None = None,
) -> Loaded:
    """The policy in a file or directory, with lower layers, whole or not at all (`PolicyError`).

    It serves nobody, so no audit rows are written, and servers are taken to list their tools as they are pinned.
    With a `store` what that keeps of tenants' tools is in force; nothing else of it is looked at. `read`
    is what stands there, where that is not what the disk says.
    """
    layers = [None if layer is None else str(layer) for layer in lower]
    sources = sources_of(str(path), *layers, private=() if store is None else store.files)
    read = sources.read() if read is None else read
    assembled = sources.assembled(read)
    compiled = assembled.compiled
    manifest = Manifest(path=str(path), **compiled.summary)
    clock = Clock()
    gateway = Gateway(
        compiled.engine,
        manifest,
        clock=clock,
        supports=frozenset(supports),
        store=store,
        files=Files(sources, None, read, assembled),
    ).anew()
    list_as_pinned(gateway, assembled.policy)
    return Loaded(Path(path), assembled.policy, compiled, gateway, clock)


def list_as_pinned(gateway: Gateway, policy: Policy) -> None:
    """Have a gateway take it that servers list their tools as they are pinned."""
    for server in policy.servers:
        if server.pinned:
            pins = [pin.listed for pin in policy.pins if pin.tool.startswith(f"{server.name}/")]
            gateway.listed(server.name, {"tools": [pin.entry for pin in pins]})
