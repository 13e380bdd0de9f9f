"""A `lifts` that can't lift what it names.

An allow rule lifts the asks that its `lifts` names, for the calls that both are about. Naming a rule that has no
tool in common with it, or a rule or a pattern that denies, which nothing ever lifts, does nothing: the author believes
in an exception that is not there.

Bad:

    rules:
      - {id: new-payee, tools: [pay], effect: ask, message: Is the payee right?}
      - {id: staff, tools: [send_mail], when: args.internal, effect: allow, lifts: [new-payee]}

Good:

    rules:
      - {id: new-payee, tools: [pay], effect: ask, message: Is the payee right?}
      - {id: known-payee, tools: [pay], when: args.payee in lists.payees, effect: allow, lifts: [new-payee]}

Where a deny needs an exception, write it into the deny: `unless: …`. A pattern that denies can be given `ask` in
`settings.patterns`, which is then lifted where that is meant. To keep a lift for tools that come later, write
`# gateway: ignore[idle-lift] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic, Related
from gateway.glob import select_governed
from gateway.inspect.found_in import found_in

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.inspect.pattern import Pattern
    from gateway.policy import Policy, Rule

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each name in `lifts` of what denies, or of a rule without a tool in common."""
    rules = {rule.id: rule for rule in policy.rules}
    patterns = {pattern.id: pattern for pattern in compiled.patterns}
    for rule in policy.rules:
        for index, name in enumerate(rule.lifts):
            lifted = rules.get(name)
            span = rule.where.span("lifts", index)
            if lifted is None:
                if (wrong := _wrong_pattern(patterns[name], _tools(rule, compiled), compiled)) is not None:
                    yield Diagnostic("", wrong[0], span, wrong[1])
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


def _wrong_pattern(pattern: Pattern, tools: Iterable[str], compiled: Compiled) -> tuple[str, str] | None:
    """Why nothing lifts a pattern, and what to do about it."""
    name = pattern.id
    if pattern.effect is Effect.DENY:
        help_ = f"write `{name}: ask` in `settings.patterns`, or remove the name"
        return f"`{name}` is a pattern that denies, and a deny is never lifted", help_
    kinds = {one.kind.partition(" ")[0] for tool in tools for one in compiled.engine.tools[tool].inspected}
    if not kinds:
        return (
            f"`{name}` is a pattern, and no argument of these tools is inspected",
            "add `inspect` to the tool, or remove the name",
        )
    found = sorted(kind.value for kind in found_in(pattern))
    if kinds.isdisjoint(found):
        named = ", ".join(f"`{kind}`" for kind in found)
        return f"`{name}` is found only in what is inspected as {named}", "remove the name"
    return None


def _tools(rule: Rule, compiled: Compiled) -> frozenset[str]:
    tools = compiled.engine.tools
    names = select_governed(rule.tools, tools)
    return (
        names if rule.risk is None else frozenset(name for name in names if rule.risk.holds(tools[name].risk))
    )
