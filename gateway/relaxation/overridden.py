"""What a tenant's override makes of a tool: declared values before, effective ones after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from gateway.relaxation.change import (
    Direction,
    Judge,
    Judged,
    Values,
    are,
    context,
    label,
    moved,
    named,
    other,
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


def ends_later(old: Values, new: Values, key: str) -> bool:
    """Whether a key that both override stays overridden for longer."""
    if not all(key in side["overridden"] for side in (old, new)):
        return False
    before, after = old.get(f"{key}.until"), new.get(f"{key}.until")
    return before is not None and (after is None or after > before)


def _until(key: str, judge: Judge) -> Judge:
    """The judge of the end of a key: between both ends one side has its override, the other what the tool declares."""

    def judged(old: Values, new: Values) -> Judged | None:
        if not all(key in side["overridden"] for side in (old, new)):
            return None
        after = new.get(f"{key}.until")
        text = (
            f"{named(key)} stays overridden {'without end' if after is None else f'until {last_day(after)}'}"
        )
        longer = ends_later(old, new, key)
        before, then = (_declared(old, key), new) if longer else (old, _declared(new, key))
        found = None if before[key] == then[key] else judge(before, then)
        if found is None:
            return other(text, enforced=False)
        meaning = (
            text if longer or found.direction is not Direction.RELAXED else f"{text}; then {found.meaning}"
        )
        return replace(found, meaning=meaning)

    return judged


def _declared(side: Values, key: str) -> Values:
    return {**side, key: side["declared"][key]}


def _note(key: str, what: str) -> Judge:
    """The judge of what both policies say beside an override."""

    def judged(old: Values, new: Values) -> Judged | None:
        return other(f"{what} differs", enforced=False) if old[key] and new[key] else None

    return judged


_VALUES: Mapping[str, Judge] = MappingProxyType(
    {
        "risk": risk,
        "permissions": permissions,
        "enabled": enabled,
        "title": label("the title that is shown"),
        "description": label("the description that is shown"),
        "group": label("the group that is shown"),
        "parameters": label("the schema that is shown"),
    }
)
JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **_VALUES,
        **{f"{key}.until": _until(key, judge) for key, judge in _VALUES.items()},
        "confirmed_by": _note("confirmed_by", "who confirmed the override"),
        "reason": _note("reason", "the reason of the override"),
        "overridden": context,
        "declared": context,
        "declared_risk": context,
        "resource_permissions": context,
    }
)
"""`parameters` is what the model is shown; arguments are held against the declared schema. `KEY.until` is the end of
an override of the key, `overridden` the keys that are overridden at all, `declared` what holds otherwise."""
