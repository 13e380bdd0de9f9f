"""Agents: which tools they may use, and for which tenants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from gateway.relaxation.change import (
    Judge,
    Judged,
    Values,
    are,
    context,
    moved,
    named,
    other,
    relaxed,
    tightened,
)
from gateway.relaxation.globs import beyond, certainly_beyond, fewer
from gateway.relaxation.read import noticed
from gateway.risk import parse_or_high


def _is_on(agent: Values) -> bool:
    """Whether the agent can call anything for anybody."""
    return bool(agent.get("tenants")) and bool(agent.get("tools") or agent.get("modes"))


def tools(old: Values, new: Values) -> Judged:
    """The tools that it is bound to."""
    lost, gained = moved(old, new, "tools")
    if gained:
        return relaxed(f"{are(gained)} now bound to it", enforced=_is_on(new))
    return tightened(f"{are(lost)} no longer bound to it", enforced=_is_on(old))


def later(old: Values, new: Values) -> Judged:
    """Which of a tenant's own tools it is bound to, that come while the policy is served."""
    gained = fewer(new.get("later"), old.get("later"))
    if gained:
        return relaxed(
            f"more tools that tenants add are bound to it ({named(gained)})", enforced=bool(new["tenants"])
        )
    lost = fewer(old.get("later"), new.get("later"))
    return tightened(
        f"fewer tools that tenants add are bound to it ({named(lost)})", enforced=bool(old["tenants"])
    )


def tenants(old: Values, new: Values) -> Judged:
    """The tenants that it is on for."""
    before, after = old.get("tenants") or [], new.get("tenants") or []
    gained = beyond(before, after)
    if not gained:
        return tightened(f"it is no longer on for {named(beyond(after, before))}", enforced=_is_on(old))
    if certainly_beyond(before, after):
        return relaxed(f"it is now on for {named(gained)}", enforced=_is_on(new))
    return other("it may be on for other tenants", enforced=_is_on(new))


def max_steps(old: Values, new: Values) -> Judged:
    """The most steps of a turn."""
    found = _most(old.get("max_steps"), new.get("max_steps"), "steps")
    return replace(found, enforced=_is_on(old) and _is_on(new))


def max_risk(old: Values, new: Values) -> Judged:
    """A promise about what it is bound to: it refuses policies, not calls."""
    before, after = (
        None if v is None else parse_or_high(v).severity for v in (old.get("max_risk"), new.get("max_risk"))
    )
    return _most(before, after, "risk")


def _most(before: Any, after: Any, what: str) -> Judged:
    if after is None or (before is not None and after > before):
        return relaxed(f"its most {what} may be higher", enforced=False)
    return tightened(f"its most {what} is lower", enforced=False)


def added(new: Values) -> Judged:
    """A new agent that is on for somebody can call what it is bound to."""
    if _is_on(new):
        return relaxed(
            f"a new agent for {named(new['tenants'])}, bound to {named(new['tools']) or 'no tool'}"
        )
    return other("a new agent that can call nothing", enforced=False)


def removed(old: Values) -> Judged:
    """Whoever names it is refused."""
    return tightened("the agent is gone", enforced=_is_on(old))


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {
        "tools": noticed("agent.tools", tools),
        "later": later,
        "tenants": tenants,
        "max_steps": noticed("agent.max_steps", max_steps),
        "max_risk": noticed("agent.max_risk", max_risk),
        "modes": context,
        "reads": context,
    }
)
"""`tools` are the names that its patterns select, `modes` says whether some tool needs no binding."""
