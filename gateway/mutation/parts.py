"""The mutants of rules, forced arguments, limits and results: what is special to each of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gateway.decision import Effect
from gateway.mutation.conditioned import Changing
from gateway.mutation.mutant import Mutant, World
from gateway.plan import ForcedPlan

_WEAKER = {Effect.DENY: Effect.ASK, Effect.ASK: Effect.ALLOW, Effect.RESPOND: Effect.ASK}


def rules(world: World) -> Iterator[Mutant]:
    """A rule that says something else, to more or fewer calls, or nothing."""
    for rule in world.loaded.policy.rules:
        changing = Changing(world, "rules", "rule", rule)
        if not changing.plans:
            continue
        if rule.effect in _WEAKER:
            weaker = _WEAKER[rule.effect]
            text = f"`effect: {rule.effect.value}` becomes `{weaker.value}`"
            yield changing.mutant(
                f"effect:{weaker.value}",
                ("effect",),
                text,
                changing.setting(effect=weaker, response=None),
            )
        yield from changing.common()
        for index, name in enumerate(rule.lifts):
            text = f"`{name}` is left out of `lifts`"
            make = changing.setting(lifts=changing.some.lifts - {name})
            yield changing.mutant(f"lifts/-{name}", ("lifts", index), text, make)
        approval = rule.approval
        if approval is not None and approval.by is not None:
            yield changing.mutant(
                "approval/by/remove",
                ("approval", "by"),
                "`by` is not there",
                changing.setting(approval=_without(changing.some.approval, "by")),
            )
        if approval is not None and approval.not_self:
            yield changing.mutant(
                "approval/not_self/remove",
                ("approval", "not_self"),
                "`not_self` is not there",
                changing.setting(approval=_without(changing.some.approval, "not_self")),
            )
        yield from _watched(changing, monitor=rule.monitor, until=rule.until is not None)


def _without(approval: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in approval.items() if name != key}


def _watched(changing: Changing, *, monitor: bool, until: bool) -> Iterator[Mutant]:
    if monitor:
        text = "`monitor` is not there"
        make = changing.setting(monitored=False, until=None)
        yield changing.mutant("monitor/remove", ("monitor",), text, make)
    if until:
        make = changing.setting(until=None)
        yield changing.mutant("until/remove", ("until",), "`until` is not there", make)


def arguments(world: World) -> Iterator[Mutant]:
    """What is forced is not, or not all of it, or refuses nothing where it is not forced."""
    for entry in world.loaded.policy.arguments:
        changing = Changing(world, "forced", "arguments", entry)
        if not changing.plans:
            continue
        yield from changing.common()
        if entry.otherwise is not None:
            make = changing.setting(otherwise_deny=False)
            yield changing.mutant("otherwise/remove", ("otherwise",), "`otherwise` is not there", make)
        for key in entry.set if len(entry.set) > 1 else ():
            make = changing.each(partial(_setting_less, key))
            yield changing.mutant(f"set/-{key}", ("set", key), f"`{key}` is not set", make)


def _setting_less(key: str, entry: ForcedPlan) -> ForcedPlan:
    return replace(entry, values=tuple(each for each in entry.values if each[0] != key))


def limits(world: World) -> Iterator[Mutant]:
    """A limit that is one more, or not there."""
    for limit in world.loaded.policy.limits:
        changing = Changing(world, "limits", "limit", limit)
        if not changing.plans:
            continue
        changing.times = changing.some.most + 1 if limit.budget is None and limit.empty_rounds is None else 1
        yield from changing.common()
        if limit.budget is None:
            key = next(
                each for each in ("rate", "repeats", "empty_rounds") if getattr(limit, each) is not None
            )
            for step, word in ((1, "more"), (-1, "less")):
                changing.times = changing.some.most + (1 if step > 0 else 0)
                make = changing.setting(most=changing.some.most + step)
                yield changing.mutant(f"{key}:{step:+d}", (key,), f"`{key}` is one {word}", make)
        yield from _watched(changing, monitor=limit.monitor, until=limit.until is not None)


def results(world: World) -> Iterator[Mutant]:
    """An entry that blanks out less, or is not there."""
    for result in world.loaded.policy.results:
        changing = Changing(world, "results", "result", result)
        if not changing.plans or result.redact is None:
            continue
        yield from changing.common()
        redactions = changing.some.redactions
        whats = [one.what for one in redactions]
        for index, what in enumerate(whats if len(whats) > 1 else ()):
            make = changing.setting(redactions=redactions[:index] + redactions[index + 1 :])
            yield changing.mutant(
                f"redact/-{what.replace(' ', ':')}", ("redact", index), f"`{what}` is left out", make
            )
