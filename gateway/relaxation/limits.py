"""Limits: how often calls may happen, and what they may spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gateway.amounts import written
from gateway.interval import stretch
from gateway.relaxation import watched
from gateway.relaxation.change import (
    Direction,
    Judge,
    Judged,
    Values,
    context,
    label,
    named,
    other,
    relaxed,
    tightened,
)
from gateway.relaxation.selected import Weight, selection


def weigh(old: Values, new: Values) -> Weight:
    """A limit only holds things against calls; one that looks at what comes in a row is broken by more calls."""
    in_a_row = any(side.get(key) is not None for side in (old, new) for key in ("repeats", "empty_rounds"))
    return Weight(protects=True, unsure=in_a_row, enforced=not watched.is_watched(old, new))


def _unless_watched(judge: Judge) -> Judge:
    """A judge of what decides nothing while the limit is only watched."""

    def judged(old: Values, new: Values) -> Judged | None:
        found = judge(old, new)
        return found and replace(found, enforced=found.enforced and not watched.is_watched(old, new))

    return judged


def rate(old: Values, new: Values) -> Judged:
    """More calls, or the same in less time, relax."""
    before, after = old.get("rate"), new.get("rate")
    if after is None:
        return relaxed("no rate is kept")
    text = f"{after['count']} calls in {stretch(after['seconds'])}"
    if before is None:
        return tightened(text)
    text = f"{text} instead of {before['count']} in {stretch(before['seconds'])}"
    return _compared(text, (before["count"], before["seconds"]), (after["count"], after["seconds"]))


def _compared(text: str, before: tuple[int, int], after: tuple[int, int]) -> Judged:
    """How much in how many seconds, before and after."""
    if after[0] <= before[0] and after[1] >= before[1]:
        return tightened(text)
    if after[0] >= before[0] and after[1] <= before[1]:
        return relaxed(text)
    return other(text, enforced=True)


def budget(old: Values, new: Values) -> Judged:
    """More to spend, or the same in less time, relaxes; so does a budget in a currency that had none."""
    before, after = old.get("budget"), new.get("budget")
    if after is None:
        return relaxed("no budget is kept")
    if before is None:
        return tightened(f"a budget of {_budgets(after)}")
    text = f"a budget of {_budgets(after)} instead of {_budgets(before)}"
    if ("" in before) is not ("" in after):
        return other(text, enforced=True)
    both = sorted(before.keys() & after.keys())
    found = [
        _compared(text, _pair(before[one]), _pair(after[one])) for one in both if before[one] != after[one]
    ]
    if after.keys() - before.keys():
        found.append(relaxed(text))
    for direction in (Direction.RELAXED, Direction.OTHER):
        if any(one.direction is direction for one in found):
            return Judged(direction, text)
    return tightened(text)


def _pair(one: Mapping[str, int]) -> tuple[int, int]:
    return one["most"], one["seconds"]


def _budgets(budget: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{written(one['most'])}{currency and f' {currency}'} in {stretch(one['seconds'])}"
        for currency, one in sorted(budget.items())
    )


def repeats(old: Values, new: Values) -> Judged:
    """More equal calls relax."""
    before, after = old.get("repeats"), new.get("repeats")
    if after is None:
        return relaxed("equal calls are not counted")
    text = f"{after} equal calls in a session"
    if before is not None:
        text += f" instead of {before}"
    if before is not None and after > before:
        return relaxed(text)
    return tightened(text)


def empty_rounds(old: Values, new: Values) -> Judged:
    """More rounds that bring nothing new relax."""
    before, after = old.get("empty_rounds"), new.get("empty_rounds")
    if after is None:
        return relaxed("rounds that bring nothing new are not counted")
    text = f"{after} rounds that bring nothing new" + (f" instead of {before}" if before else "")
    return relaxed(text) if before is not None and after > before else tightened(text)


def per(old: Values, new: Values) -> Judged:
    """What is counted by; which of two counts is the larger is not known."""
    return _instead("per", "it counts by", old, new)


def amount(old: Values, new: Values) -> Judged:
    """What a call spends; which of two expressions gives more is not known."""
    return _instead("amount", "a call spends", old, new)


def currency(old: Values, new: Values) -> Judged:
    """The currency of what a call spends."""
    return _instead("currency", "the currency is", old, new)


def _instead(key: str, what: str, old: Values, new: Values) -> Judged:
    before, after = ("nothing" if v is None else named(v) for v in (old.get(key), new.get(key)))
    return other(f"{what} {after} instead of {before}", enforced=True)


def added(new: Values) -> Judged:
    """A new limit."""
    return tightened(f"a new limit about {named(new['tools']) or 'no tool'}", enforced=_decides(new))


def removed(old: Values) -> Judged:
    """A limit that is gone."""
    if not old["tools"]:
        return other("a limit about no tool is gone", enforced=False)
    return relaxed(f"a limit about {named(old['tools'])} is gone", enforced=_decides(old))


def _decides(limit: Values) -> bool:
    return not watched.is_watched(limit, limit)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        **selection(weigh),
        **{
            key: _unless_watched(judge)
            for key, judge in {
                "per": per,
                "rate": rate,
                "budget": budget,
                "amount": amount,
                "currency": currency,
                "repeats": repeats,
                "empty_rounds": empty_rounds,
            }.items()
        },
        "monitor": watched.monitor,
        "message": label("the message"),
        "reason": label("the reason"),
        "owner": label("the owner"),
        "examples": label("the list of examples"),
        "id": context,
        "noun": context,
    }
)
