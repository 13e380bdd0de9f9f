"""The CEL expressions of a policy, as checks look at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.cel.syntax import Node, Parsed
    from gateway.policy import Part, Policy


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression, the part of the policy that it stands in, and its key there."""

    part: Part
    key: str
    parsed: Parsed


_latest: list[tuple[Policy, tuple[Expression, ...]]] = []
"""What was read last: many checks ask for the expressions of one policy."""


def expressions(policy: Policy) -> tuple[Expression, ...]:
    """Every expression of a policy; those of `let` come under that key."""
    for known, found in tuple(_latest):
        if known is policy:
            return found
    found = tuple(_expressions(policy))
    _latest[:] = [(policy, found)]
    return found


def _expressions(policy: Policy) -> Iterator[Expression]:
    from gateway.cel import parse

    for part in (*policy.arguments, *policy.rules, *policy.limits, *policy.results):
        for name in part.let:
            yield Expression(part, "let", parse(part.where.excerpt("let", name)))
        for key in ("when", "unless"):
            if getattr(part, key) is not None:
                yield Expression(part, key, parse(part.where.excerpt(key)))
    for entry in policy.arguments:
        for name in entry.set:
            yield Expression(entry, "set", parse(entry.where.excerpt("set", name)))
    for limit in policy.limits:
        if limit.per is not None and limit.per.cel is not None:
            yield Expression(limit, "per", parse(limit.where.excerpt("per", "cel")))
        for key in ("amount", "currency"):
            if getattr(limit, key) is not None:
                yield Expression(limit, key, parse(limit.where.excerpt(key)))
    for one in policy.invariants:
        yield Expression(one, "always", parse(one.where.excerpt("always")))
    for tool in (*policy.tools, *policy.defaults):
        if tool.read_only_when is not None:
            yield Expression(tool, "read_only_when", parse(tool.where.excerpt("read_only_when")))


def walk(parsed: Parsed) -> Iterator[Node]:
    """Every node of an expression."""
    from gateway.cel.syntax import children

    pending = [] if parsed.ast is None else [parsed.ast]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(children(node))
