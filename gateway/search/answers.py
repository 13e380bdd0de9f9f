"""When one answer to a request is more permissive than another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.decision import Code, Decision, Effect


def strictness(decision: Decision) -> int:
    """How strict an answer is; a question that nobody can answer counts as the question."""
    if decision.code is Code.NOBODY_TO_ASK:
        return Effect.ASK.strictness
    return decision.effect.strictness


_NAMES = {effect.strictness: effect.value for effect in Effect}


def loosened(given: Mapping[str, Any], old: Decision, new: Decision) -> str:
    """What of the answer to a call with these arguments is more permissive than it was; nothing where nothing is."""
    before, after = strictness(old), strictness(new)
    if after < before:
        return f"{_NAMES[before]} -> {_NAMES[after]}"
    if after > before:
        return ""
    if new.effect is Effect.ASK and old.effect is Effect.ASK:
        lost = [demand for demand in _demands(old) if not any(_meets(one, demand) for one in _demands(new))]
        if lost:
            return "ask -> ask somebody else"
    if new.effect in (Effect.ASK, Effect.ALLOW) and old.effect is new.effect:
        return _unforced(given, old, new)
    return ""


def _demands(decision: Decision) -> tuple[Mapping[str, Any], ...]:
    return () if decision.approval is None else tuple(decision.approval.get("demands", ()))


def _meets(new: Mapping[str, Any], old: Mapping[str, Any]) -> bool:
    """Whether who meets one demand meets the other."""
    by, needed = new.get("by"), old.get("by")
    if needed and (not by or not set(by) <= set(needed)):
        return False
    return bool(new.get("not_self")) or not old.get("not_self")


def _unforced(given: Mapping[str, Any], old: Decision, new: Decision) -> str:
    """Whether the model chooses an argument that the policy set before."""
    if old.arguments is None or new.arguments is None:
        return ""
    for name, value in given.items():
        if name in old.arguments and old.arguments[name] != value and new.arguments.get(name) == value:
            return f"{new.effect.value} -> {new.effect.value} with the model's own `{name}`"
    return ""
