"""What a tenant's override makes of a tool: declared values before, effective ones after."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.relaxation.change import Judge, Judged, Values, named, other, relaxed, tightened
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
    before, after = old.get("permissions") or [], new.get("permissions") or []
    missing = [name for name in before if name not in after]
    added = [name for name in after if name not in before]
    if missing:
        alone = "" if after else "; being signed in is enough"
        return relaxed(f"{named(missing)} {'is' if len(missing) == 1 else 'are'} no longer needed{alone}")
    if added:
        return tightened(f"{named(added)} {'is' if len(added) == 1 else 'are'} needed, too")
    return None


def enabled(old: Values, new: Values) -> Judged:
    """Switching on what is declared off relaxes."""
    if new.get("enabled"):
        return relaxed("a tool that is declared disabled is switched on")
    return tightened("the tool is switched off")


def _label(key: str) -> Judge:
    def judge(old: Values, new: Values) -> Judged:
        return other(f"another {key} is shown", enforced=False)

    return judge


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "risk": risk,
        "permissions": permissions,
        "enabled": enabled,
        "title": _label("title"),
        "description": _label("description"),
        "group": _label("group"),
        "parameters": _label("schema"),
    }
)
"""`parameters` is what the model is shown; arguments are held against the declared schema."""
