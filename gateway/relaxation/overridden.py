"""What a tenant's override makes of a tool: declared values before, effective ones after."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.relaxation.change import Judge, Judged, Values, are, label, moved, relaxed, tightened
from gateway.risk import parse_or_high


def risk(old: Values, new: Values) -> Judged:
    """A lowered risk is a label: decisions read the declared one. A raised one is enforced (B7)."""
    before, after = parse_or_high(old.get("risk")), parse_or_high(new.get("risk"))
    if after < before:
        return relaxed(
            f"the risk is shown as {after.value} instead of {before.value}; decisions still read {before.value}",
            enforced=False,
        )
    return tightened(f"calls are judged as {after.value} instead of {before.value}")


def permissions(old: Values, new: Values) -> Judged | None:
    """What is no longer needed relaxes, also where something else is asked for in its place."""
    missing, added = moved(old, new, "permissions")
    if missing:
        alone = "" if new.get("permissions") else "; being signed in is enough"
        return relaxed(f"{are(missing)} no longer needed{alone}")
    if added:
        return tightened(f"{are(added)} needed, too")
    return None


def enabled(old: Values, new: Values) -> Judged:
    """Switching on what is declared off relaxes."""
    if new.get("enabled"):
        return relaxed("a tool that is declared disabled is switched on")
    return tightened("the tool is switched off")


def until(old: Values, new: Values) -> Judged:
    """Only what relaxes may end, so a later end relaxes."""
    before, after = old.get("until"), new.get("until")
    text = "it holds for ever" if after is None else f"it holds until {after}"
    later = before is not None and (after is None or after > before)
    return relaxed(text) if later else tightened(text)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "risk": risk,
        "permissions": permissions,
        "enabled": enabled,
        "until": until,
        "title": label("the title that is shown"),
        "description": label("the description that is shown"),
        "group": label("the group that is shown"),
        "parameters": label("the schema that is shown"),
    }
)
"""`parameters` is what the model is shown; arguments are held against the declared schema."""
