"""A rule that holds a regular expression against an argument, and no example that shows what it is for.

A pattern reads as what it was meant to be. `[^acme.com]` looks like a host and is a set of letters. Calls under
`examples` are tried at each load: one that must match, and one that must not, tell what it is.

Bad:

    rules:
      - {id: own-mail, tools: [send_mail], unless: 'args.to.matches("^[a-z]+@acme[.]com$")', effect: deny}

Good:

    rules:
      - id: own-mail
        tools: [send_mail]
        unless: args.to.matches("^[a-z.]+@acme[.]com$")
        effect: deny
        message: Ours only.
        examples:
          match: [{args: {to: eve@acme.com.example, internal: false}}]
          no_match: [{args: {to: ann@acme.com, internal: true}}]

Both kinds are asked for. A pattern without special signs other than `^` and `$` needs none. Where a test holds it,
write `# gateway: ignore[unproved-pattern] …` on the line of the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.diagnostic import Diagnostic, Severity
from gateway.policy import Rule

if TYPE_CHECKING:
    from gateway.cel.syntax import Node
    from gateway.compile import Compiled
    from gateway.policy import Policy

SEVERITY = Severity.NOTE
_PLAIN = re.compile(r"\^?(?:[\w@/:=, -]|\\[.]|\[[.]\])*\$?")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each rule with such a pattern, at the first of them."""
    seen: set[str] = set()
    for expression in expressions(policy):
        rule = expression.part
        if not isinstance(rule, Rule) or rule.id in seen:
            continue
        lacks = _lacks(rule)
        for node in walk(expression.parsed) if lacks else ():
            pattern = _pattern(node)
            if pattern is not None:
                seen.add(rule.id)
                yield Diagnostic(
                    "",
                    f"the rule `{rule.id}` depends on a pattern, and no example shows what it {lacks}",
                    expression.parsed.span(pattern),
                    "add `examples` with a call under `match` and one under `no_match`",
                )
                break


def _lacks(rule: Rule) -> str:
    examples = rule.examples
    if examples is None:
        return "matches and what not"
    if not examples.match:
        return "matches"
    return "" if examples.no_match else "leaves alone"


def _pattern(node: Node) -> Node | None:
    from gateway.cel.syntax import Call, Literal

    if isinstance(node, Call) and node.name == "matches" and node.arguments:
        last = node.arguments[-1]
        if isinstance(last, Literal) and isinstance(last.value, str) and _PLAIN.fullmatch(last.value) is None:
            return last
    return None
