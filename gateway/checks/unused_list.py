"""A named list that no condition reads.

A list exists to be read as `lists.NAME`. One that nobody reads is left over from a rule that went away, or the rule
that should read it has its values written out, and the two will differ one day.

Bad:

    lists: {staff_domains: ["@acme.com"]}
    rules:
      - {id: staff-mail, tools: [send_mail], when: 'args.to.endsWith("@acme.com")', effect: allow}

Good:

    lists: {staff_domains: ["@acme.com"]}
    rules:
      - {id: staff-mail, tools: [send_mail], when: "lists.staff_domains.exists(d, args.to.endsWith(d))", effect: allow}

To keep a list for later, write `# gateway: ignore[unused-list] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.checks.removal import removed
from gateway.diagnostic import Confidence, Diagnostic

if TYPE_CHECKING:
    from gateway.cel.syntax import Node
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each list that is never read; a condition that reads `lists` as a whole reads all of them."""
    from gateway.cel.syntax import Has, Select

    read: set[str] = set()
    for expression in expressions(policy):
        named = 0
        mentioned = 0
        for node in walk(expression.parsed):
            if _is_lists(node):
                mentioned += 1
            elif isinstance(node, Select | Has) and _is_lists(node.operand):
                named += 1
                read.add(node.field)
        if mentioned > named:
            return
    for name, values in policy.lists.items():
        if name not in read:
            yield Diagnostic(
                "",
                f"no condition reads the list `{name}`",
                values.where.key_span(),
                f"read it as `lists.{name}`, or remove it",
                edits=removed(values.where.document, values.where.path),
            )


def _is_lists(node: Node) -> bool:
    from gateway.cel.syntax import Ident

    return isinstance(node, Ident) and node.name == "lists"
