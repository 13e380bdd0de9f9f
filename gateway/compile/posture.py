"""Posture: what of a policy is weaker than its strict form, in one list for manifest, linter and `diff`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.compile.names import governed
from gateway.decision import Effect
from gateway.relaxation import Change, Kind, compare
from gateway.relaxation.pictures import rule_values, settings_values
from gateway.relaxation.settings import DEFAULTS
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.diagnostic import Span
    from gateway.policy import Policy, Rule


_AN_END = "0001-01-01"
"""Any day: what has no end at all is compared with it."""


@dataclass(frozen=True, slots=True)
class Weakness:
    """Something that weakens protection: a sentence, and where it is written."""

    message: str
    span: Span


def posture(policy: Policy, tools: Mapping[str, Declared]) -> tuple[Weakness, ...]:
    """Each setting that is weaker than its default, each rule that is only watched, each grant without an end."""
    settings = policy.settings
    found = [
        Weakness(change.meaning, settings.where.key_span(*change.item.split(".", 2)[1:]))
        for change in compare(Kind.SETTINGS, "settings", DEFAULTS, settings_values(settings))
        if change.relaxed
    ]
    weak = [(change, rule) for rule in policy.rules for change in _weakened(rule, tools)]
    weak.sort(key=lambda found: found[0].item.endswith(".until"))
    return (*found, *(Weakness(change.meaning, rule.where.span("id")) for change, rule in weak))


def _weakened(rule: Rule, tools: Mapping[str, Declared]) -> Iterator[Change]:
    """What a rule would be if it were enforced, and if it ended, against what it is."""
    if not rule.monitor and (rule.effect is not Effect.ALLOW or rule.until is not None):
        return
    about = governed(rule, tools)
    worst = [name for name in about if tools[name].risk is RiskLevel.IRREVERSIBLE]
    given = rule_values(rule, about, (), {}, irreversible=worst)
    strict = {**given, "monitor": None, "until": _AN_END if worst and not rule.monitor else None}
    yield from (change for change in compare(Kind.RULE, f"rules.{rule.id}", strict, given) if change.relaxed)
