"""The places that say which tools there are: a policy, its pins, code, and what a server lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from gateway.call import PREFIX
from gateway.frozen import frozen
from gateway.risk import RiskLevel
from gateway.schema import check_schema

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.declaring import Declaration
    from gateway.drift.reading import ServerList
    from gateway.fingerprint import Listed

LISTED = frozenset(("title", "description", "input", "output", "annotations"))
"""What servers say of their tools."""
DECLARED = frozenset(("title", "description", "input", "risk", "permissions"))
"""What policies and code say of a tool."""


@frozen
class Stated:
    """What one place says of a tool; None where it says nothing."""

    name: str
    title: str | None
    description: str | None
    input: Mapping[str, Any]
    output: Mapping[str, Any] | None = None
    annotations: Mapping[str, Any] | None = None
    risk: RiskLevel | None = None
    permissions: tuple[str, ...] | None = None
    digest: str = ""
    """By which a server's tool is known again."""


@frozen
class Side:
    """One place, the fields that it knows, its tools, and which names it could have said something of."""

    name: str
    says: frozenset[str]
    tools: Mapping[str, Stated]
    covers: Callable[[str], bool]
    refused: Mapping[str, str] = field(default_factory=dict)


def of_list(found: ServerList, name: str) -> Side:
    """What a server lists."""
    start = f"{found.server}/"
    tools = {name: _stated(tool) for name, tool in found.tools.items()}
    return Side(name, LISTED, tools, lambda tool: tool.startswith(start), found.refused)


def of_pins(pins: Iterable[Listed], name: str = "pins") -> Side:
    """What was pinned, of all servers."""
    return Side(name, LISTED, {pin.name: _stated(pin) for pin in pins}, lambda tool: "/" in tool)


def of_policy(compiled: Compiled, name: str = "policy") -> Side:
    """What a policy declares, but for the tools that the gateway itself carries out."""
    tools = {
        tool: Stated(
            tool,
            compiled.declared[tool].get("title"),
            plan.description or None,
            plan.schema,
            risk=compiled.declared[tool].risk,
            permissions=plan.permissions,
        )
        for tool, plan in compiled.engine.tools.items()
        if not tool.startswith(PREFIX)
    }
    return Side(name, DECLARED, tools, lambda tool: True)


def of_code(declared: Iterable[Declaration], name: str = "code") -> Side:
    """What code declares; a server's tools are declared by the server. Raises `DeclarationError`."""
    from gateway.typed import parameters_of

    tools: dict[str, Stated] = {}
    refused: dict[str, str] = {}
    for one in declared:
        schema = parameters_of(one.function)
        problems = check_schema(schema, None)
        if problems:
            refused[one.name] = f"its types make a schema that can't be used: {problems[0].message}"
            continue
        tools[one.name] = Stated(
            one.name, one.title, one.description, schema, risk=one.risk, permissions=one.permissions
        )
    return Side(name, DECLARED, tools, lambda tool: "/" not in tool, refused)


def within(side: Side, part: Side) -> tuple[Side, tuple[str, ...]]:
    """A side as far as another one declares the same tools, and the names of what that one could say and leaves out."""
    declared = {*part.tools, *part.refused}
    left_out = tuple(sorted(name for name in {*side.tools} - declared if part.covers(name)))
    return replace(side, tools={name: side.tools[name] for name in side.tools if name in declared}), left_out


def _stated(tool: Listed) -> Stated:
    return Stated(
        tool.name, tool.title, tool.description, tool.input, tool.output, tool.annotations, digest=tool.digest
    )
