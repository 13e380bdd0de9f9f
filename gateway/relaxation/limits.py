"""Limits: how often calls may happen. Nothing counts yet, so no decision changes by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from gateway.relaxation import watched
from gateway.relaxation.change import Judge, Judged, Values, context, label, named, other, relaxed, tightened
from gateway.relaxation.selected import Weight, selection
from gateway.relaxation.times import stretch


def weigh(old: Values, new: Values) -> Weight:
    """A limit only holds things against calls."""
    return Weight(protects=True, enforced=False)


def rate(old: Values, new: Values) -> Judged:
    """More calls, or the same in less time, relax."""
    before, after = old.get("rate"), new.get("rate")
    if after is None:
        return relaxed("no rate is kept", enforced=False)
    text = f"{after['count']} calls in {stretch(after['seconds'])}"
    if before is None:
        return tightened(text, enforced=False)
    text = f"{text} instead of {before['count']} in {stretch(before['seconds'])}"
    if after["count"] <= before["count"] and after["seconds"] >= before["seconds"]:
        return tightened(text, enforced=False)
    if after["count"] >= before["count"] and after["seconds"] <= before["seconds"]:
        return relaxed(text, enforced=False)
    return other(text, enforced=False)


def repeats(old: Values, new: Values) -> Judged:
    """More equal calls relax."""
    before, after = old.get("repeats"), new.get("repeats")
    if after is None:
        return relaxed("equal calls are not counted", enforced=False)
    text = f"{after} equal calls in a session"
    if before is not None:
        text += f" instead of {before}"
    if before is not None and after > before:
        return relaxed(text, enforced=False)
    return tightened(text, enforced=False)


def per(old: Values, new: Values) -> Judged:
    """What is counted by; which of two counts is the larger is not known."""
    before, after = ("nothing" if v is None else named(v) for v in (old.get("per"), new.get("per")))
    return other(f"it counts by {after} instead of {before}", enforced=False)


def monitor(old: Values, new: Values) -> Judged:
    """As for rules."""
    return replace(watched.monitor(old, new), enforced=False)


def added(new: Values) -> Judged:
    """A new limit."""
    return tightened(f"a new limit about {named(new['tools']) or 'no tool'}", enforced=False)


def removed(old: Values) -> Judged:
    """A limit that is gone."""
    if not old["tools"]:
        return other("a limit about no tool is gone", enforced=False)
    return relaxed(f"a limit about {named(old['tools'])} is gone", enforced=False)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **selection(weigh),
        "per": per,
        "rate": rate,
        "repeats": repeats,
        "monitor": monitor,
        "message": label("the message"),
        "reason": label("the reason"),
        "owner": label("the owner"),
        "examples": label("the list of examples"),
        "id": context,
        "noun": context,
    }
)
