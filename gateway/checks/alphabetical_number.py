"""A text with a number in it that is compared by the alphabet.

`<`, `<=`, `>` and `>=` order texts by their characters, so `"1000.00" < "250.00"` is true. Amounts of money are often
texts, because a number in JSON can't hold every cent.

Bad, where a price of 1000.00 passes for less than 250.00:

    rules:
      - {id: small, tools: [send_mail], when: 'args.to < "250.00"', effect: allow}

Good:

    rules:
      - {id: small, tools: [send_mail], when: 'decimal(args.to) < decimal("250.00")', effect: allow}

Where all of the texts have the same length, as years have, write `# gateway: ignore[alphabetical-number] …` on the
line of the condition, and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_ORDERS = ("<", "<=", ">", ">=")
_NUMBER = re.compile(r"-?[0-9]+([.,][0-9]+)*")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each order of something and a constant text that reads as a number."""
    from gateway.cel.syntax import Binary, Literal

    for expression in expressions(policy):
        parsed = expression.parsed
        for node in walk(parsed):
            if not isinstance(node, Binary) or node.operator.value not in _ORDERS:
                continue
            sides = (node.left, node.right)
            if any(isinstance(one, Literal) and _is_number(one.value) for one in sides):
                left, right = (parsed.span(one).text for one in sides)
                yield Diagnostic(
                    "",
                    f"`{node.operator.value}` goes by the alphabet here, where `1000` is less than `250`",
                    parsed.span(node),
                    f"write `decimal({left}) {node.operator.value} decimal({right})`",
                )


def _is_number(value: object) -> bool:
    return isinstance(value, str) and _NUMBER.fullmatch(value) is not None
