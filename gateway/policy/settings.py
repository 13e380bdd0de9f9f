"""Settings of the whole gateway, and what tenants override."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from gateway.diagnostic import Diagnostic
from gateway.malformed import Malformed
from gateway.policy.part import Part
from gateway.policy.words import (
    Day,
    DeclaredType,
    Listed,
    Name,
    Patterns,
    Permission,
    Plain,
    Risk,
    Tenant,
    Text,
    UntilText,
    Word,
)
from gateway.risk import RiskLevel
from gateway.schema import check_schema


class UnknownTools(Enum):
    """What is said about a host's tool that the catalogue lacks."""

    ASK = "ask"
    ABSTAIN = "abstain"
    DENY = "deny"


def _asks(level: RiskLevel) -> RiskLevel:
    if level is RiskLevel.READ_ONLY:
        raise Malformed(
            "`confirm_from` can't be `READ_ONLY`: reading never asks",
            "write `LOW`, `MEDIUM`, `HIGH` or `IRREVERSIBLE`",
        )
    return level


class Settings(Part):
    """What holds for the whole gateway; it stands in one file only."""

    noun: ClassVar[str] = "the settings"

    confirm_from: Annotated[Risk, AfterValidator(_asks)] = RiskLevel.LOW
    packs: Listed[Name] = ()
    switches: dict[Name, bool] = Field(default_factory=dict)
    types: dict[Literal["session.facts", "turn", "subject.attributes"], dict[Word, DeclaredType]] = Field(
        default_factory=dict
    )
    unknown_tools: Annotated[UnknownTools, Field(strict=False)] = UnknownTools.ASK
    monitor_until: Day | None = None


class Confirmation(Part):
    """Who confirmed a relaxation, when, and what exactly."""

    noun: ClassVar[str] = "a confirmation"

    by: Text
    at: Day
    digest: Text


class Override(Part):
    """Values that differ for one tenant; null means not overridden, an empty text overrides."""

    noun: ClassVar[str] = "an override"
    may_be_empty: ClassVar[frozenset[str]] = frozenset(
        {"title", "description", "parameters", "group", "permissions", "enabled", "risk"}
    )

    tenant: Tenant
    tools: Patterns
    title: str | None = None
    description: str | None = None
    parameters: Plain | None = None
    group: str | None = None
    permissions: Listed[Permission] | None = None
    enabled: bool | None = None
    risk: Risk | None = None
    reason: Text | None = None
    until: UntilText | None = None
    confirm: Confirmation | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """A schema that can't be shown to the model."""
        if self.parameters is not None:
            yield from check_schema(self.parameters, self.where.below("parameters"))
