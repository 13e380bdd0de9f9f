"""Agents, servers and tools: what exists, and what was declared about it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from gateway.diagnostic import Diagnostic
from gateway.policy.part import Part
from gateway.policy.words import (
    ArgumentPathText,
    Channels,
    Duration,
    Expression,
    Listed,
    Name,
    Pattern,
    Patterns,
    Permission,
    Plain,
    Risk,
    TemplateText,
    Text,
    ToolName,
)
from gateway.schema import check_schema
from gateway.template import Template


class Agent(Part):
    """An agent, the tools that it may use and the tenants that it is on for."""

    noun: ClassVar[str] = "an agent"

    name: Name
    tools: Patterns
    tenants: Listed[Pattern] = ()
    max_steps: Annotated[int, Field(ge=1, le=1000)] | None = None
    max_risk: Risk | None = None


class Server(Part):
    """A server's tools that may be used, and what holds for them; its tools are written `server/name`."""

    noun: ClassVar[str] = "a server"

    name: Name
    tools: Patterns
    risk: Risk | None = None
    permissions: Listed[Permission] | None = None
    pinned: bool = False


class Shape(Enum):
    """Whether all keys of a tool's result are known."""

    KNOWN = "known"
    OPEN = "open"


class ResultShape(Part):
    """What a tool promises about its result."""

    noun: ClassVar[str] = "a tool's result"

    arrays: Listed[Text] = ()
    shape: Annotated[Shape, Field(strict=False)] | None = None
    truncate: bool = True


class Wraps(Part):
    """Where a tool that runs another one finds the inner call in its arguments."""

    noun: ClassVar[str] = "the inner call"

    tool: ArgumentPathText
    arguments: ArgumentPathText


class ToolFields(Part):
    """What can be declared for one tool, or for many at once."""

    title: Text | None = None
    group: Text | None = None
    description: TemplateText | None = None
    source: Name | None = None
    endpoint: Text | None = None
    version: Text | None = None
    enabled: bool | None = None
    action: Name | None = None
    risk: Risk | None = None
    permissions: Listed[Permission] | None = None
    resource_permissions: Listed[TemplateText] = ()
    parameters: Plain | None = None
    describe: TemplateText | None = None
    timeout: Duration | None = None
    result: ResultShape | None = None
    update: Literal["replace"] | None = None
    mode: Name | None = None
    switch: Name | None = None
    requires: Listed[Name] = ()
    channels: Channels | None = None
    inspect: dict[str, Name] | None = None
    read_only_when: Expression | None = None
    config: Plain | None = None
    wraps: Wraps | None = None

    def problems(self) -> Iterator[Diagnostic]:
        """A schema that can't be used, and templates that name what their key can't know."""
        if self.parameters is not None:
            yield from check_schema(self.parameters, self.where.below("parameters"))
        yield from self._roots("description", self.description, ("tool", "config"))
        yield from self._roots("describe", self.describe, ("args", "tool", "config"))
        for index, template in enumerate(self.resource_permissions):
            yield from self._roots("resource_permissions", template, ("args", "tool"), index)

    def _roots(
        self, key: str, template: Template | None, roots: tuple[str, ...], *index: int
    ) -> Iterator[Diagnostic]:
        for placeholder in () if template is None else template.placeholders:
            if placeholder.root not in roots:
                known = " or ".join(f"`{{{root}.name}}`" for root in roots)
                yield Diagnostic(
                    "wrong-value",
                    f"`{{{placeholder.path}}}` is not known in `{key}`",
                    self.where.excerpt(key, *index).span(placeholder.start, placeholder.end),
                    f"write {known}",
                )


class Tool(ToolFields):
    """A tool of the catalogue; `permissions` is None where none were written, which is not `[]`."""

    noun: ClassVar[str] = "a tool"

    name: ToolName


class Defaults(ToolFields):
    """Declarations given to each tool that matches."""

    noun: ClassVar[str] = "an entry of `defaults`"

    tools: Patterns
