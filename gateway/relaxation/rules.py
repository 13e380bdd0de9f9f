"""Rules: what refuses, asks and answers protects; what allows grants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from gateway.decision import Effect
from gateway.interval import stretch
from gateway.relaxation import watched
from gateway.relaxation.change import (
    Judge,
    Judged,
    Values,
    context,
    digest_of,
    label,
    moved,
    named,
    other,
    relaxed,
    tightened,
)
from gateway.relaxation.conditions import NEVER, in_force
from gateway.relaxation.selected import Weight, selection
from gateway.relaxation.times import last_day


def weigh(old: Values, new: Values) -> Weight | None:
    """What a rule does; where it begins or ends to allow, its effect says all."""
    if _crosses(old, new):
        return None
    enforced = not watched.is_watched(old, new)
    if _grants(new):
        return Weight(grants=True, enforced=enforced)
    # An error of a rule that answers refuses, and no rule lifts an ask that is an error.
    soft = new["effect"] == old["effect"] and (
        new["effect"] == Effect.RESPOND.value
        or (new["effect"] == Effect.ASK.value and bool(new.get("lifted")))
    )
    return Weight(protects=True, soft_errors=soft, enforced=enforced)


def _grants(rule: Values) -> bool:
    return bool(rule["effect"] == Effect.ALLOW.value)


def _crosses(old: Values, new: Values) -> bool:
    return _grants(old) is not _grants(new)


def effect(old: Values, new: Values) -> Judged:
    """The order is deny, respond, ask, allow."""
    before, after = Effect(old["effect"]), Effect(new["effect"])
    text = f"its effect is {after.value} instead of {before.value}"
    enforced = not watched.is_watched(old, new)
    if after.strictness < before.strictness:
        return relaxed(text, enforced=enforced)
    return tightened(text, enforced=enforced)


def monitor(old: Values, new: Values) -> Judged | None:
    """Watching an allow rule takes back what it grants."""
    if _crosses(old, new):
        return None
    if _grants(new):
        if new.get("monitor") is None:
            return relaxed(f"the rule {named(new['id'])} grants what it only watched before")
        return tightened(f"the rule {named(new['id'])} only watches what it granted before")
    return watched.monitor(old, new)


def until(old: Values, new: Values) -> Judged | None:
    """An allow rule that ends later, or never, grants for longer."""
    if _crosses(old, new) or not _grants(new):
        return None
    before, after = old.get("until"), new.get("until")
    what = named(new["irreversible"]) if new.get("irreversible") else "its calls"
    if after is None:
        return relaxed(f"the rule {named(new['id'])} grants {what} for ever (`until`)")
    text = f"the rule {named(new['id'])} grants {what} until {last_day(after)}"
    return tightened(text) if before is None or after < before else relaxed(text)


def lifts(old: Values, new: Values) -> Judged | None:
    """What an allow rule takes back."""
    if _crosses(old, new):
        return None
    lost, gained = moved(old, new, "lifts")
    enforced = not watched.is_watched(old, new)
    if gained:
        return relaxed(f"it also lifts {named(gained)}", enforced=enforced)
    return tightened(f"it no longer lifts {named(lost)}", enforced=enforced)


def _asks(old: Values, new: Values) -> bool:
    return bool(old["effect"] == new["effect"] == Effect.ASK.value)


def approvers(old: Values, new: Values) -> Judged | None:
    """Who must agree."""
    if not _asks(old, new):
        return None
    before, after = old.get("approval.by"), new.get("approval.by")
    if after is None:
        return relaxed("whoever is asked may agree")
    if before is None:
        return tightened(f"who agrees needs one of the roles {named(after)}")
    lost, gained = moved(old, new, "approval.by")
    if gained:
        return relaxed(f"who has the role {named(gained)} may agree, too")
    return tightened(f"who has the role {named(lost)} may no longer agree")


def not_self(old: Values, new: Values) -> Judged | None:
    """Whether the subject may agree to its own call."""
    if not _asks(old, new):
        return None
    if new.get("approval.not_self"):
        return tightened("the subject can't agree to its own call")
    return relaxed("the subject may agree to its own call")


def _lasting(key: str, what: str) -> Judge:
    """The judge of a time in seconds; nothing measures it yet."""

    def judge(old: Values, new: Values) -> Judged | None:
        if not _asks(old, new):
            return None
        before, after = old.get(key), new.get(key)
        if after is None:
            return relaxed(f"{what} without end", enforced=False)
        text = f"{what} for {stretch(after)}"
        if before is None or after < before:
            return tightened(text, enforced=False)
        return relaxed(text, enforced=False)

    return judge


def added(new: Values) -> Judged:
    """A new rule grants or protects."""
    text = f"a new rule with the effect {new['effect']}"
    return _as_far(new, relaxed(text) if _grants(new) else tightened(text))


def removed(old: Values) -> Judged:
    """A rule that is gone granted or protected."""
    text = f"a rule with the effect {old['effect']} is gone"
    alone = [name for name in old["tools"] if name not in old.get("elsewhere", ())]
    if old["tools"] and not alone:
        return other(f"{text}; another one holds the same against its tools", enforced=False)
    return _as_far({**old, "tools": alone}, tightened(text) if _grants(old) else relaxed(text))


def with_elsewhere(old: Mapping[str, Values], new: Mapping[str, Values]) -> Mapping[str, Values]:
    """The old rules, each with those of its tools against which another new rule holds the same.

    A rule that is lifted counts for itself: what lifts it names it.
    """
    alike: dict[str, dict[str, set[str]]] = {}
    for name, rule in new.items():
        if not _grants(rule) and not rule["lifted"]:
            alike.setdefault(_holds(rule), {})[name] = set(rule["tools"])
    found: dict[str, Values] = {}
    for name, rule in old.items():
        others = alike.get(_holds(rule), {}) if not rule["lifted"] else {}
        known = set[str]().union(*(tools for other, tools in others.items() if other != name))
        found[name] = {**rule, "elsewhere": sorted(known.intersection(rule["tools"]))}
    return found


def _holds(rule: Values) -> str:
    """What a rule holds against whatever it is about."""
    return digest_of({key: value for key, value in rule.items() if key not in _OWN})


_OWN = frozenset(
    {
        "id",
        "tools",
        "written",
        "whole",
        "irreversible",
        "message",
        "reason",
        "owner",
        "examples",
        "context",
        "elsewhere",
    }
)
"""What is a rule's own, whatever it holds against calls."""


def _as_far(rule: Values, judged: Judged) -> Judged:
    """A rule that is watched for ever, is about no tool or needs what is not built decides nothing."""
    idle = not (rule["tools"] or rule.get("later")) or in_force(rule["condition"]) == NEVER
    if rule.get("monitor") == watched.FOR_EVER or idle:
        return other(f"{judged.meaning}; it decides nothing", enforced=False)
    about = named(rule["tools"]) or f"tools that tenants add ({named(rule['later'])})"
    return replace(judged, meaning=f"{judged.meaning}, about {about}")


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **selection(weigh),
        "effect": effect,
        "monitor": monitor,
        "until": until,
        "lifts": lifts,
        "approval.by": approvers,
        "approval.not_self": not_self,
        "approval.expires": _lasting("approval.expires", "the question stays open"),
        "approval.use_within": _lasting("approval.use_within", "an approval can be used"),
        "response": label("the answer that is given"),
        "context": label("the text beside the result"),
        "message": label("the message"),
        "reason": label("the reason"),
        "owner": label("the owner"),
        "examples": label("the list of examples"),
        "id": context,
        "noun": context,
        "lifted": context,
        "irreversible": context,
        "elsewhere": context,
    }
)
"""`condition` is `when` and `unless` together; `tools` are those that are left by `tools` and `risk`."""
