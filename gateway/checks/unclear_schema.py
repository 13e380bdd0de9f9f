"""A schema that leaves to guess what must be there, or what it may be.

`required` says what a call can't do without, `enum` what a value may be. A name in `required` that the schema does not
declare refuses every call; a tool that changes something and requires nothing runs with `{}`; choices in a description
are a hint that nothing enforces; and of two choices that differ in case alone a model takes the wrong one.

Bad:

    tools:
      - name: set_status
        risk: LOW
        permissions: ["order:update"]
        describe: "Set the status of {args.order} to {args.status}"
        parameters:
          type: object
          required: [order, status]
          properties:
            order: {type: string, maxLength: 64}
            status: {type: string, description: "One of: open, paid, closed"}

Good:

    tools:
      - name: set_status
        risk: LOW
        permissions: ["order:update"]
        describe: "Set the status of {args.order} to {args.status}"
        parameters:
          type: object
          required: [order, status]
          properties:
            order: {type: string, maxLength: 64}
            status: {enum: [open, paid, closed]}

Arguments with a default, forced ones and those of servers' tools need not be required. Where all of them may be left
out, write `# gateway: ignore[unclear-schema] …` on the line that the finding points at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gateway.checks.reading import Argument, arguments, forced, own_tools
from gateway.diagnostic import Diagnostic, suggest
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.compile.declared import Declared
    from gateway.plan import ToolPlan
    from gateway.policy import Policy

_ITEM = r"[`'\"]?[\w.-]+[`'\"]?"
_CHOICES = re.compile(
    r"\b(?:one of|either|allowed(?: values)?|possible values|valid values|choices)(?: are)?\s*:?\s*"
    rf"({_ITEM}(?:(?:\s*,\s*(?:or\s+)?|\s*\|\s*|\s*/\s*|\s+or\s+){_ITEM}){{1,30}})\s*(?:$|[.;)(\]])",
    re.IGNORECASE,
)
_CHOICE = re.compile(r"[`'\"]?([\w.-]*\w)[`'\"]?")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """What of each tool's schema is doubtful."""
    for tool in own_tools(compiled):
        schema = tool.get("parameters") or {}
        yield from _undeclared(tool, schema)
        yield from _nothing_required(tool, schema, compiled.engine.tools[tool.name])
        for argument in arguments(tool):
            yield from _told(argument)
            yield from _alike(argument)


def _undeclared(tool: Declared, schema: Mapping[str, Any]) -> Iterator[Diagnostic]:
    closed = schema.get("additionalProperties", False) is False
    known = schema.get("properties", {})
    if not closed or not set(schema).isdisjoint(("allOf", "anyOf", "oneOf", "patternProperties", "$ref")):
        return
    for index, name in enumerate(schema.get("required", ())):
        if name not in known:
            near = suggest(name, known)
            yield Diagnostic(
                "",
                f"`{tool.name}` requires `{name}`, which its schema does not let pass: no call can be right",
                tool.places["parameters"].span("parameters", "required", index),
                f"did you mean `{near[0]}`?" if near else "declare it in `properties`",
            )


def _nothing_required(tool: Declared, schema: Mapping[str, Any], plan: ToolPlan) -> Iterator[Diagnostic]:
    if plan.risk is RiskLevel.READ_ONLY or "/" in tool.name or schema.get("required"):
        return
    if not set(schema).isdisjoint(("allOf", "anyOf", "oneOf", "minProperties", "$ref", "dependentRequired")):
        return
    free = [
        name
        for name, one in schema.get("properties", {}).items()
        if name not in forced(plan) and not (isinstance(one, Mapping) and "default" in one)
    ]
    if free:
        yield Diagnostic(
            "",
            f"`{tool.name}` changes something, and may be called without any argument",
            tool.places["parameters"].key_span("parameters", "properties", free[0]),
            "name in `required` what a call can't do without",
        )


def _told(argument: Argument) -> Iterator[Diagnostic]:
    """Choices that stand in a description alone."""
    found = _CHOICES.search(argument.description) if argument.is_text else None
    if found is not None:
        choices = [one for one in _CHOICE.findall(found[1]) if one.lower() != "or"]
        if len(choices) > 2 or ":" in found[0] or '"' in found[0] or "'" in found[0] or "`" in found[0]:
            yield Diagnostic(
                "",
                f"the choices of `{argument.name}` stand in its description, where nothing enforces them",
                argument.span,
                f"write `enum: [{', '.join(choices)}]`",
            )


def _alike(argument: Argument) -> Iterator[Diagnostic]:
    """Two choices that are one but for case and blanks."""
    choices = argument.schema.get("enum", ())
    first: dict[str, str] = {}
    for index, choice in enumerate(choices):
        if isinstance(choice, str):
            other = first.setdefault("".join(choice.casefold().split()), choice)
            if other is not choice:
                yield Diagnostic(
                    "",
                    f"`{choice}` and `{other}` are two choices of `{argument.name}` that hardly anybody tells apart",
                    argument.tool.places["parameters"].span("parameters", *argument.keys, "enum", index),
                    "keep one of them",
                )
