"""Something that held until a day, and that day is over.

An allow rule past its `until` grants nothing any more, a rule on trial is enforced now, an override holds no longer.
What still stands in the file says something else to whoever reads it, and is one edit of a date away from holding
again.

Bad:

    rules:
      - {id: stocktaking, tools: [pay], when: args.amount < 50, effect: allow, until: 2020-01-31}

Good:

    rules:
      - {id: stocktaking, tools: [pay], when: args.amount < 50, effect: allow, until: 2099-01-31}

Remove what has lapsed; of a rule whose trial is over, only `monitor` and `until`. To keep it for a while, write
`# gateway: ignore[expired-relaxation] …` on the line of the date.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from gateway.diagnostic import Confidence, Diagnostic
from gateway.interval import Until, parse_until, passed

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Part, Policy

CONFIDENCE = Confidence.CERTAIN


def check_at(policy: Policy, compiled: Compiled, now: datetime) -> Iterator[Diagnostic]:
    """Each end that lies before `now`."""
    for part, key, until, what, help in _ends(policy):
        if passed(until, now):
            yield Diagnostic("", f"{what} ended with {until.text}", part.where.span(key), help)


def _ends(policy: Policy) -> Iterator[tuple[Part, str, Until, str, str]]:
    lapsed = "remove it, or give it a new end if it is still needed"
    enforced = "it is enforced now: remove `monitor` and `until`, or give the trial a new end"
    for condition in (*policy.rules, *policy.limits):
        if condition.until is not None and condition.monitor:
            yield condition, "until", condition.until, f"the trial of `{condition.id}`", enforced
        elif condition.until is not None:
            yield condition, "until", condition.until, f"what `{condition.id}` allows", lapsed
    for override in policy.overrides:
        if override.until is not None:
            yield override, "until", override.until, f"the override of tenant `{override.tenant}`", lapsed
    day = policy.settings.monitor_until
    if day is not None:
        end = parse_until(day.isoformat())
        yield policy.settings, "monitor_until", end, "the trial of the whole policy", "remove `monitor_until`"
