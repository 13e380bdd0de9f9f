"""What of a compiled policy a gateway serves; the policy as it was written is not part of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.plan import ConfirmedRelaxation


@frozen
class Form:
    """An engine, the figures of its manifest, and the relaxations that are recorded before it is served."""

    engine: Engine
    summary: Mapping[str, Any]
    relaxations: tuple[ConfirmedRelaxation, ...]
