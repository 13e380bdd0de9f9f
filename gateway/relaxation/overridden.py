"""What a tenant's override makes of a tool: declared values before, effective ones after."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.relaxation.change import (
    Judge,
    Judged,
    Values,
    are,
    context,
    label,
    moved,
    named,
    relaxed,
    tightened,
)
from gateway.relaxation.times import last_day
from gateway.risk import parse_or_high


def risk(old: Values, new: Values) -> Judged:
    """Decisions read the higher one of the declared and the overriding risk; a lower one is a label (B7)."""
    shown = [parse_or_high(side.get("risk")) for side in (old, new)]
    before, after = (
        max(risk, parse_or_high(side.get("declared_risk", risk.value)), key=lambda one: one.severity)
        for risk, side in zip(shown, (old, new), strict=True)
    )
    if after is not before:
        text = f"calls are judged as {after.value} instead of {before.value}"
        return relaxed(text) if after < before else tightened(text)
    text = f"the risk is shown as {shown[1].value} instead of {shown[0].value}; decisions still read {after.value}"
    return relaxed(text, enforced=False) if shown[1] < shown[0] else tightened(text, enforced=False)


def permissions(old: Values, new: Values) -> Judged | None:
    """What is no longer needed relaxes, also where something else is asked for in its place."""
    missing, added = moved(old, new, "permissions")
    if missing:
        needed = new.get("permissions") or new.get("resource_permissions")
        alone = "" if needed else "; being signed in is enough"
        return relaxed(f"{are(missing)} no longer needed{alone}")
    if added:
        return tightened(f"{are(added)} needed, too")
    return None


def enabled(old: Values, new: Values) -> Judged:
    """Switching on what was off relaxes."""
    if new.get("enabled"):
        return relaxed("the tool is switched on")
    return tightened("the tool is switched off")


def until(old: Values, new: Values) -> Judged | None:
    """Only what relaxes may end, so a later end relaxes; what one side does not override is said of its key."""
    before, after = old.get("until") or {}, new.get("until") or {}
    both = [key for key in old["overridden"] if key in new["overridden"]]
    differing = [key for key in both if before.get(key) != after.get(key)]
    later = [key for key in differing if key in before and (key not in after or after[key] > before[key])]
    if not differing:
        return None
    first = (later or differing)[0]
    end = f"until {last_day(after[first])}" if first in after else "without end"
    text = f"{named([key for key in later or differing if after.get(key) == after.get(first)])} stays overridden {end}"
    return relaxed(text) if later else tightened(text)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "risk": risk,
        "permissions": permissions,
        "enabled": enabled,
        "until": until,
        "overridden": context,
        "declared_risk": context,
        "resource_permissions": context,
        "title": label("the title that is shown"),
        "description": label("the description that is shown"),
        "group": label("the group that is shown"),
        "parameters": label("the schema that is shown"),
    }
)
"""`parameters` is what the model is shown; arguments are held against the declared schema. `until` has the end of
each key that ends, `overridden` the keys that are overridden at all."""
