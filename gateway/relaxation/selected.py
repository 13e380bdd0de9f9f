"""Which calls a part is about: its tools, the sessions that it chooses, and its condition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gateway.relaxation.change import Judge, Judged, Values, context, moved, named, other, relaxed, tightened
from gateway.relaxation.conditions import ALWAYS, NEVER, covered, in_force
from gateway.relaxation.globs import beyond, certainly_beyond, fewer
from gateway.relaxation.whole import whole_in
from gateway.relaxation.written import difference


@dataclass(frozen=True, slots=True)
class Weight:
    """What a part does to the calls that it is about, which says what more or fewer of them mean."""

    protects: bool = False
    """Fewer calls are a relaxation."""
    grants: bool = False
    """More calls are a relaxation."""
    unsure: bool = False
    """More calls may be one, too: the part changes what others see."""
    soft_errors: bool = False
    """An error holds more against a call than a match does, so a condition that is wider may fail less."""
    unbuilt: str = NEVER
    """What a condition comes to that needs what is not built yet."""
    enforced: bool = True


Weigh = Callable[[Values, Values], Weight | None]
"""What a part does, before and after; None where another key says all that there is to say."""


def selection(weigh: Weigh, *, condition: Weigh | None = None) -> Mapping[str, Judge]:
    """The judges of the keys that choose calls; a condition may weigh differently from the rest."""
    return {
        "tools": _judge(weigh, _tools),
        "later": _judge(weigh, _later),
        "tenants": _judge(weigh, _tenants),
        "agents": _judge(weigh, _named("agents", "agent")),
        "channels": _judge(weigh, _named("channels", "channel")),
        "condition": _judge(condition or weigh, _condition),
        "written": context,
        "whole": context,
    }


def _judge(weigh: Weigh, judge: Callable[[Weight, Values, Values], Judged]) -> Judge:
    def judged(old: Values, new: Values) -> Judged | None:
        weight = weigh(old, new)
        if weight is None:
            return None
        found = judge(weight, old, new)
        return found if weight.enforced else replace(found, enforced=False)

    return judged


def _shifted(weight: Weight, lost: str, gained: str) -> Judged:
    """The verdict on a part that is about other calls: what each side is about, where there is one."""
    if lost and weight.protects:
        return relaxed(lost)
    if gained and weight.grants:
        return relaxed(gained)
    if gained and weight.unsure:
        return other(gained, enforced=True)
    return tightened("; ".join(text for text in (lost, gained) if text))


def _tools(weight: Weight, old: Values, new: Values) -> Judged:
    lost, gained = moved(old, new, "tools")
    moved_on = [name for name in lost if name in old.get("elsewhere", ())]
    lost = [name for name in lost if name not in moved_on]
    if not lost and not gained:
        text = f"it is no longer about {named(moved_on)}, against which another one holds the same"
        return other(text, enforced=False)
    return _shifted(
        weight,
        f"it is no longer about {named(lost)}" if lost else "",
        f"it is now about {named(gained)}" if gained else "",
    )


def _later(weight: Weight, old: Values, new: Values) -> Judged:
    """Which of a tenant's own tools it is about, that come while the policy is served."""
    lost, gained = fewer(old.get("later"), new.get("later")), fewer(new.get("later"), old.get("later"))
    return _shifted(
        weight,
        f"it is about fewer tools that tenants add ({named(lost)})" if lost else "",
        f"it is about more tools that tenants add ({named(gained)})" if gained else "",
    )


def _tenants(weight: Weight, old: Values, new: Values) -> Judged:
    before, after = old.get("tenants"), new.get("tenants")
    if after is None:
        return _shifted(weight, "", "it is about every tenant")
    if before is None:
        return _shifted(weight, f"it is only about the tenants {named(after)}", "")
    lost, gained = beyond(after, before), beyond(before, after)
    if (lost and not certainly_beyond(after, before)) or (gained and not certainly_beyond(before, after)):
        return other("it may be about other tenants", enforced=True)
    return _shifted(
        weight,
        f"it is no longer about the tenants {named(lost)}" if lost else "",
        f"it is now about the tenants {named(gained)}" if gained else "",
    )


def _named(key: str, noun: str) -> Callable[[Weight, Values, Values], Judged]:
    """The judge of a list in which every name is known; without the list it is every one."""

    def judge(weight: Weight, old: Values, new: Values) -> Judged:
        lost, gained = moved(old, new, key)
        return _shifted(
            weight,
            f"it is no longer about the {noun} {named(lost)}" if lost else "",
            f"it is now about the {noun} {named(gained)}" if gained else "",
        )

    return judge


def _condition(weight: Weight, old: Values, new: Values) -> Judged:
    before, after = (in_force(side["condition"], weight.unbuilt) for side in (old, new))
    whole = whole_in(old, new)
    wider = covered(before, after, whole)
    narrower = covered(after, before, whole)
    differs = difference(old.get("written"), new.get("written"))
    if wider and narrower:
        return other(f"the condition is written in another way: {differs}", enforced=False)
    if not wider and not narrower:
        return other(f"the condition is another one: {differs}", enforced=True)
    if wider and weight.soft_errors:
        return other(f"it may match where it could not be evaluated: {differs}", enforced=True)
    fewer = "it matches no call" if after == NEVER else "it may match fewer calls"
    more = "it matches every call" if after == ALWAYS else "it may match more calls"
    return _shifted(weight, f"{fewer}: {differs}" if narrower else "", f"{more}: {differs}" if wider else "")
