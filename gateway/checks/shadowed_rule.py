"""A rule that decides nothing, because another one holds whenever it does and is as strict.

A deny for every payment above 100 leaves nothing to an ask for those above 1000, and nothing to a deny for those of
one payee among them. The order of rules plays no part, so it is not that one of them comes first: the narrower one has
no effect at all. Mostly the wider one was written later, or one of the two was meant for other calls.

Bad:

    rules:
      - {id: large, tools: [pay], when: args.amount > 1000, effect: ask, message: Is it right?}
      - {id: some, tools: [pay], when: args.amount > 100, effect: deny, message: Too much.}

Good:

    rules:
      - {id: some, tools: [pay], when: args.amount > 100, effect: ask, message: Is it right?}
      - {id: large, tools: [pay], when: args.amount > 1000, effect: deny, message: Too much.}

Rules that are only watched (`monitor: true`) neither cover others nor are covered. Where a rule stays for its own
message, write `# gateway: ignore[shadowed-rule] …` on the line of its id.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.covering import covered, demands, ruled
from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic, Related

if TYPE_CHECKING:
    from gateway.checks.covering import Ruled
    from gateway.compile import Compiled
    from gateway.policy import Policy, Rule

CONFIDENCE = Confidence.CERTAIN
_STRICT = {Effect.ALLOW: 0, Effect.ASK: 1, Effect.RESPOND: 2, Effect.DENY: 3}


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each rule whose every match another one that is as strict holds for, too."""
    lifting: dict[str, set[str]] = {}
    for rule in policy.rules:
        for name in rule.lifts:
            lifting.setdefault(name, set()).add(rule.id)

    def leaves_nothing(one: Ruled, other: Ruled) -> bool:
        """What lifts the wider one has to lift the narrower one, or that remains where the other is lifted."""
        lifted = lifting.get(other.rule.id, _NOBODY) - lifting.get(one.rule.id, _NOBODY)
        return _as_strict(one.rule, other.rule) and (not lifted or other.rule.effect is not Effect.ASK)

    for one, other in covered(ruled(policy, compiled), leaves_nothing):
        name, wide = one.rule.id, other.rule.id
        message = f"`{name}` decides nothing: {_DOES[one.rule.effect].format(wide=wide)}"
        related = (Related(other.rule.where.span("id"), f"`{wide}` stands here"),)
        help_ = "remove it, or correct the one that was meant for other calls"
        yield Diagnostic("", message, one.rule.where.span("id"), help_, related=related)


_NOBODY: frozenset[str] = frozenset()
_DOES = {
    Effect.ALLOW: "`{wide}` allows every call that it allows, and lifts as much",
    Effect.ASK: "`{wide}` holds against every call that it asks about",
    Effect.RESPOND: "`{wide}` refuses every call that it answers",
    Effect.DENY: "`{wide}` refuses every call that it refuses",
}


def _as_strict(rule: Rule, other: Rule) -> bool:
    """Whether another rule leaves nothing to a rule, where both hold."""
    if rule.monitor or other.monitor or other.until is not None or rule.context not in (None, other.context):
        return False
    if rule.effect is Effect.ALLOW or other.effect is Effect.ALLOW:
        return rule.effect is other.effect and set(rule.lifts) <= set(other.lifts)
    if rule.effect is not other.effect:
        return _STRICT[other.effect] > _STRICT[rule.effect]
    if rule.effect is Effect.RESPOND:
        return bool(rule.response == other.response)
    return rule.effect is Effect.DENY or demands(rule) in (None, demands(other))
