"""A condition that every call meets.

`x >= 1 || x < 10` is true whatever `x` is, and so is a list of all the values that a schema allows. A deny or an ask
with such a condition is one for every call, and an allow grants every call: that is either a mistake, or said better
by a rule without a condition.

Bad, where each amount is one or the other:

    rules:
      - {id: odd, tools: [pay], when: args.amount > 100 || args.amount < 1000, effect: ask, message: Is it right?}

Good:

    rules:
      - {id: odd, tools: [pay], when: args.amount > 100 && args.amount < 1000, effect: ask, message: Is it right?}

A condition that may fail is left out.

To keep it for a schema that is still to come, write `# gateway: ignore[certain-condition] …` on the line of the
condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.held import held
from gateway.diagnostic import Confidence, Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each part whose condition is false in no case."""
    for one in held(policy, compiled):
        found = one.opposite
        if found and one.never(found) is not None and not one.may_fail:
            yield Diagnostic(
                "",
                f"the condition of `{one.part.id}` holds for every call",
                one.place,
                "correct it, or leave it out",
            )
