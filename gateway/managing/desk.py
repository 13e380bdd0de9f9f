"""Where a management action works: whose tools it manages, and on whose behalf."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gateway.frozen import frozen
from gateway.managing.kept import audit_key
from gateway.state import Append, Change, Delete, Entry, Key, Lost, Put, Store, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from gateway.engine import Engine
    from gateway.managing.tenants import Tenant
    from gateway.serving import Serving
    from gateway.session import Subject

_ATTEMPTS = 24


class ManagementError(ValueError):
    """A change that is not made; the message says why, and what would be accepted. Nothing has changed."""


@frozen
class Desk:
    """One operator's view of one tenant's tools."""

    store: Store
    serving: Serving
    current: Callable[[], Tenant]
    """The tenant as the store has it now."""
    tenant: str
    operator: Subject
    now: datetime

    @property
    def policy(self) -> Engine:
        """The engine of the policy alone."""
        return self.serving.engine

    @property
    def operator_name(self) -> str:
        """What the operator is called; the id where no name is known."""
        name = self.operator.attributes.get("name")
        return name if isinstance(name, str) and name else self.operator.id

    def changed(self, place: Key, change: Callable[[Entry | None], Sequence[Change]]) -> bool:
        """Change what is kept under a key, whoever else is about it; whether there was anything to change.

        `change` gives the changes for what is there now; it is asked again where somebody was faster.
        """
        for _ in range(_ATTEMPTS):
            changes = change(self.store.read((place,)).entries.get(place))
            if not changes:
                return False
            try:
                self.store.apply(changes)
            except Lost:
                continue
            return True
        raise Unavailable("others keep changing the same tool")

    def row(self, row: Mapping[str, Any]) -> Append:
        """The change that adds a row to the audit."""
        return Append(audit_key(self.tenant), json.dumps(row).encode(), None)

    def row_about(self, name: str, done: str, declared: Mapping[str, Any]) -> Append:
        """The row about a custom tool."""
        return self.row(
            {
                "at": self.now.isoformat(),
                "tenant": self.tenant,
                "tool": name,
                "done": done,
                "risk": declared.get("risk"),
                "permissions": declared.get("permissions"),
                "endpoint": declared.get("endpoint"),
                "operator_id": self.operator.id,
                "operator_name": self.operator_name,
            }
        )


def put(place: Key, entry: Entry | None, value: bytes) -> Put:
    """The change that keeps a value in place of what was there."""
    return Put(place, value, 0 if entry is None else entry.version)


def gone(place: Key, entry: Entry) -> Delete:
    """The change that removes what was there."""
    return Delete(place, entry.version)
