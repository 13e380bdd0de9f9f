"""An end that is so far off that it is none.

`until` says when a trial is over, or when an exception lapses. A year like 2999 meets the letter of that: nobody will
look at it again.

Bad:

    rules:
      - {id: stocktaking, tools: [pay], when: args.amount < 50, effect: allow, until: 2999-12-31}

Good:

    rules:
      - {id: stocktaking, tools: [pay], when: args.amount < 50, effect: allow, until: 2026-12-31}

A trial may last a year, an exception three. Where it is really meant, write `# gateway: ignore[distant-end] …` on the
line of the date.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic
from gateway.interval import Until, parse_until, passed

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Part, Policy

_YEAR = timedelta(days=366)


def check_at(policy: Policy, compiled: Compiled, now: datetime) -> Iterator[Diagnostic]:
    """Each end that is not reached in the time that a trial, or an exception, may last."""
    for part, key, until, what, years in _ends(policy):
        if not passed(until, now + years * _YEAR):
            message = (
                f"{what} with {until.text}, more than {'a year' if years == 1 else f'{years} years'} ahead"
            )
            yield Diagnostic(
                "", message, part.where.span(key), "write a day on which someone looks at it again"
            )


def _ends(policy: Policy) -> Iterator[tuple[Part, str, Until, str, int]]:
    for part in (*policy.rules, *policy.limits):
        if part.until is not None and part.monitor:
            yield part, "until", part.until, f"the trial of `{part.id}` ends", 1
        elif part.until is not None:
            yield part, "until", part.until, f"what `{part.id}` allows ends", 3
    for override in policy.overrides:
        if override.until is not None:
            yield override, "until", override.until, f"the override of tenant `{override.tenant}` ends", 3
    day = policy.settings.monitor_until
    if day is not None:
        yield (
            policy.settings,
            "monitor_until",
            parse_until(day.isoformat()),
            "the trial of the whole policy ends",
            1,
        )
