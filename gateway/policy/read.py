"""A document's data turned into the parts of a policy, or into everything that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from gateway.diagnostic import Diagnostic, Span
from gateway.document import Document
from gateway.policy.catalogue import Agent, Defaults, Server, Tool
from gateway.policy.explain import explain, forgotten, unknown_key
from gateway.policy.invariants import Invariant
from gateway.policy.part import Part, Where
from gateway.policy.pins import Pin
from gateway.policy.rules import ArgumentEntry, Limit, Result, Rule
from gateway.policy.settings import Override, Settings
from gateway.policy.whole import NamedList, Scalar
from gateway.policy.words import Listed

SECTIONS: Mapping[str, type[Part]] = {
    "agents": Agent,
    "servers": Server,
    "pins": Pin,
    "defaults": Defaults,
    "tools": Tool,
    "arguments": ArgumentEntry,
    "rules": Rule,
    "limits": Limit,
    "results": Result,
    "overrides": Override,
    "invariants": Invariant,
}
_KEYS = ("version", "settings", "lists", *SECTIONS)
_LIST_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)
_P = TypeVar("_P", bound=Part)


class PolicyFile(Part):
    """A policy file."""

    noun = "a policy file"

    version: Literal[1] = Field(description="Always `1`; each file starts with it.")
    settings: Settings | None = Field(None, description="What holds for the whole gateway; in one file only.")
    lists: dict[str, Listed[str | int | float | bool]] | None = Field(
        None, description="Named constants, which conditions read as `lists.name`."
    )
    agents: Listed[Agent] = Field((), description="Who may use which tools; without an agent nothing runs.")
    servers: Listed[Server] = Field((), description="Tool servers (of which only `pinned` is in force yet).")
    pins: Listed[Pin] = Field(
        (), description="What servers' tools were when somebody accepted them; written by `gatewayctl tools`."
    )
    defaults: Listed[Defaults] = Field((), description="Values for many tools at once.")
    tools: Listed[Tool] = Field(
        (), description="The catalogue: every tool with its risk, permissions and arguments."
    )
    arguments: Listed[ArgumentEntry] = Field(
        (), description="Forced arguments: set before anything looks at the call."
    )
    rules: Listed[Rule] = Field((), description="Conditions with an effect.")
    limits: Listed[Limit] = Field((), description="How often calls may happen.")
    results: Listed[Result] = Field(
        (), description="What is blanked out of results before anybody sees them."
    )
    overrides: Listed[Override] = Field((), description="What differs for one tenant.")
    invariants: Listed[Invariant] = Field(
        (), description="What must hold of every decision; it decides nothing, `gatewayctl verify` checks it."
    )


@dataclass(slots=True)
class FileParts:
    """What one file holds, in the order in which it was written."""

    document: Document
    settings: Settings | None = None
    lists: list[NamedList] = field(default_factory=list)
    sections: dict[str, list[Part]] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)


def read_parts(document: Document) -> FileParts:
    """The parts of a file; each is checked for itself, so that one typo hides no other."""
    parts = FileParts(document)
    top = Where(document, ())
    data = document.data
    if not isinstance(data, dict):
        parts.problems.append(
            Diagnostic("wrong-type", "a policy file is a mapping", top.span(), "start with `version: 1`")
        )
        return parts
    parts.problems.extend(_top_level(data, top))
    for key, value in data.items():
        where = top.below(key)
        if value is None or not document.readable(where.path):
            continue
        if key == "settings":
            parts.settings = _part(Settings, value, where, parts.problems)
        elif key == "lists":
            parts.lists.extend(_lists(value, where, parts.problems))
        elif key in SECTIONS:
            parts.sections[key] = list(_section(key, value, where, parts.problems))
    return parts


def _top_level(data: Mapping[str, Any], top: Where) -> Iterator[Diagnostic]:
    for key, value in data.items():
        if not top.document.readable((key,)):
            continue
        if key not in _KEYS:
            yield unknown_key(key, PolicyFile.noun, _KEYS, top.key_span(key))
        elif value is None:
            yield Diagnostic(
                "no-value", f"`{key}` has no value", top.key_span(key), "write a value, or remove the key"
            )
    version = data.get("version")
    if "version" not in data:
        yield Diagnostic("missing-key", "`version` is missing", _start(top), "start with `version: 1`")
    elif (
        version is not None
        and top.document.readable(("version",))
        and (version.__class__ is not int or version != 1)
    ):
        yield Diagnostic("wrong-value", "`version` is 1", top.span("version"), "write `version: 1`")


def _start(top: Where) -> Span:
    """The first key, or the start of a file that has none."""
    data = top.document.data
    return top.key_span(next(iter(data))) if data else top.span()


def _section(key: str, value: object, where: Where, problems: list[Diagnostic]) -> Iterator[Part]:
    if not isinstance(value, list):
        problems.append(
            Diagnostic(
                "wrong-type",
                f"`{key}` is a list",
                where.key_span(),
                "start each entry with `- ` on a line of its own",
            )
        )
        return
    for index, entry in enumerate(value):
        part = _part(SECTIONS[key], entry, where.below(index), problems)
        if part is not None:
            yield part


def _part(model: type[_P], data: object, where: Where, problems: list[Diagnostic]) -> _P | None:
    problems.extend(forgotten(model, data, where))
    try:
        part = model.model_validate(data)
    except ValidationError as error:
        problems.extend(explain(error, model, where))
        return None
    problems.extend(part.placed(where))
    return part


def _lists(value: object, where: Where, problems: list[Diagnostic]) -> Iterator[NamedList]:
    if not isinstance(value, dict):
        problems.append(
            Diagnostic("wrong-type", "`lists` is a mapping", where.key_span(), "write `name: [values]`")
        )
        return
    for name, items in value.items():
        place = where.below(name)
        if _LIST_NAME.fullmatch(name) is None:
            problems.append(
                Diagnostic(
                    "wrong-value",
                    f"`{name}` is no name that a condition can use",
                    place.key_span(),
                    "write letters, digits and `_`",
                )
            )
        elif not isinstance(items, list):
            if where.document.readable(place.path):
                problems.append(
                    Diagnostic("wrong-type", f"`{name}` is a list", place.key_span(), "write `[…]`")
                )
        else:
            wrong = list(_not_scalar(name, items, place))
            problems.extend(wrong)
            if not wrong:
                yield NamedList(name, tuple(items), place)


def _not_scalar(name: str, items: list[Scalar], place: Where) -> Iterator[Diagnostic]:
    for index, item in enumerate(items):
        if not isinstance(item, str | int | float | bool) and place.document.readable((*place.path, index)):
            yield Diagnostic(
                "wrong-type",
                f"an entry of `{name}` is a text, a number, true or false",
                place.span(index),
                "write a plain value",
            )
