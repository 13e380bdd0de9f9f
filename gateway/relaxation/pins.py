"""Pins: a change that was accepted lets calls of a tool pass that were refused before."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.relaxation.change import Judge, Judged, Values, context, relaxed, tightened


def digest(old: Values, new: Values) -> Judged:
    """Another digest: what had changed is taken, and what it was before is not."""
    text = "the tool is taken as it is now, in place of what it was"
    return _taken(text, new)


def added(new: Values) -> Judged:
    """A first pin."""
    return _taken("the tool is taken as it is pinned", new)


def _taken(text: str, pin: Values) -> Judged:
    """What a pin takes; no call of it passes before `tools` declares it, as one of a pinned server."""
    if pin["held"]:
        return relaxed(text)
    return relaxed(f"{text}, once a pinned server's tool of that name is declared", enforced=False)


def removed(old: Values) -> Judged:
    """Without a pin no call passes, where one is needed; that is said of the server where none is."""
    return tightened("nothing of the tool is pinned", enforced=old["held"])


JUDGES: Mapping[str, Judge] = MappingProxyType({"digest": digest, "held": context})
