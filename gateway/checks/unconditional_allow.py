"""An allow rule without a condition.

It takes back the confirmation of every call of its tools, whatever the arguments are, for everybody whom it selects.
If a tool needs no confirmation, its risk says so in one place that everybody looks at.

Bad:

    rules:
      - {id: pay-freely, tools: [pay], effect: allow}

Good:

    rules:
      - {id: pay-small-change, tools: [pay], when: args.amount <= 20, effect: allow}

Rules that are only watched (`monitor: true`) grant nothing. Where the grant is meant as it stands, write
`# gateway: ignore[unconditional-allow] …` on the line of the id, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each enforced allow rule that has neither `when` nor `unless`."""
    for rule in policy.rules:
        bare = rule.when is None and rule.unless is None
        if rule.effect is Effect.ALLOW and bare and not rule.monitor:
            yield Diagnostic(
                "",
                f"the allow rule `{rule.id}` has no condition, so it grants every call of its tools",
                rule.where.span("id"),
                "say in `when` which calls are harmless",
            )
