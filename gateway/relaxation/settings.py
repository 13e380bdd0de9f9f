"""Settings: what holds for every call."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.patterns import PACKS, load_packs
from gateway.policy import Settings, UnknownTools
from gateway.relaxation.change import Judge, Judged, Values, moved, named, other, relaxed, tightened
from gateway.risk import parse_or_high

DEFAULTS: Values = MappingProxyType(
    {
        "confirm_from": Settings().confirm_from.value,
        "packs": sorted(PACKS),
        "unknown_tools": Settings().unknown_tools.value,
        "protected_branches": [],
        "protected_paths": [],
        "artifacts": [],
    }
)
"""What holds where nothing is set: what is weaker belongs to the posture."""

_LOOSENESS = (UnknownTools.DENY.value, UnknownTools.ASK.value, UnknownTools.ABSTAIN.value)


def confirm_from(old: Values, new: Values) -> Judged:
    """The least risk that a person confirms."""
    before, after = parse_or_high(old["confirm_from"]), parse_or_high(new["confirm_from"])
    if after > before:
        return relaxed(f"calls below risk {after.value} are not confirmed (`confirm_from`)")
    return tightened(f"calls of risk {after.value} and above are confirmed (`confirm_from`)")


def packs(old: Values, new: Values) -> Judged:
    """The packs of patterns of dangerous commands."""
    lost, gained = moved(old, new, "packs")
    if lost:
        return relaxed(f"pattern packs are off: {', '.join(_in_order(lost))} (`packs`)")
    return tightened(f"pattern packs are on: {', '.join(_in_order(gained))} (`packs`)")


def _in_order(names: list[str]) -> list[str]:
    return sorted(names, key=list(PACKS).index)


def unknown_tools(old: Values, new: Values) -> Judged:
    """What a hook says about a tool that the catalogue lacks."""
    after = new["unknown_tools"]
    text = {
        UnknownTools.DENY.value: "refused",
        UnknownTools.ASK.value: "asked about",
        UnknownTools.ABSTAIN.value: "left to the host",
    }[after]
    text = f"tools that the catalogue lacks are {text} (`unknown_tools: {after}`)"
    return (
        relaxed(text) if _LOOSENESS.index(after) > _LOOSENESS.index(old["unknown_tools"]) else tightened(text)
    )


def monitor_until(old: Values, new: Values) -> Judged:
    """Until when nothing but the guard refuses."""
    before, after = old.get("monitor_until"), new.get("monitor_until")
    if after is None:
        return tightened("rules and patterns are enforced (`monitor_until`)")
    text = f"rules and patterns are only watched until {after} (`monitor_until`)"
    return tightened(text) if before is not None and after < before else relaxed(text)


def types(old: Values, new: Values) -> Judged:
    """What hosts supply: a value of another type than declared fails the conditions that read it."""
    return other("what the host supplies is declared with other types (`types`)", enforced=True)


def switch(name: str) -> Judge:
    """The judge of one of the deployment's switches."""

    def judge(old: Values, new: Values) -> Judged:
        key = f"switches.{name}"
        if new.get(key):
            return relaxed(f"the switch {named(name)} is on (`switches`)")
        return tightened(f"the switch {named(name)} is off (`switches`)")

    return judge


_PATTERN_STRICTNESS = ("off", "ask", "deny")
_PATTERN_MEANS = {"off": "is off", "ask": "only asks", "deny": "denies"}


def pattern(name: str) -> Judge:
    """The judge of what one pattern does."""

    def judge(old: Values, new: Values) -> Judged:
        key = f"patterns.{name}"
        before, after = (side.get(key) or _shipped(name) for side in (old, new))
        text = f"the pattern {named(name)} {_PATTERN_MEANS[after]} (`patterns`)"
        looser = _PATTERN_STRICTNESS.index(after) < _PATTERN_STRICTNESS.index(before)
        return relaxed(text) if looser else tightened(text)

    return judge


def _shipped(name: str) -> str:
    """The effect that a pattern has by itself; one that there is not does nothing."""
    return next((one.effect.value for one in load_packs(PACKS) if one.id == name), "off")


def protected(key: str, what: str) -> Judge:
    """The judge of a list of what is protected."""

    def judge(old: Values, new: Values) -> Judged:
        lost, gained = moved(old, new, key)
        if lost:
            return relaxed(f"{what} are no longer protected: {named(sorted(lost))} (`{key}`)")
        return tightened(f"{what} are protected: {named(sorted(gained))} (`{key}`)")

    return judge


def artifacts(old: Values, new: Values) -> Judged:
    """What may be deleted without a question."""
    lost, gained = moved(old, new, "artifacts")
    if gained:
        return relaxed(
            f"what is called {named(sorted(gained))} may be deleted without a question (`artifacts`)"
        )
    return tightened(f"deleting {named(sorted(lost))} is a question again (`artifacts`)")


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "confirm_from": confirm_from,
        "packs": packs,
        "unknown_tools": unknown_tools,
        "monitor_until": monitor_until,
        "types": types,
        "protected_branches": protected("protected_branches", "branches"),
        "protected_paths": protected("protected_paths", "paths"),
        "artifacts": artifacts,
    }
)
"""Each switch has a key of its own, `switches.NAME`, which is there where it is on."""
