"""A rule without an owner, where the others have one.

`owner` says who can change a rule; `explain` names them to whoever was refused. Where most rules have one, a rule
without it was forgotten, and nobody knows whom to ask.

Bad:

    rules:
      - {id: a, tools: [pay], when: args.amount > 1000, effect: deny, message: No., owner: finance}
      - {id: b, tools: [pay], when: args.amount < 2, effect: deny, message: No., owner: finance}
      - {id: c, tools: [send_mail], when: args.internal, effect: deny, message: No., owner: security}
      - {id: d, tools: [send_mail], unless: args.internal, effect: ask, message: Sure?}

Good:

    rules:
      - {id: a, tools: [pay], when: args.amount > 1000, effect: deny, message: No., owner: finance}
      - {id: b, tools: [pay], when: args.amount < 2, effect: deny, message: No., owner: finance}
      - {id: c, tools: [send_mail], when: args.internal, effect: deny, message: No., owner: security}
      - {id: d, tools: [send_mail], unless: args.internal, effect: ask, message: Sure?, owner: security}

Where nobody owns it, write `# gateway: ignore[unowned-rule] …` on the line of its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Confidence, Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.POSSIBLE
_MOSTLY = 3
"""As many rules have an owner for each that has none."""


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each rule without `owner`, where at least three times as many have one."""
    without = [rule for rule in policy.rules if rule.owner is None]
    if len(policy.rules) - len(without) >= _MOSTLY * len(without):
        for rule in without:
            message = f"`{rule.id}` has no owner, and most other rules have one"
            yield Diagnostic("", message, rule.where.span("id"), "add `owner` with who can change it")
