"""A rule that refuses or asks, and does not say why.

The message of a rule is what the model and its user read. Without one they are told the rule's id and nothing else:
the model invents a cause and tries other spellings, and the user asks the people who run the gateway.

Bad:

    rules:
      - {id: large-payment, tools: [pay], when: args.amount > 1000, effect: ask}

Good:

    rules:
      - id: large-payment
        tools: [pay]
        when: args.amount > 1000
        effect: ask
        message: Payments above 1000 need a second person from finance.

Rules that are only watched (`monitor: true`) tell nobody anything and need none. Where the id says everything, write
`# gateway: ignore[missing-message] …` on the line of the id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each enforced deny or ask rule without a `message`."""
    for rule in policy.rules:
        if rule.effect in (Effect.DENY, Effect.ASK) and not rule.monitor and rule.message is None:
            yield Diagnostic(
                "",
                f"the {rule.effect.value} rule `{rule.id}` has no `message`",
                rule.where.span("id"),
                "say what is refused and what would be accepted",
            )
