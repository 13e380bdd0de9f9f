"""A condition that a large call can make too much work for.

What a condition may take is bounded, and one that runs out is an error: a deny or an ask then matches, an allow does
not. Long texts and long lists come from whoever writes the call, so that a rule which goes through one list for each
element of another refuses calls that nobody meant to refuse. This looks at the longest call that may well be honest,
one of half a million characters and ten thousand values, and at what the tool's schema says of it.

Bad, where ten thousand recipients are each compared with ten thousand others:

    tools:
      - name: mail_all
        risk: LOW
        permissions: []
        parameters:
          type: object
          required: [to, cc]
          properties:
            to: {type: array, items: {type: string}}
            cc: {type: array, items: {type: string}}
    rules:
      - {id: twice, tools: [mail_all], when: 'args.to.exists(a, args.cc.exists(b, a == b))', effect: deny}

Good:

    tools:
      - name: mail_all
        risk: LOW
        permissions: []
        parameters:
          type: object
          required: [to, cc]
          properties:
            to: {type: array, maxItems: 100, items: {type: string}}
            cc: {type: array, maxItems: 100, items: {type: string}}
    rules:
      - {id: twice, tools: [mail_all], when: 'args.to.exists(a, args.cc.exists(b, a == b))', effect: deny}

`sets.intersects(args.to, args.cc)` goes through each list once, and needs no limit. Where such a call is to be refused
anyway, write `# gateway: ignore[costly-condition] …` on the line of the condition, and why.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.cel import Environment, Parsed
    from gateway.cel.costs.bound import Limit
    from gateway.cel.costs.limiting import Place
    from gateway.cel.reads import Read
    from gateway.compile import Compiled
    from gateway.diagnostic import Span
    from gateway.plan import Condition, ToolPlan
    from gateway.policy import Policy

_CHARACTERS, _ITEMS = 500_000, 10_000
"""What the longest call that may well be honest holds."""
_OF_A_SESSION = 50_000, 1_000
"""What a host supplies is no attacker's."""


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each condition whose bound is above what one may take, once, with what would do."""
    from gateway.cel.budget import MAX_STEPS
    from gateway.cel.costs.bound import bound
    from gateway.cel.costs.plain import plain_steps
    from gateway.cel.reads import read_of

    seen: set[Span] = set()
    read: dict[int, Read] = {}
    cheap: set[tuple[int, Hashable]] = set()
    for name, tool in compiled.engine.tools.items():
        for condition in _conditions(tool):
            parsed, environment = condition.parsed, condition.environment
            plain = plain_steps(parsed)
            if plain is not None and not plain.characters:
                continue
            reads = read.get(id(parsed)) or read.setdefault(id(parsed), read_of((parsed,)))
            alike = (id(parsed), reads.alike(environment))
            if alike in cheap:
                continue
            known = _limits(condition)
            found = bound(parsed, environment, known)
            if found.steps <= MAX_STEPS:
                cheap.add(alike)
                continue
            span = _dearest(parsed, found.of, MAX_STEPS)
            if span not in seen:
                seen.add(span)
                yield Diagnostic(
                    "",
                    f"this may take {_about(found.steps)} steps for a call of `{name}`, and a condition may take "
                    f"{MAX_STEPS:,}",
                    span,
                    _help(parsed, environment, known, name),
                )


def _conditions(tool: ToolPlan) -> Iterator[Condition]:
    every = [tool.read_only_when]
    for parts in (tool.rules, tool.forced, tool.results):
        every += [part.when for part in parts] + [part.unless for part in parts]
    yield from (condition for condition in every if condition is not None)
    for entry in tool.forced:
        yield from (condition for _, condition in entry.values)


def _limits(condition: Condition) -> Mapping[str, Limit]:
    from gateway.steps.work import limits

    call = condition.reads & {"args", "roles", "result"}
    return {**limits(condition.reads - call, *_OF_A_SESSION), **limits(call, _CHARACTERS, _ITEMS)}


def _about(steps: float) -> str:
    """A number as people say it."""
    if steps >= 10**12:
        return "any number of"
    for unit, word in ((10**9, " thousand million"), (10**6, " million"), (10**3, " thousand")):
        if steps >= unit:
            return f"about {steps / unit:.3g}{word}"
    return str(int(steps))


def _dearest(parsed: Parsed, of: Mapping[int, float], most: int) -> Span:
    """The smallest part that alone is above the budget; where none is, what takes most."""
    from gateway.cel.syntax import Ident, Logic, Macro, children

    node = parsed.ast
    span = parsed.span(node) if node is not None else parsed.excerpt.span(0, 0)
    while node is not None:
        if isinstance(node, Ident) and node.name in parsed.lets:
            parsed = parsed.lets[node.name]
            node = parsed.ast
            continue
        span = parsed.span(node)
        below = (node.range,) if isinstance(node, Macro) else children(node)
        cost = {one: of.get(id(one), 0.0) for one in below}
        dear = [one for one in below if cost[one] > most]
        if not dear and isinstance(node, Logic):
            dear = [max(below, key=lambda one: cost[one])]
        node = dear[0] if dear else None
    return span


def _help(parsed: Parsed, environment: Environment, known: Mapping[str, Limit], tool: str) -> str:
    from gateway.cel.costs.limiting import enough, unlimited

    places = unlimited(parsed, environment)
    found = enough(parsed, environment, known, places)
    if found is None:
        return "go through each list once, and not once for each element of another; or split the condition"
    return f"give {_listed(found)} in the `parameters` of `{tool}`, or go through each list once"


def _listed(found: Mapping[Place, int]) -> str:
    return " and ".join(
        f"`{place.name}` a `{place.keyword}` such as {most:,}" for place, most in found.items()
    )
