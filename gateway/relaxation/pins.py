"""Pins: a change that was accepted lets calls of a tool pass that were refused before."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateway.relaxation.change import Judge, Judged, Values, context, relaxed, tightened


def digest(old: Values, new: Values) -> Judged:
    """Another digest: what had changed is taken, and what it was before is not."""
    return relaxed("the tool is taken as it is now, in place of what it was", enforced=new["held"])


def added(new: Values) -> Judged:
    """A first pin."""
    return relaxed("the tool is taken as it is pinned", enforced=new["held"])


def removed(old: Values) -> Judged:
    """Without a pin no call passes, where one is needed; that is said of the server where none is."""
    return tightened("nothing of the tool is pinned", enforced=old["held"])


JUDGES: Mapping[str, Judge] = MappingProxyType({"digest": digest, "held": context})
