"""A policy of several files and layers, and gateways for it that keep their compiled form."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gateway import Cache, Decision, Gateway

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)

TOOLS = """
version: 1
settings: {confirm_from: IRREVERSIBLE, packs: [core, files]}
agents: [{name: helper, tools: ["*"], tenants: [acme, beta]}]
tools:
  - name: run
    risk: MEDIUM
    permissions: []
    parameters: {type: object, required: [command], properties: {command: {type: string, minLength: 1}}}
    inspect: {command: shell}
  - {name: save, risk: LOW, permissions: [], parameters: {type: object, required: [path], properties: {path: {type: string, x-role: path}}}}
  - {name: pay, risk: HIGH, permissions: ["pay:create"], parameters: {type: object, required: [amount], properties: {amount: {type: number}, note: {type: string, default: none}}}}
"""
RULES = """
version: 1
rules:
  - {id: large, tools: [pay], when: args.amount > 1000, effect: deny, message: Too much.}
"""
USER = """
version: 1
rules: [{id: user-rule, tools: [run], when: "args.command.matches('^deploy')", effect: deny}]
"""
PROJECT = """
version: 1
rules: [{id: project-rule, tools: [run], when: "args.command.startsWith('drop')", effect: ask}]
"""

SESSION: dict[str, Any] = {
    "id": "s-1",
    "tenant": "acme",
    "agent": "helper",
    "channel": "internal",
    "can_ask": True,
    "cwd": "/home/dev/shop",
    "roots": ["/home/dev/shop"],
    "home": "/home/dev",
    "subject": {
        "id": "ann",
        "tenant": "acme",
        "authenticated": True,
        "permissions": ["pay:create"],
        "roles": [],
    },
}


@dataclass(frozen=True)
class Place:
    """Policies, their lower layers and a cache, below one directory."""

    root: Path

    @property
    def policies(self) -> Path:
        return self.root / "policies"

    @property
    def user(self) -> Path:
        return self.root / "user.yaml"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def directory(self) -> Path:
        return self.root / "kept" / "gatewayctl"

    @property
    def forms(self) -> list[Path]:
        return sorted(self.directory.glob("*.form"))

    def cache(self) -> Cache:
        return Cache(self.directory)

    def load(self, cache: Cache | None = None, **more: Any) -> Gateway:
        """The gateway for all layers, from the cache where that holds their form."""
        more = {"user": self.user, "project": self.project, "clock": lambda: NOW, **more}
        return Gateway.load(self.policies, cache=self.cache() if cache is None else cache, **more)


def made(root: Path) -> Place:
    """The policy, written below a directory."""
    place = Place(root)
    (place.policies / "below").mkdir(parents=True)
    place.project.mkdir()
    (place.policies / "tools.yaml").write_text(TOOLS)
    (place.policies / "below" / "rules.yaml").write_text(RULES)
    place.user.write_text(USER)
    (place.project / "rules.yaml").write_text(PROJECT)
    return place


def kept(gateway: Gateway) -> bool:
    """Whether a gateway was made from a kept form: then nothing was compiled."""
    return gateway._files is not None and gateway._files._assembled is None


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"id": "call-1", "tool": tool, "arguments": arguments}


def decide(gateway: Gateway, tool: str, **arguments: Any) -> Decision:
    return gateway.before(call(tool, **arguments), SESSION)
