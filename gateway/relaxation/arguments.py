"""Forced arguments: what is no longer set is the model's own again."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.relaxation.change import Judge, Judged, Values, are, label, named, other, relaxed, tightened
from gateway.relaxation.selected import Weight, selection


def weigh(old: Values, new: Values) -> Weight:
    """A value that is forced for more calls is another value than the model's, for every rule that reads it."""
    return Weight(protects=True, unsure=True)


def weigh_condition(old: Values, new: Values) -> Weight:
    """Where the condition does not hold the argument is the model's own, or the call is refused."""
    if old.get("otherwise") and new.get("otherwise"):
        return Weight(grants=True)
    return Weight(protects=True, unsure=True)


def otherwise(old: Values, new: Values) -> Judged:
    """What happens where the condition does not hold."""
    if new.get("otherwise"):
        return tightened("calls are refused where the condition does not hold")
    return relaxed("calls are no longer refused where the condition does not hold")


def values(old: Values, new: Values) -> Judged:
    """The arguments that are set, and their expressions."""
    before, after = old["set"], new["set"]
    lost = [key for key in before if key not in after]
    if lost:
        return relaxed(f"{are(lost)} no longer set, so the model chooses")
    gained = [key for key in after if key not in before]
    changed = [key for key in after if key in before and before[key] != after[key]]
    told = [f"{are(changed)} set to another value"] if changed else []
    told += [f"{are(gained)} now set by the policy"] if gained else []
    return other("; ".join(told), enforced=True)


def added(new: Values) -> Judged:
    """What the policy sets was the model's own before: rules see another value, and calls may pass by it."""
    return other(f"{are(list(new['set']))} now set by the policy{_about(new)}", enforced=bool(new["tools"]))


def removed(old: Values) -> Judged:
    """The model chooses again."""
    if not old["tools"]:
        return other("an entry that sets nothing is gone", enforced=False)
    return relaxed(f"{are(list(old['set']))} no longer set, so the model chooses{_about(old)}")


def _about(entry: Values) -> str:
    return f", for {named(entry['tools'])}" if entry["tools"] else ""


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **selection(weigh, condition=weigh_condition),
        "set": values,
        "otherwise": otherwise,
        "message": label("the message"),
        "reason": label("the reason"),
        "owner": label("the owner"),
        "examples": label("the list of examples"),
    }
)
