"""How long a rule or a limit is only watched."""

from __future__ import annotations

from gateway.relaxation.change import Judged, Values, named, relaxed, tightened
from gateway.relaxation.times import last_day

FOR_EVER = "always"
"""The `monitor` of a part that is watched and never enforced; otherwise it is the moment of its end, or null."""


def is_watched(old: Values, new: Values) -> bool:
    """Whether the part decides nothing, neither before nor after."""
    return old.get("monitor") == FOR_EVER and new.get("monitor") == FOR_EVER


def monitor(old: Values, new: Values) -> Judged:
    """Watching what would refuse relaxes, and so does watching it longer."""
    before, after = old.get("monitor"), new.get("monitor")
    what = f"the {new['noun']} {named(new['id'])}"
    if after is None:
        return tightened(f"{what} is enforced")
    if after == FOR_EVER:
        return relaxed(f"{what} is only watched (`monitor`)")
    longer = before is None or (before != FOR_EVER and before < after)
    text = f"{what} is only watched until {last_day(after)} (`monitor`)"
    return relaxed(text) if longer else tightened(text)
