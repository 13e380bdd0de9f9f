"""What compiling rules and forced arguments comes to, by tool, and what is missing for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic
from gateway.glob import select_governed
from gateway.plan import ForcedPlan, RulePlan

if TYPE_CHECKING:
    from gateway.compile.declared import Declared
    from gateway.policy import Condition as Part


@dataclass(slots=True)
class Planned:
    """Rules and forced arguments by tool, and what keeps the policy from being ready or complete."""

    rules: dict[str, list[RulePlan]] = field(default_factory=dict)
    forced: dict[str, list[ForcedPlan]] = field(default_factory=dict)
    unready: list[Diagnostic] = field(default_factory=list)
    not_in_force: list[Diagnostic] = field(default_factory=list)


def selects_nothing(part: Part, tools: Mapping[str, Declared], planned: Planned) -> None:
    """Its patterns match tools, but its exclusions or its risk leave none of them."""
    if select_governed([pattern for pattern in part.tools if not pattern.startswith("!")], tools):
        planned.unready.append(
            Diagnostic(
                "never-matches",
                f"`{part.id}` selects none of the tools that its patterns match",
                part.where.span("risk" if part.risk is not None else "tools"),
                "widen `tools` or `risk`, or remove it",
            )
        )
