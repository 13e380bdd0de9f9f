"""Servers: which of their tools may be used. They are not connected yet: only `pinned` changes decisions.

`held` says whether both policies declare tools of the server, so that a decision can differ by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from gateway.relaxation import overridden
from gateway.relaxation.change import Judge, Judged, Values, context, named, relaxed, tightened
from gateway.relaxation.globs import beyond
from gateway.risk import parse_or_high


def tools(old: Values, new: Values) -> Judged:
    """The patterns of its tools; one that takes tools away counts the other way round."""
    before, after = _split(old), _split(new)
    gained, freed = beyond(before[0], after[0]), beyond(after[1], before[1])
    if gained or freed:
        return relaxed(f"it may offer more tools: {named(gained or freed)}", enforced=False)
    return tightened("it may offer fewer tools", enforced=False)


def _split(server: Values) -> tuple[list[str], list[str]]:
    patterns: list[str] = server["tools"]
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    return wanted, [pattern[1:] for pattern in patterns if pattern.startswith("!")]


def risk(old: Values, new: Values) -> Judged:
    """The least risk of its tools."""
    before, after = old.get("risk"), new.get("risk")
    if after is None or (before is not None and parse_or_high(after) < parse_or_high(before)):
        return relaxed(f"the least risk of its tools is {after or 'not set'}", enforced=False)
    return tightened(f"the least risk of its tools is {after}", enforced=False)


def permissions(old: Values, new: Values) -> Judged | None:
    """What each of its tools needs."""
    judged = overridden.permissions(old, new)
    return None if judged is None else replace(judged, enforced=False)


def pinned(old: Values, new: Values) -> Judged:
    """Whether a tool that changed is refused."""
    if new.get("pinned"):
        return tightened("tools that are not listed as they are pinned are refused", enforced=new["held"])
    return relaxed("tools that changed are taken as they are", enforced=new["held"])


def added(new: Values) -> Judged:
    """A new server; with `pinned` each of its tools needs a pin, which is a change of its own."""
    if new.get("pinned"):
        text = "a new server; its tools that are not listed as they are pinned are refused"
        return tightened(text, enforced=new["held"])
    return relaxed(f"a new server with the tools {named(new['tools'])}", enforced=False)


def removed(old: Values) -> Judged:
    """A server that is gone."""
    if old.get("pinned"):
        text = "the server is gone, so its tools that changed are taken as they are"
        return relaxed(text, enforced=old["held"])
    return tightened("the server is gone", enforced=False)


JUDGES: Mapping[str, Judge] = MappingProxyType(
    {"tools": tools, "risk": risk, "permissions": permissions, "pinned": pinned, "held": context}
)
