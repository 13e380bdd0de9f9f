"""All parts of all files together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gateway.document import Document
from gateway.policy.catalogue import Agent, Defaults, Server, Tool
from gateway.policy.invariants import Invariant
from gateway.policy.part import Where
from gateway.policy.pins import Pin
from gateway.policy.rules import ArgumentEntry, Limit, Result, Rule
from gateway.policy.settings import Override, Settings

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class NamedList:
    """A constant for conditions."""

    name: str
    values: tuple[Scalar, ...]
    where: Where


@dataclass(frozen=True, slots=True)
class Policy:
    """What the files say, each section united over all of them; `digest` covers their names and bytes."""

    documents: tuple[Document, ...]
    digest: str
    settings: Settings = field(default_factory=Settings)
    lists: Mapping[str, NamedList] = field(default_factory=lambda: MappingProxyType({}))
    agents: tuple[Agent, ...] = ()
    servers: tuple[Server, ...] = ()
    pins: tuple[Pin, ...] = ()
    defaults: tuple[Defaults, ...] = ()
    tools: tuple[Tool, ...] = ()
    arguments: tuple[ArgumentEntry, ...] = ()
    rules: tuple[Rule, ...] = ()
    limits: tuple[Limit, ...] = ()
    results: tuple[Result, ...] = ()
    overrides: tuple[Override, ...] = ()
    invariants: tuple[Invariant, ...] = ()
