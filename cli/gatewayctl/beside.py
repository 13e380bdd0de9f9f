"""Tools as declared and as in effect for a tenant, side by side, as people and scripts read them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gateway.risk import RiskLevel
from gatewayctl.output import ink_for, say
from gatewayctl.wording import columns, counted

if TYPE_CHECKING:
    from gateway.effective import EffectiveTool


def beside_json(tool: EffectiveTool) -> dict[str, Any]:
    """A tool for scripts; `overridden` names the keys that differ."""
    return {
        "name": tool.name,
        "declared": tool.declared,
        "effective": tool.effective,
        "overridden": sorted(key for key in tool.declared if tool.declared[key] != tool.effective[key]),
        "overrides": [
            {
                "place": plan.place,
                "until": plan.until.text if plan.until is not None else None,
                "reason": plan.reason or None,
                "confirmed_by": plan.confirmed_by or None,
            }
            for plan in tool.overrides
        ],
    }


def say_beside(tenant: str, tools: Sequence[EffectiveTool]) -> None:
    """A line a tool as it is in effect, with `*` at what is declared otherwise, and below it what, where and why."""
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    head, *rows = columns([("tool", "risk", "enabled", "permissions"), *map(_effective_row, tools)])
    say(ink("bold", "  ".join(head)))
    for row, tool in zip(rows, tools, strict=True):
        say(printable("  ".join(row)))
        for key, before in tool.declared.items():
            if before != tool.effective[key]:
                said = f"{key}: {_value(before)} -> {_value(tool.effective[key])}{_shown_only(key, tool)}"
                say(f"  {ink('yellow', printable(said))}")
        for plan in tool.overrides:
            known = {"until": plan.until.text if plan.until else "", "because": plan.reason}
            known["confirmed by"] = plan.confirmed_by
            about = "".join(f", {what} {text}" for what, text in known.items() if text)
            say(ink("dim", printable(f"    by {plan.place}{about}")))
    changed = sum(tool.declared != tool.effective for tool in tools)
    star = "; * is declared otherwise" if changed else ""
    say()
    say(f"{counted(len(tools), 'tool')}, {changed} overridden for the tenant `{printable(tenant)}`{star}")


def _shown_only(key: str, tool: EffectiveTool) -> str:
    """A lowered risk is a label: decisions read the declared one."""
    lowered = key == "risk" and RiskLevel(tool.effective[key]) < RiskLevel(tool.declared[key])
    return " (only shown; decisions read what is declared)" if lowered else ""


def _effective_row(tool: EffectiveTool) -> tuple[str, ...]:
    cells = {key: _value(tool.effective[key]) for key in ("risk", "enabled", "permissions")}
    stars = ("*" if tool.declared[key] != tool.effective[key] else "" for key in cells)
    return (tool.name, *(f"{cell}{star}" for cell, star in zip(cells.values(), stars, strict=True)))


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "(none)"
    return value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
