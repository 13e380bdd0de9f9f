"""A condition that nothing ever meets, because what it asks for contradicts itself or what is declared.

Comparisons with a value that a schema does not know are errors. What only the comparisons together rule out is not: a
range that is empty, two values at once, an `unless` that takes away all that `when` gives, a list of all there is
behind a `!`. Such a deny refuses nothing, such an allow grants nothing, and the author believes in it.

Bad, where no amount is both:

    rules:
      - {id: odd, tools: [pay], when: args.amount > 1000 && args.amount < 100, effect: deny, message: Too much.}

Good:

    rules:
      - {id: odd, tools: [pay], when: args.amount > 1000 || args.amount < 100, effect: deny, message: Too much.}

A condition that may fail is left out where an error counts as met, which is everywhere but in allow rules.

To keep it for a schema that is still to come, write `# gateway: ignore[impossible-condition] …` on the line of the
condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.held import held
from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic, shortened
from gateway.policy import Rule

if TYPE_CHECKING:
    from gateway.checks.cases import Says
    from gateway.compile import Compiled
    from gateway.policy import Condition, Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each part whose every case contradicts itself; what folding proves is told when the policy is loaded."""
    for one in held(policy, compiled):
        found = one.cases
        if found and (why := one.never(found)) is not None and (_is_allow(one.part) or not one.may_fail):
            yield Diagnostic(
                "",
                f"the condition of `{one.part.id}` never holds: {_because(*why)}",
                one.place,
                "correct it, or remove what nothing meets",
            )


def _is_allow(part: Condition) -> bool:
    """Whether a call for which the condition is an error is not met."""
    return isinstance(part, Rule) and part.effect is Effect.ALLOW


def _because(name: str, says: Says) -> str:
    terms = [f"`{shortened(term)}`" for term in says.terms]
    if says.among == frozenset() and len(terms) == 1:
        return f"{terms[0]} asks for one of none"
    if len(terms) == 1:
        return f"{terms[0]} is nothing that `{shortened(name)}` can be"
    if len(terms) > 3:
        return f"no value of `{shortened(name)}` is all that it asks for"
    return f"{', '.join(terms[:-1])} and {terms[-1]} are never all true at once"
