"""A `lifts` that can't lift what it names.

An allow rule lifts the asks that its `lifts` names, for the calls that both are about. Naming a rule that has no
tool in common with it, or a deny rule, which nothing ever lifts, does nothing: the author believes in an exception
that is not there.

Bad:

    rules:
      - {id: new-payee, tools: [pay], effect: ask, message: Is the payee right?}
      - {id: staff, tools: [send_mail], when: args.internal, effect: allow, lifts: [new-payee]}

Good:

    rules:
      - {id: new-payee, tools: [pay], effect: ask, message: Is the payee right?}
      - {id: known-payee, tools: [pay], when: args.payee in lists.payees, effect: allow, lifts: [new-payee]}

Where a deny needs an exception, write it into the deny: `unless: …`. To keep a lift for tools that come later, write
`# lint: allow idle-lift` on its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic, Related
from gateway.glob import select_governed

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy, Rule


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each name in `lifts` that is a deny rule's, or of a rule without a tool in common."""
    rules = {rule.id: rule for rule in policy.rules}
    for rule in policy.rules:
        for index, name in enumerate(rule.lifts):
            lifted = rules.get(name)
            span = rule.where.span("lifts", index)
            if lifted is None:
                if not any(compiled.engine.tools[tool].inspected for tool in _tools(rule, compiled)):
                    message = f"`{name}` is a pattern, and no argument of these tools is inspected"
                    yield Diagnostic("", message, span, "add `inspect` to the tool, or remove the name")
                continue
            related = (Related(lifted.where.span("id"), f"`{name}` stands here"),)
            if lifted.effect is Effect.DENY:
                message = f"`{name}` is a deny rule, and a deny is never lifted"
                yield Diagnostic(
                    "", message, span, f"write the exception into `{name}` as `unless`", related=related
                )
            elif not _tools(rule, compiled) & _tools(lifted, compiled):
                message = f"`{rule.id}` and `{name}` have no tool in common, so nothing is lifted"
                yield Diagnostic("", message, span, "widen one of them, or remove the name", related=related)


def _tools(rule: Rule, compiled: Compiled) -> frozenset[str]:
    tools = compiled.engine.tools
    names = select_governed(rule.tools, tools)
    return (
        names if rule.risk is None else frozenset(name for name in names if rule.risk.holds(tools[name].risk))
    )
