"""A rule or a limit on trial without an end.

With `monitor: true` it refuses nothing; it is recorded what it would have refused. A trial without `until` is
forgotten, and the rule that everybody believes in never begins to hold.

Bad:

    rules:
      - {id: large, tools: [pay], when: args.amount > 99, effect: deny, message: No., monitor: true}

Good:

    rules:
      - {id: large, tools: [pay], when: args.amount > 99, effect: deny, message: No., monitor: true, until: 2099-01-31}

Where something is only ever to be recorded, write `# gateway: ignore[endless-trial] …` on the line of `monitor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic
from gateway.policy import Rule

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each monitored rule that refuses, and each monitored limit, that has no `until`."""
    for part in (*policy.rules, *policy.limits):
        grants = isinstance(part, Rule) and part.effect is Effect.ALLOW
        if part.monitor and part.until is None and not grants:
            yield Diagnostic(
                "",
                f"the trial of `{part.id}` never ends, so it never holds",
                part.where.key_span("monitor"),
                "add `until` with the last day of the trial, or remove `monitor`",
            )
