"""What carries out management: each action is a tool of the policy, and decided as any other before it gets here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from gateway.call import PREFIX
from gateway.managing.custom import create, delete, update
from gateway.managing.desk import Desk
from gateway.managing.overriding import override, reset
from gateway.managing.showing import audit, listing

Action = Callable[[Desk, Mapping[str, Any]], object]

ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        f"{PREFIX}list": listing,
        f"{PREFIX}audit": audit,
        f"{PREFIX}override": override,
        f"{PREFIX}reset": reset,
        f"{PREFIX}create": create,
        f"{PREFIX}update": update,
        f"{PREFIX}delete": delete,
    }
)
"""What carries out each management tool."""
