"""An explanation as people read it: the answer, the rule with its values, every step, and the ways out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.codes import PAGES, Page
from gateway.decision import Code, Decision, Effect, Finding, Step, TraceEntry
from gateway.diagnostic import printable
from gatewayctl.condition import misfits, names, one_line, parts, with_values
from gatewayctl.decided import in_the_way
from gatewayctl.wording import EFFECT_INK, wrapped

if TYPE_CHECKING:
    from gateway.diagnostic import Ink
    from gateway.plan import RulePlan
    from gateway.runtime import Explanation
    from gatewayctl.decided import Background
    from gatewayctl.patterned import Ground

_WIDTH = 96
_LONGEST_ARGUMENTS = 400
_STEPS: Mapping[Step, str] = {
    Step.READY: "ready",
    Step.IDENTITY: "identity",
    Step.TOOL: "tool",
    Step.PERMISSIONS: "permissions",
    Step.ARGUMENTS: "arguments",
    Step.RESOURCE: "resource",
    Step.JOURNAL: "journal",
    Step.EVALUATION: "evaluation",
    Step.CONFIRMATION: "confirmation",
    Step.LIFTING: "lifting",
    Step.APPROVAL: "approval",
    Step.DRY_RUN: "dry run",
    Step.RESULT: "result",
    Step.ANSWER: "answer",
    Step.STATE: "state",
}
_STATE_INK = {
    "passed": "green",
    "refused": "red",
    "not reached": "dim",
    "held against": "red",
    "lifted": "cyan",
    "monitored": "yellow",
    "error": "red",
}
_SAYS = {
    Effect.ALLOW: "may run",
    Effect.ASK: "waits for a person",
    Effect.RESPOND: "is answered in the tool's place",
    Effect.DENY: "does not run",
}


def explanation_lines(explanation: Explanation, about: Background, ink: Ink) -> Iterator[str]:
    """Everything about one decision, most important first."""
    decision = explanation.decision
    effect = decision.effect.value
    head = f"{ink(EFFECT_INK[effect], effect.upper())}  {ink('bold', decision.code.value)}"
    yield f"{head}  `{printable(decision.tool)}` {_SAYS[decision.effect]}"
    yield from _why(decision, about, ink)
    if decision.message:
        yield from _section("The model is told", ink)
        yield from wrapped(printable(decision.message), _WIDTH, "  ")
    yield from _means(decision.code, _page(explanation, about), ink)
    if explanation.accepted:
        yield from _section("What would be answered less strictly", ink)
        for each in explanation.accepted:
            effect = each.effect.value
            yield f"  {printable(each.change)}: {ink(EFFECT_INK[effect], effect)} ({each.code.value})"
    in_way = in_the_way(explanation)
    if in_way:
        yield from _section("What stands in the way", ink)
        for rule, call, why in in_way:
            yield f"  rule `{rule}`: {printable(call)} is false: {printable(why)}"
    yield from _section("Step by step", ink)
    for entry in decision.trace:
        yield from _entry_lines(entry, ink)
    yield ""
    yield ink("dim", f"decision {decision.id}")


def page_lines(code: Code, ink: Ink) -> Iterator[str]:
    """What a code means, whether trying again helps, who can change it and what to do next."""
    return _means(code, PAGES[code], ink)


def _page(explanation: Explanation, about: Background) -> Page:
    """The code's page; where a rule or a pattern decides, with who can change that one."""
    page = PAGES[explanation.decision.code]
    ground = about.patterns.get(explanation.decision.rule or "")
    if ground is not None and explanation.decision.code is Code.PATTERN:
        return replace(page, who=_changes_pattern(ground))
    rule = about.rules.get(explanation.decision.rule or "")
    if rule is None or explanation.decision.effect is Effect.ALLOW:
        return page
    who = f"{rule.owner}, as owner of" if rule.owner else "Whoever maintains"
    following = f"Ask {rule.owner or 'them'} to change the rule, if the call should be possible."
    if explanation.accepted:
        following = f"Make one of the changes below. {following}"
    if explanation.decision.effect is Effect.ASK:
        following = "A person has to answer."
        page = replace(page, retry=PAGES[Code.CONFIRM].retry)
    if explanation.decision.code is not Code.RULE:
        return replace(page, who=f"{page.who} Also: {who} the rule `{rule.id}`.")
    return replace(page, who=f"{who} the rule `{rule.id}` ({rule.place}).", next=following)


def _changes_pattern(ground: Ground) -> str:
    """Who can have the call answered otherwise, and by which settings."""
    setting = f"`settings.patterns`{f' ({ground.set_at})' if ground.set_at else ''}"
    if ground.entries:
        return f"The policy's author: {', '.join(ground.entries)}."
    if ground.effect is Effect.ASK:
        rule = f"an `allow` rule whose `lifts` names `{ground.pattern}`"
        return f"The policy's author, by {rule}, in {setting}, or in `settings.packs`."
    return f"The policy's author, in {setting} or `settings.packs`; no rule lifts a deny."


def _pattern_lines(finding: Finding, ground: Ground) -> Iterator[str]:
    yield f"  {'pattern:':13} `{ground.pattern}` ({finding.effect.value})"
    if ground.set_at:
        changed = f"shipped as {ground.shipped.value}, set to {ground.effect.value}"
        yield f"  {'':13} {changed} by `settings.patterns` at {ground.set_at}"
    yield from (f"  {'':13} because of {printable(entry)}" for entry in ground.entries)


def _means(code: Code, page: Page, ink: Ink) -> Iterator[str]:
    yield from _section(f"What {code.value} means", ink)
    yield from wrapped(page.meaning, _WIDTH, "  ")
    for label, text in (
        ("try again?", page.retry or "There is nothing to try again."),
        ("who can change it", page.who),
        ("what next", page.next),
    ):
        first, *more = wrapped(text, _WIDTH - 22, "")
        yield f"  {ink('bold', f'{label}:'.ljust(20))}{first}"
        yield from (f"  {'':20}{line}" for line in more)


def _why(decision: Decision, about: Background, ink: Ink) -> Iterator[str]:
    """What the answer rests on; for a rule, where it stands, whose it is, and the values that it read."""
    rules = about.rules
    yield from _section("Why", ink)
    yield from wrapped(printable(decision.detail), _WIDTH, "  ")
    if decision.shown is not None:
        shown = printable(json.dumps(decision.shown, ensure_ascii=False, default=str))
        yield f"  {'arguments:':13} {shown if len(shown) <= _LONGEST_ARGUMENTS else shown[:_LONGEST_ARGUMENTS] + '…'}"
    for what, place in about.places.items():
        yield f"  {f'{what} at:':13} {place}"
    for finding in decision.findings:
        ground = about.patterns.get(finding.rule or "")
        if ground is not None and finding.code is Code.PATTERN:
            yield from _pattern_lines(finding, ground)
        elif finding.rule is not None and finding.rule not in rules:
            yield f"  {f'{finding.code.value.lower()}:':13} `{finding.rule}` ({finding.effect.value})"
    lifted = [entry for entry in decision.trace if entry.state == "lifted"]
    for entry in lifted:
        yield f"  {'lifted:':13} {printable(entry.text)}"
    for finding in decision.monitored:
        yield f"  {'only watched:':13} {printable(finding.reason)}"
    for demand in (decision.approval or {}).get("demands", ()):
        by = " or ".join(f"`{role}`" for role in demand.get("by", ())) or "anybody who is asked"
        yield f"  {'answered by:':13} {by}{', but not who asks' if demand.get('not_self') else ''}"
    entries = {entry.rule: entry for entry in decision.trace if entry.rule in rules and entry.observed}
    matched = [finding.rule for finding in decision.findings if finding.rule is not None]
    granted = [entry.rule for entry in decision.trace if entry.step is Step.LIFTING and entry.rule in rules]
    for name in dict.fromkeys(([decision.rule] if decision.rule else []) + matched + granted):
        rule = rules.get(name or "")
        if rule is None:
            continue
        yield f"  {ink('bold', f'rule `{rule.id}`')} ({rule.effect.value}{_part(rule, decision, lifted)})"
        yield f"    stands at:  {rule.place}"
        yield f"    owner:      {rule.owner or 'not named in the rule'}"
        if rule.reason:
            yield f"    reason:     {printable(rule.reason)}"
        yield from _condition_lines(rule, entries.get(name), ink)


def _part(rule: RulePlan, decision: Decision, lifted: Sequence[TraceEntry]) -> str:
    """What a rule that holds has to do with the answer, where it is not the one that decides."""
    if rule.id == decision.rule:
        return ""
    if rule.effect is not Effect.ALLOW:
        return f", did not decide: the {decision.effect.value} is as strict or stricter"
    if decision.proceeds:
        return ""
    taken = [entry.rule or "CONFIRM" for entry in lifted if entry.rule is None or entry.rule in rule.lifts]
    what = " and ".join(f"`{name}`" for name in dict.fromkeys(taken))
    return f", lifted {what}, but not what decides" if taken else ", lifted nothing of what decides"


def _condition_lines(rule: RulePlan, entry: TraceEntry | None, ink: Ink) -> Iterator[str]:
    observed = entry.observed if entry is not None else ()
    texts = {
        label: one_line(condition.parsed.excerpt.text)
        for label, condition in (("when", rule.when), ("unless", rule.unless))
        if condition is not None
    }
    for label, text in texts.items():
        yield f"    {f'{label}:':11} {printable(text)}"
        yield f"    {'read as:':11} {ink('cyan', printable(with_values(text, observed)))}"
    if not texts:
        yield f"    {'when:':11} always: the rule has no condition"
    elsewhere = {
        name: value for name, value in names(observed).items() if not any(name in t for t in texts.values())
    }
    for text, value in {**elsewhere, **parts(observed)}.items():
        if text not in texts.values():
            yield f"      {printable(text)}  {ink('cyan', f'is {printable(value)}')}"


def _entry_lines(entry: TraceEntry, ink: Ink) -> Iterator[str]:
    state = ink(_STATE_INK[entry.state], entry.state.ljust(12))
    name = f"{entry.step.value:>3}  {_STEPS[entry.step]:12}"
    rule = f"rule `{entry.rule}`: " if entry.rule and f"`{entry.rule}`" not in entry.text else ""
    if entry.state == "not reached":
        yield f"{name}  {ink('dim', entry.state)}"
        return
    yield f"{name}  {state}  {printable(f'{rule}{entry.text}')}"
    values = ", ".join(f"{name} = {value}" for name, value in names(entry.observed).items())
    if values:
        yield f"{'':33}{ink('dim', printable(values))}"
    for call, why in misfits(entry.observed).items():
        yield f"{'':33}{ink('dim', printable(f'{call} is false: {why}'))}"


def _section(title: str, ink: Ink) -> Iterator[str]:
    yield ""
    yield ink("bold", title)
