"""Posture: the settings that weaken protection, listed in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gateway.compile.names import governed
from gateway.decision import Effect
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.policy import Policy


def posture(policy: Policy, tools: Mapping[str, Declared], available: tuple[str, ...]) -> tuple[str, ...]:
    """One sentence for each setting that is weaker than its default."""
    settings = policy.settings
    weak: list[str] = []
    if settings.confirm_from > RiskLevel.LOW:
        weak.append(f"calls below risk {settings.confirm_from.value} are not confirmed (`confirm_from`)")
    if settings.given("packs"):
        off = [pack for pack in available if pack not in settings.packs]
        if off:
            weak.append(f"pattern packs are off: {', '.join(off)} (`packs`)")
    weak.extend(f"the switch `{name}` is on (`switches`)" for name, on in settings.switches.items() if on)
    if settings.unknown_tools.value == "abstain":
        weak.append("tools that the catalogue lacks are left to the host (`unknown_tools: abstain`)")
    if settings.monitor_until is not None:
        weak.append(f"rules and patterns are only watched until {settings.monitor_until} (`monitor_until`)")
    weak.extend(f"the rule `{rule.id}` is only watched (`monitor`)" for rule in policy.rules if rule.monitor)
    for rule in policy.rules:
        if rule.effect is Effect.ALLOW and rule.until is None and not rule.monitor:
            named = [name for name in governed(rule, tools) if tools[name].risk is RiskLevel.IRREVERSIBLE]
            if named:
                weak.append(
                    f"the rule `{rule.id}` grants {', '.join(f'`{n}`' for n in named)} for ever (`until`)"
                )
    return tuple(weak)
