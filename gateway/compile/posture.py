"""Posture: the settings that weaken protection, listed in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gateway.compile.names import governed
from gateway.decision import Effect
from gateway.diagnostic import Span
from gateway.policy import UnknownTools
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.policy import Policy, Rule


@dataclass(frozen=True, slots=True)
class Weakness:
    """A setting that weakens protection, and where it was written."""

    message: str
    span: Span | None


def posture(
    policy: Policy, tools: Mapping[str, Declared], available: tuple[str, ...]
) -> tuple[Weakness, ...]:
    """One sentence for each setting that is weaker than its default."""
    settings = policy.settings
    weak: list[Weakness] = []

    def setting(message: str, *keys: str) -> None:
        weak.append(Weakness(f"{message} (`{keys[0]}`)", settings.where.key_span(*keys)))

    def rule_says(message: str, rule: Rule, key: str) -> None:
        weak.append(Weakness(f"the rule `{rule.id}` {message} (`{key}`)", rule.where.span("id")))

    if settings.confirm_from > RiskLevel.LOW:
        setting(f"calls below risk {settings.confirm_from.value} are not confirmed", "confirm_from")
    if settings.given("packs"):
        off = [pack for pack in available if pack not in settings.packs]
        if off:
            setting(f"pattern packs are off: {', '.join(off)}", "packs")
    for name, on in settings.switches.items():
        if on:
            setting(f"the switch `{name}` is on", "switches", name)
    if settings.unknown_tools is UnknownTools.ABSTAIN:
        message = "tools that the catalogue lacks are left to the host (`unknown_tools: abstain`)"
        weak.append(Weakness(message, settings.where.key_span("unknown_tools")))
    if settings.monitor_until is not None:
        setting(f"rules and patterns are only watched until {settings.monitor_until}", "monitor_until")
    for rule in policy.rules:
        if rule.monitor:
            rule_says("is only watched", rule, "monitor")
    for rule in policy.rules:
        if rule.effect is Effect.ALLOW and rule.until is None and not rule.monitor:
            named = [name for name in governed(rule, tools) if tools[name].risk is RiskLevel.IRREVERSIBLE]
            if named:
                rule_says(f"grants {', '.join(f'`{name}`' for name in named)} for ever", rule, "until")
    return tuple(weak)
