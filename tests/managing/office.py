"""A policy with a console for management, operators of two tenants, and clerks who call tools."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from gateway import Gateway, Ran
from gateway.decision import Code
from gateway.managing.acting import ACTIONS
from gateway.state import Store
from gateway.stores.memory import MemoryStore

POLICY = """
version: 1
settings: {confirm_from: HIGH}
agents:
  - {name: clerk, tools: ["*", "*/*"], tenants: ["*"]}
  - {name: console, tools: ["gateway/*"], tenants: ["*"]}
tools:
  - {name: read, title: Read, risk: READ_ONLY, permissions: ["row:read"]}
  - {name: write, risk: MEDIUM, permissions: ["row:read", "row:write"]}
  - {name: "off", enabled: false, risk: READ_ONLY, permissions: []}
rules:
  - {id: consoles, tools: ["gateway/*"], effect: allow}
  - {id: not-outside, tools: ["*"], when: 'session.channel == "external"', effect: deny}
"""
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


def session(tenant: str, agent: str, name: str, *permissions: str) -> dict[str, Any]:
    """A conversation of somebody of a tenant."""
    return {
        "id": f"{agent}-{name}",
        "tenant": tenant,
        "agent": agent,
        "channel": "internal",
        "can_ask": True,
        "subject": {
            "id": name,
            "tenant": tenant,
            "authenticated": True,
            "permissions": [*permissions],
            "attributes": {"name": name.title()},
        },
    }


class Office:
    """Operators and clerks around one store; each gateway is as another process would have it."""

    def __init__(self, folder: Path, store: Store | None = None, text: str = POLICY) -> None:
        self.store: Store = MemoryStore() if store is None else store
        self.path = folder / "policy.yaml"
        self.path.write_text(text)
        self.now = NOON
        self.gateway = self.another()
        self._calls = 0

    def another(self) -> Gateway:
        """Another gateway on the same store."""
        return Gateway.load(self.path, store=self.store, clock=lambda: self.now)

    def manage(self, action: str, /, who: dict[str, Any] | None = None, **arguments: Any) -> Ran:
        """An operator acts."""
        self._calls += 1
        call = {"tool": f"gateway/{action}", "id": f"m-{self._calls}", "arguments": arguments}
        return self.gateway.manage(call, who or operator("acme"))

    def done(self, action: str, /, tenant: str = "acme", **arguments: Any) -> Any:
        """What an action comes to that is carried out."""
        ran = self.manage(action, operator(tenant), **arguments)
        assert ran.review is not None, ran.decision
        assert not ran.review.is_error, ran.text
        return ran.review.full

    def refused(self, action: str, /, tenant: str = "acme", **arguments: Any) -> str:
        """Why an action is not carried out that the engine let through."""
        ran = self.manage(action, operator(tenant), **arguments)
        assert ran.review is not None, ran.decision
        assert ran.review.is_error, ran.text
        found = re.search(r"ManagementError: (.*)\n", ran.text)
        assert found is not None, ran.text
        return found[1]

    def relax(self, tool: str, /, tenant: str = "acme", **values: Any) -> Any:
        """Override a tool and confirm what relaxes."""
        values = {"reason": "pilot", **values}
        asked = self.refused("override", tenant, tool=tool, **values)
        return self.done("override", tenant, tool=tool, confirm=digest_in(asked), **values)

    def code(self, tool: str, tenant: str = "acme", *held: str, gateway: Gateway | None = None) -> Code:
        """What a clerk's call is answered."""
        self._calls += 1
        call = {"tool": tool, "id": f"c-{self._calls}", "arguments": {}}
        return (gateway or self.gateway).before(call, session(tenant, "clerk", "kim", *held)).code

    def rows(self, tenant: str = "acme") -> list[dict[str, Any]]:
        """The rows of a tenant's audit."""
        found: list[dict[str, Any]] = self.done("audit", tenant)["rows"]
        return found

    def pass_by(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)


def operator(tenant: str, *permissions: str) -> dict[str, Any]:
    """Somebody at the console, who may do everything there unless some permissions are named."""
    return session(tenant, "console", "olga", *(permissions or map(permission, ACTIONS)))


def permission(action: str) -> str:
    """The permission that an action needs."""
    return action.replace("/", ":")


def digest_in(text: str) -> str:
    """The digest that a refusal wants confirmed."""
    found = re.search(r"`confirm: ([0-9a-f]{64})`", text)
    assert found is not None, text
    return found[1]
