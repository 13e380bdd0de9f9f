"""Each tenant's tools: the declared ones with the tenant's overrides applied."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, Any

from gateway.frozen import frozen
from gateway.interval import passed
from gateway.plan import OverridePlan, ToolPlan

if TYPE_CHECKING:
    from cachetools import FIFOCache

    Snapshots = FIFOCache[tuple[str, int], Mapping[str, ToolPlan]]

MOST_TENANTS = 256
"""How many tenants' snapshots are kept; one more is made again when it is asked for."""


@frozen
class EffectiveTool:
    """A tool's declared values beside those that are in effect for a tenant, as plain values by key."""

    name: str
    declared: Mapping[str, Any]
    effective: Mapping[str, Any]
    overrides: tuple[OverridePlan, ...]
    source: str = ""
    """Where the tool comes from, as it is declared."""
    endpoint: str = ""
    """Where the host finds it."""
    config: Mapping[str, Any] = field(default_factory=dict)


class Catalogue:
    """The tools as declared, and as they are in effect for a tenant at a moment (B6).

    A tenant's tools are resolved into a snapshot that nobody changes, when they are first asked for. Readers take
    no lock: they find a whole snapshot or none.
    """

    def __init__(
        self,
        declared: Mapping[str, ToolPlan],
        overrides: Mapping[str, tuple[OverridePlan, ...]],
        counted: frozenset[str] = frozenset(),
    ) -> None:
        self.declared = declared
        self.counted = counted
        """The tools that have limits."""
        self.overrides = overrides
        self._ends = {
            tenant: sorted({plan.until.moment for plan in plans if plan.until is not None})
            for tenant, plans in overrides.items()
        }
        self._lock = Lock()
        self._snapshots: Snapshots | None = None
        if overrides:
            from cachetools import FIFOCache

            # Reading it changes nothing in it, as reading one that keeps what was used last would.
            self._snapshots = FIFOCache(MOST_TENANTS)

    def tools_of(self, tenant: str | None, now: datetime) -> Mapping[str, ToolPlan]:
        """The tools that are in effect for a tenant; without a tenant, or an override, those declared."""
        if tenant is None or self._snapshots is None or tenant not in self.overrides:
            return self.declared
        key = (tenant, bisect_right(self._ends[tenant], now))
        try:
            return self._snapshots[key]
        except KeyError:
            snapshot = self._resolved(self.in_force(tenant, now))
        with self._lock:
            self._snapshots[key] = snapshot
        return snapshot

    def in_force(self, tenant: str, now: datetime) -> tuple[OverridePlan, ...]:
        """The tenant's overrides whose time is not over."""
        plans = self.overrides.get(tenant, ())
        return tuple(plan for plan in plans if plan.until is None or not passed(plan.until, now))

    def beside(self, tenant: str, now: datetime) -> tuple[EffectiveTool, ...]:
        """Every tool, declared and effective side by side, by name."""
        by_tool: dict[str, list[OverridePlan]] = {}
        for override in self.in_force(tenant, now):
            by_tool.setdefault(override.tool, []).append(override)
        beside: list[EffectiveTool] = []
        for name in sorted(self.declared):
            declared = declared_values(self.declared[name])
            effective = dict(declared)
            for override in by_tool.get(name, ()):
                effective.update(override.values)
            tool, own = self.declared[name], tuple(by_tool.get(name, ()))
            view = tool.view
            beside.append(
                EffectiveTool(name, declared, effective, own, view["source"], tool.endpoint, view["config"])
            )
        return tuple(beside)

    def _resolved(self, overrides: Sequence[OverridePlan]) -> Mapping[str, ToolPlan]:
        changed: dict[str, dict[str, Any]] = {}
        for override in overrides:
            changed.setdefault(override.tool, {}).update(override.changes)
        return {
            name: replace(plan, **changed[name]) if name in changed else plan
            for name, plan in self.declared.items()
        }


def judged_values(tool: ToolPlan, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values of a tool, with what has to be known of the tool to judge an override."""
    known: dict[str, Any] = {
        "declared_risk": tool.risk.value,
        "resource_permissions": bool(tool.resource),
    }
    if "permissions" in values:
        known["permissions"] = sorted(set(values["permissions"]))  # their order says nothing
    return {**values, **known}


def declared_values(tool: ToolPlan) -> dict[str, Any]:
    """What a tool declares of all that can be overridden, as plain values."""
    return {
        "title": tool.view["title"],
        "description": tool.description,
        "parameters": dict(tool.schema),
        "group": tool.view["group"],
        "permissions": list(tool.permissions),
        "enabled": tool.enabled,
        "risk": tool.risk.value,
    }
