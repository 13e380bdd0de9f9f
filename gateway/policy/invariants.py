"""Invariants: what must hold of every decision, whatever the rules say."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from gateway.policy.part import Part
from gateway.policy.words import Expression, Name, Patterns, RiskRange, Text


class Invariant(Part):
    """What must hold of each decision about a call that gets as far as the rules; `gatewayctl verify` searches."""

    noun: ClassVar[str] = "an invariant"

    id: Name = Field(description="The name by which findings speak of it.")
    tools: Patterns = Field(description='Patterns of the tools that it is about; `["*"]` is every tool.')
    risk: RiskRange | None = Field(None, description='Only tools of this declared risk, such as `">=HIGH"`.')
    always: Expression = Field(
        description="A CEL condition over `decision` and all that rules read; it must hold for every call."
    )
    message: Text | None = Field(None, description="What it means if it does not hold.")
    reason: Text | None = Field(None, description="Why it exists, for colleagues.")
    owner: Text | None = Field(None, description="Who can change it.")
