"""Settings of the whole gateway, and what tenants override."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from gateway.diagnostic import Diagnostic
from gateway.malformed import Malformed
from gateway.policy.conventions import Artifact, Pack, ProtectedBranch, ProtectedPath
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


class PatternEffect(Enum):
    """What a pattern does in place of what it is shipped with."""

    DENY = "deny"
    ASK = "ask"
    OFF = "off"


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

    confirm_from: Annotated[Risk, AfterValidator(_asks)] = Field(
        RiskLevel.LOW,
        description="The least risk at which a person must confirm: LOW, MEDIUM, HIGH or IRREVERSIBLE.",
    )
    packs: Listed[Pack] = Field(
        (),
        description="The packs of dangerous-command patterns that are in force; all are where this is not written.",
    )
    patterns: dict[Name, Annotated[PatternEffect, Field(strict=False)]] = Field(
        default_factory=dict,
        description="Patterns that have another effect than they are shipped with: `deny`, `ask` or `off`.",
    )
    protected_branches: Listed[ProtectedBranch] = Field(
        (),
        description="Branches that nothing overwrites or deletes, beside `main` and its like; `*` is any characters.",
    )
    protected_paths: Listed[ProtectedPath] = Field(
        (),
        description="Paths below the workspace, or absolute ones, that no inspected argument changes.",
    )
    artifacts: Listed[Artifact] = Field(
        (),
        description="Names of files and directories that builds make again, so that deleting them asks nothing.",
    )
    switches: dict[Name, bool] = Field(
        default_factory=dict,
        description="The deployment's switches, by name; a switch that is not set here is off.",
    )
    types: dict[Literal["session.facts", "turn", "subject.attributes"], dict[Word, DeclaredType]] = Field(
        default_factory=dict,
        description="The types of what the host supplies in `session.facts`, `turn` and `subject.attributes`.",
    )
    unknown_tools: Annotated[UnknownTools, Field(strict=False)] = Field(
        UnknownTools.ASK,
        description="What a hook answers about a tool that the policy lacks: `ask`, `abstain` or `deny`.",
    )
    monitor_until: Day | None = Field(
        None, description="Until the end of this day, rules, patterns and confirmations are only recorded."
    )


class Confirmation(Part):
    """Who confirmed a relaxation, when, and what exactly."""

    noun: ClassVar[str] = "a confirmation"

    by: Text = Field(description="Who confirmed it.")
    at: Day = Field(description="On which day.")
    digest: Text = Field(description="The digest of exactly what was confirmed.")


class Override(Part):
    """Values that differ for one tenant; null means not overridden, an empty text overrides."""

    noun: ClassVar[str] = "an override"
    may_be_empty: ClassVar[frozenset[str]] = frozenset(
        {"title", "description", "parameters", "group", "permissions", "enabled", "risk"}
    )

    tenant: Tenant = Field(description="The tenant for which the values differ.")
    tools: Patterns = Field(description="Patterns of the tools.")
    title: str | None = Field(None, description="Another title; a blank one overrides nothing.")
    description: str | None = Field(None, description="Another description for the model.")
    parameters: Plain | None = Field(
        None, description="Another schema to show to the model; arguments are held against the declared one."
    )
    group: str | None = Field(None, description="Another group; an empty text is none.")
    permissions: Listed[Permission] | None = Field(
        None, description="The permissions in place of the declared ones; `[]` says that none is needed."
    )
    enabled: bool | None = Field(None, description="Whether the tools are on.")
    risk: Risk | None = Field(
        None, description="Another risk: a higher one is enforced, a lower one is only shown."
    )
    reason: Text | None = Field(None, description="Why; what relaxes must say it.")
    until: UntilText | None = Field(
        None, description="Until when it holds, a day or a moment; only for what relaxes or renames."
    )
    confirm: Confirmation | None = Field(
        None, description="Who confirmed what relaxes; the refusing load prints the digest to write."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """A schema that can't be shown to the model."""
        if self.parameters is not None:
            yield from check_schema(self.parameters, self.where.below("parameters"))
