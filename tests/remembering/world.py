"""A gateway with a store, a clock that can be moved, and people who may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from gateway import Gateway, Manifest
from gateway.answering import Answer, Verdict
from gateway.approvals import Request
from gateway.state import Store
from gateway.stores.memory import MemoryStore
from tests.engine.build import compiled

SHOP = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
defaults:
  - tools: ["*"]
    permissions: []
    parameters: {type: object, required: [id], properties: {id: {type: string}, amount: {type: integer, default: 1}}}
tools:
  - {name: look, risk: READ_ONLY}
  - {name: save, risk: MEDIUM}
  - {name: slow, risk: MEDIUM, timeout: 1s}
  - {name: pay, risk: HIGH}
  - {name: wire, risk: HIGH}
  - {name: sign, risk: MEDIUM}
rules:
  - id: large
    tools: [wire]
    when: args.amount > 100
    effect: ask
    approval: {by: [finance], not_self: true, expires: 30m, use_within: 10m}
  - {id: twice, tools: [wire], when: args.amount > 1000, effect: ask, approval: {by: [board]}}
  - {id: odd, tools: [sign], when: args.id == "odd", effect: ask}
"""
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
CLERK: dict[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "clerk",
    "channel": "internal",
    "can_ask": True,
    "subject": {"id": "u-1", "tenant": "acme", "authenticated": True},
}


class World:
    """A store that outlives gateways, and the time."""

    def __init__(self, store: Store | None = None, text: str = SHOP) -> None:
        self.store: Store = MemoryStore() if store is None else store
        self.text = text
        self.now = NOON

    def gateway(self, text: str | None = None) -> Gateway:
        """A gateway as another process would make it."""
        made = compiled(text or self.text)
        manifest = Manifest(path="test.yaml", **made.summary)
        return Gateway(made.engine, manifest, clock=lambda: self.now, store=self.store)

    def pass_by(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)


def call(tool: str, name: str = "c-1", **arguments: Any) -> dict[str, Any]:
    """A call with an id that the host gave it."""
    return {"tool": tool, "id": name, "arguments": {"id": "a", **arguments}}


def person(name: str, *roles: str, **changes: Any) -> dict[str, Any]:
    """The session of somebody who answers."""
    subject = {"id": name, "tenant": "acme", "authenticated": True, "roles": list(roles)}
    return {**CLERK, "id": "console", "subject": {**subject, **changes}}


def approve(gateway: Gateway, approval: Mapping[str, Any] | None, who: Mapping[str, Any]) -> Request:
    """Somebody agrees."""
    assert approval is not None
    return gateway.resume(approval["id"], Answer(Verdict.APPROVE), who)
