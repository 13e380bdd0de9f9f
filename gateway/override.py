"""What an override of one tool for one tenant comes to, wherever it is written: in a policy file or in the store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gateway.effective import declared_values, judged_values
from gateway.plan import ToolPlan
from gateway.relaxation import Change, Direction, Kind, compare, digest_of
from gateway.risk import RiskLevel
from gateway.schema import Emitter

KEYS = ("title", "description", "parameters", "group", "permissions", "enabled", "risk")
"""What an override may say about a tool."""


def values_of(written: Mapping[str, Any]) -> dict[str, Any]:
    """What an override overrides: null and a blank title do not, an empty text does (B6)."""
    values = {key: written[key] for key in KEYS if written.get(key) is not None}
    if not str(values.get("title", "")).strip():
        values.pop("title", None)
    return values


def fields_of(tool: ToolPlan, values: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The fields of the tool's plan that the values change."""
    fields: dict[str, Any] = {"overridden": place}
    if "permissions" in values:
        fields["permissions"] = tuple(values["permissions"])
        fields["permission_set"] = frozenset(values["permissions"])
    if "enabled" in values:
        fields["enabled"] = values["enabled"]
    if "risk" in values:
        # What is enforced is the higher of the two; a lower one is only shown (B7).
        fields["risk"] = max(tool.risk, RiskLevel(values["risk"]), key=lambda risk: risk.severity)
    if "description" in values:
        fields["description"] = values["description"]
    if "parameters" in values:
        fields["emitted"] = Emitter(values["parameters"])
    return fields


def changes_of(tenant: str, tool: ToolPlan, values: Mapping[str, Any]) -> tuple[Change, ...]:
    """How the tool differs from what it declares, key by key; the item of each ends in `.key`."""
    declared = declared_values(tool)
    return compare(
        Kind.OVERRIDE,
        f"overrides.{tenant}.{tool.name}",
        judged_values(tool, declared),
        judged_values(tool, {**declared, **values}),
    )


def key_of(change: Change) -> str:
    """The key of the override that makes a change."""
    return change.item.rpartition(".")[2]


def relaxed(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Those of some changes that somebody has to confirm (B8)."""
    return tuple(change for change in changes if change.relaxed)


def confirmation(tenant: str, until: str | None, each: Iterable[Sequence[Change]], about: str = "") -> str:
    """The digest that whoever confirms names: of what relaxes in each tool, from what to what, and until when.

    `about` tells what the tool is, where that can change at run time.
    """
    said = [tenant, until, [[change.digest for change in changes] for changes in each]]
    return digest_of([*said, about] if about else said)


def lapsing(changes: Iterable[Change]) -> str | None:
    """What tightens, in words: it may have no end, which would loosen the policy in silence (5.5)."""
    for change in changes:
        if change.direction is Direction.TIGHTENED:
            return change.meaning
        added = sorted(set(change.new) - set(change.old)) if key_of(change) == "permissions" else ()
        if added:
            return f"`{added[0]}` is needed, too"
    return None
