"""An allow that takes back more confirmations than it seems to.

Each allow rule that holds takes back the confirmation of its call, beside the asks that `lifts` names. One that is made
for one ask and written for every tool takes back the confirmations of all the others as well. One whose condition
looks only at who is calling takes them back for all that a tool of high risk can be called with.

Bad, where mail and payments go through unasked as well:

    rules:
      - {id: notes, tools: [write_note], effect: ask, message: Write it?}
      - {id: inside, tools: ["*"], when: session.channel == "internal", effect: allow, lifts: [notes]}

Good:

    rules:
      - {id: notes, tools: [write_note], effect: ask, message: Write it?}
      - {id: inside, tools: [write_note], when: session.channel == "internal", effect: allow, lifts: [notes]}

Grants that end (`until`) are left out, and so is what can't be undone, which has a check of its own. Where it is meant,
write `# gateway: ignore[broad-allow] …` on the line of the id, and why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gateway.compile.names import governed
from gateway.decision import Effect
from gateway.diagnostic import Diagnostic, Related
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy, Rule

_OF_THE_CALL = frozenset({"args", "roles", "inspect", "call", "tool"})


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each allow with `lifts` for other tools that are confirmed, and each that looks at nothing in a risky call."""
    rules = {rule.id: rule for rule in policy.rules}
    for rule in policy.rules:
        if rule.effect is not Effect.ALLOW or rule.monitor or rule.until is not None:
            continue
        about = [name for name in governed(rule, compiled.declared) if _confirmed(name, compiled)]
        lifted = [rules[name] for name in rule.lifts if name in rules]
        if lifted and len(lifted) == len(rule.lifts):
            meant = frozenset(name for one in lifted for name in governed(one, compiled.declared))
            related = tuple(Related(one.where.span("id"), f"`{one.id}` stands here") for one in lifted)
            beyond = [name for name in about if name not in meant]
            if beyond and meant & frozenset(governed(rule, compiled.declared)):
                message = f"`{rule.id}` also takes back the confirmation of {_listed(beyond)}: it lifts nothing there"
                help_ = "narrow `tools` to those of what it lifts"
                yield Diagnostic("", message, rule.where.span("id"), help_, related=related)
                continue
        risky = [name for name in about if compiled.declared[name].risk is RiskLevel.HIGH]
        if risky and not lifted and _looks_away(rule, risky, compiled):
            yield Diagnostic(
                "",
                f"`{rule.id}` takes back the confirmation of {_listed(risky)} whatever the arguments are",
                rule.where.span("id"),
                "say in `when` which calls are harmless, or add `until`",
            )


def _confirmed(name: str, compiled: Compiled) -> bool:
    return compiled.engine.tools[name].risk >= compiled.engine.confirm_from


def _looks_away(rule: Rule, tools: Iterable[str], compiled: Compiled) -> bool:
    """Whether a rule has a condition that reads nothing of the call; without one, that is a check of its own."""
    if rule.when is None and rule.unless is None:
        return False
    plans = [plan for name in tools for plan in compiled.engine.tools[name].rules if plan.id == rule.id]
    return bool(plans) and not any(
        condition.reads & _OF_THE_CALL
        for plan in plans
        for condition in (plan.when, plan.unless)
        if condition is not None
    )


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} others"
