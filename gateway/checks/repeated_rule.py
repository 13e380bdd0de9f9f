"""A rule that says what another one says already.

Two rules with the same effect, for the same tools and sessions, and with the same condition, however it is written:
one was copied and never changed, or two people had one idea. When one of them is loosened, the other still holds.

Bad:

    rules:
      - {id: large, tools: [pay], when: args.amount > 1000, effect: deny, message: Too much.}
      - {id: vast, tools: [pay], when: '!(1000 >= args.amount)', effect: deny, message: Too much.}

Good:

    rules:
      - {id: large, tools: [pay], when: args.amount > 1000, effect: deny, message: Too much.}

To keep both, write `# gateway: ignore[repeated-rule] …` on the line of the later id.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.covering import NEAR, Ruled, ruled, same, width
from gateway.diagnostic import Confidence, Diagnostic, Related

if TYPE_CHECKING:
    from collections.abc import Hashable

    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each rule that was there before, under another id."""
    first: dict[Hashable, list[Ruled]] = {}
    lifted: dict[str, frozenset[str]] = {}
    for rule in policy.rules:
        for name in rule.lifts:
            lifted[name] = lifted.get(name, frozenset()) | {rule.id}
    for one in ruled(policy, compiled):
        said = frozenset((name, says.among) for case in one.cases for name, says in case.items())
        known = first.setdefault((one.rule.effect, one.tools, said, lifted.get(one.rule.id)), [])
        at = bisect_right(known, width(one), key=width)
        # Rules that say the same have much the same bounds; of very many, only those are compared.
        near = known if len(known) <= 2 * NEAR else known[max(at - NEAR, 0) : at + NEAR]
        before = min(
            (other for other in near if same(one, other)), key=lambda other: other.place, default=None
        )
        if before is None:
            known.insert(at, one)
            continue
        name, other = one.rule.id, before.rule.id
        related = (Related(before.rule.where.span("id"), f"`{other}` stands here"),)
        message = f"`{name}` says the same as `{other}`"
        yield Diagnostic("", message, one.rule.where.span("id"), "remove one of them", related=related)
