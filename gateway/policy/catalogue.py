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
    InspectedAs,
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
from gateway.schema import check_schema, refers_to_config
from gateway.template import Template


class Agent(Part):
    """An agent, the tools that it may use and the tenants that it is on for."""

    noun: ClassVar[str] = "an agent"

    name: Name = Field(description="The agent's name; a session names it in `agent`.")
    tools: Patterns = Field(
        description="Patterns of the tools that the agent may use; `!name` takes some away again."
    )
    tenants: Listed[Pattern] = Field(
        (),
        description="The tenants that the agent is on for, `*` for all; without this key it is off everywhere.",
    )
    max_steps: Annotated[int, Field(ge=1, le=1000)] | None = Field(
        None,
        description="The most steps of one turn (`session.turn.id`); a step is one answer with calls in it.",
    )
    max_risk: Risk | None = Field(
        None, description="A promise: an agent that is bound to a tool above this risk is a load error."
    )


class Server(Part):
    """A server's tools that may be used, and what holds for them; its tools are written `server/name`."""

    noun: ClassVar[str] = "a server"

    name: Name = Field(description="The server's name; its tools are written `name/tool`.")
    tools: Patterns = Field(description="Patterns of the server's tools that may be used.")
    risk: Risk | None = Field(None, description="The least risk of each of its tools.")
    permissions: Listed[Permission] | None = Field(
        None, description="The permissions that each of its tools needs."
    )
    pinned: bool = Field(
        False,
        description="Whether its tools are refused but for those that the host lists just as `pins` has them.",
    )


class Shape(Enum):
    """Whether all keys of a tool's result are known."""

    KNOWN = "known"
    OPEN = "open"


class ResultShape(Part):
    """What a tool promises about its result."""

    noun: ClassVar[str] = "a tool's result"

    arrays: Listed[Text] = Field(
        (), description="The keys that hold lists; a dry run answers with empty ones."
    )
    shape: Annotated[Shape, Field(strict=False)] | None = Field(
        None, description="Whether all keys of the result are `known`, or more may come (`open`)."
    )
    truncate: bool = Field(
        True, description="`false` does not cut a long result, for tools that page or show a catalogue."
    )
    limit: Annotated[int, Field(ge=100, le=1_000_000)] | None = Field(
        None, description="How many characters of a result the model reads; 4000 where it is missing."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """A bound has no place where nothing is cut."""
        if self.limit is not None and not self.truncate:
            yield self.wrong("limit", "`limit` has no place beside `truncate: false`", "remove one of them")


class Wraps(Part):
    """Where a tool that runs another one finds the inner call in its arguments."""

    noun: ClassVar[str] = "the inner call"

    tool: ArgumentPathText = Field(
        description="The path of the argument that names the inner tool, such as `args.tool`."
    )
    arguments: ArgumentPathText = Field(
        description="The path of the argument that holds the inner call's arguments, such as `args.input`."
    )


class ToolFields(Part):
    """What can be declared for one tool, or for many at once."""

    title: Text | None = Field(None, description="A short name for people.")
    group: Text | None = Field(None, description="The topic that the tool belongs to.")
    description: TemplateText | None = Field(
        None, description="What the model reads about the tool; may hold `{tool.x}` and `{config.x}`."
    )
    source: Name | None = Field(
        None, description="Where the tool comes from, such as `builtin`; conditions can read it."
    )
    endpoint: Text | None = Field(None, description="Where the host finds the tool; it decides nothing.")
    version: Text | None = Field(None, description="The tool's version; conditions can read it.")
    enabled: bool | None = Field(None, description="`false` hides the tool and refuses its calls.")
    action: Name | None = Field(
        None,
        description="What the tool does in one word, such as `update`, for `{tool.action}` in templates.",
    )
    risk: Risk | None = Field(
        None, description="READ_ONLY, LOW, MEDIUM, HIGH or IRREVERSIBLE; HIGH where it is missing."
    )
    permissions: Listed[Permission] | None = Field(
        None, description="The permissions of which the subject must hold all; `[]` says that none is needed."
    )
    resource_permissions: Listed[TemplateText] = Field(
        (),
        description="Permissions made from the arguments, such as `form:{args.code}:{tool.action}`; all must be held.",
    )
    parameters: Plain | None = Field(
        None,
        description="The arguments' JSON Schema, may hold `{config.x}`; closed unless `additionalProperties: true`.",
    )
    describe: TemplateText | None = Field(
        None,
        description="What the call does, for whoever is asked; may hold `{args.x}`, `{tool.x}` and `{config.x}`.",
    )
    timeout: Duration | None = Field(
        None,
        description="How long the tool may run, such as `30s`; 60 seconds where nothing is said. It decides nothing.",
    )
    idempotent: bool | None = Field(
        None,
        description="`true` says that a call that runs twice does no more than once: it is tried again unasked.",
    )
    idempotency_key: TemplateText | None = Field(
        None,
        description="What a call makes, such as `{args.id}`: what was done before is not done again unasked.",
    )
    on_rejection: Literal["tell", "stop"] | None = Field(
        None,
        description="What a person's rejection means: `tell` lets the model go on without it, `stop` ends its work.",
    )
    result: ResultShape | None = Field(None, description="What the tool promises about its result.")
    update: Literal["replace"] | None = Field(
        None, description="`replace` says that an update replaces the whole object; conditions can read it."
    )
    mode: Name | None = Field(
        None,
        description="The session's mode that shows the tool, in place of the agents' lists, unless it is off.",
    )
    switch: Name | None = Field(
        None, description="The switch of `settings.switches` without which the tool is off."
    )
    requires: Listed[Name] = Field(
        (), description="The capabilities that the session must supply, such as `sandbox`."
    )
    channels: Channels | None = Field(
        None, description="The channels from which the tool can be called; absent: all."
    )
    inspect: dict[str, InspectedAs] | None = Field(
        None,
        description="What arguments are, for packs: `shell`, `sql`, `path`, `url`, `python`, `git` or `headers`.",
    )
    read_only_when: Expression | None = Field(
        None, description="A condition under which the call counts as READ_ONLY."
    )
    config: Plain | None = Field(None, description="Values of the tool for schema, templates and conditions.")
    wraps: Wraps | None = Field(
        None, description="Where a tool that runs another one names it; the inner call is decided too."
    )

    def problems(self) -> Iterator[Diagnostic]:
        """A schema that can't be used, and templates that name what their key can't know."""
        # One that `config` completes is checked with it: it may stand in `defaults`.
        if self.parameters is not None and not refers_to_config(self.parameters):
            yield from check_schema(self.parameters, self.where.below("parameters"))
        yield from self._roots("description", self.description, ("tool", "config"))
        yield from self._roots("describe", self.describe, ("args", "tool", "config"))
        yield from self._roots("idempotency_key", self.idempotency_key, ("args",))
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

    name: ToolName = Field(description="The tool's name, `server/name` for a server's.")


class Defaults(ToolFields):
    """Declarations given to each tool that matches."""

    noun: ClassVar[str] = "an entry of `defaults`"

    tools: Patterns = Field(
        description="Patterns of the tools that are given these values; lists unite, two different values are an error."
    )
