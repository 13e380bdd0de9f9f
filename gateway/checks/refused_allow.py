"""An allow that never lets a call pass, because something else always stops it.

A deny is never lifted, and an ask only by a rule that names it in `lifts`. Where such a rule holds for every call that
an allow is about, the allow grants nothing: whoever wrote it believes in an exception that is not there.

Bad:

    rules:
      - {id: small, tools: [pay], when: args.amount < 10, effect: allow}
      - {id: no-cents, tools: [pay], when: args.amount < 50, effect: deny, message: Too little.}

Good:

    rules:
      - {id: small, tools: [pay], when: args.amount < 100, effect: allow}
      - {id: no-cents, tools: [pay], when: args.amount < 50, effect: deny, message: Too little.}

Write the exception into the deny, as `unless`, or the ask into `lifts`. To keep the allow for later, write
`# gateway: ignore[refused-allow] …` on the line of its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.covering import covered, ruled
from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic, Related

if TYPE_CHECKING:
    from gateway.checks.covering import Ruled
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each enforced allow rule of which every call is refused, answered, or asked about by what nothing lifts."""
    lifted = frozenset(name for rule in policy.rules for name in rule.lifts)

    def stops(one: Ruled, other: Ruled) -> bool:
        if one.rule.effect is not Effect.ALLOW or one.rule.monitor or other.rule.monitor:
            return False
        if other.rule.effect is Effect.ASK:
            return not one.rule.lifts and other.rule.id not in lifted
        return other.rule.effect in (Effect.DENY, Effect.RESPOND)

    for one, other in covered(ruled(policy, compiled), stops):
        name, wide, effect = one.rule.id, other.rule.id, other.rule.effect
        help_ = f"name `{wide}` in `lifts`" if effect is Effect.ASK else f"write the exception into `{wide}`"
        related = (Related(other.rule.where.span("id"), f"`{wide}` stands here"),)
        message = f"`{name}` allows nothing: `{wide}` {_STOPS[effect]} every call that it is about"
        yield Diagnostic("", message, one.rule.where.span("id"), help_, related=related)


_STOPS = {Effect.DENY: "refuses", Effect.RESPOND: "answers", Effect.ASK: "asks about"}
