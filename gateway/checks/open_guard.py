"""A condition that opens where a value is absent.

`!has(x) || …` is true where x is absent. In the `when` of a deny or ask rule that is careful: a call that leaves the
value out is stopped. In the `when` of an allow rule, and in the `unless` of a deny or ask rule, it is a hole: whoever
leaves the value out, be it the model or the host, gets the exception.

Bad, where leaving out `folder` allows every call:

    rules:
      - {id: own-folder, tools: [write_note], when: '!has(args.folder) || args.folder == "inbox"', effect: allow}

Good:

    rules:
      - {id: own-folder, tools: [write_note], when: 'has(args.folder) && args.folder == "inbox"', effect: allow}

An absent value that is meant to be harmless has a `default` in the tool's schema, and needs no guard at all.
Otherwise write `# gateway: ignore[open-guard] …` on the line of the condition, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.decision import Effect
from gateway.diagnostic import Diagnostic
from gateway.policy import Rule

if TYPE_CHECKING:
    from gateway.cel.syntax import Node
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each `!has(x)` beside `||` where being true loosens the policy."""
    from gateway.cel.syntax import Logic, LogicOperator

    for expression in expressions(policy):
        part = expression.part
        if not isinstance(part, Rule) or expression.key != _OPENS[part.effect]:
            continue
        for node in walk(expression.parsed):
            if not isinstance(node, Logic) or node.operator is not LogicOperator.OR:
                continue
            for term in node.terms:
                if _absent(term):
                    span = expression.parsed.span(term)
                    name = span.text.removeprefix("!").strip()
                    does = "allows the call" if part.effect is Effect.ALLOW else "makes the rule step aside"
                    yield Diagnostic(
                        "",
                        f"`{span.text}` {does} where the value is absent",
                        span,
                        f"write `{name} && …`, or give the argument a `default`",
                    )


_OPENS = {Effect.ALLOW: "when", Effect.DENY: "unless", Effect.ASK: "unless", Effect.RESPOND: "unless"}


def _absent(node: Node) -> bool:
    from gateway.cel.syntax import Has, Unary, UnaryOperator

    return isinstance(node, Unary) and node.operator is UnaryOperator.NOT and isinstance(node.operand, Has)
