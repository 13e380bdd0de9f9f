"""An argument of which the schema says only its name and type.

The schema is what a model fills in, and what refuses nonsense before it reaches the tool. An argument without a
description and without any bound or choice invites a guess, and every guess passes.

Bad:

    tools:
      - name: find_orders
        risk: READ_ONLY
        permissions: []
        parameters: {type: object, required: [status], properties: {status: {type: string}}}

Good:

    tools:
      - name: find_orders
        risk: READ_ONLY
        permissions: []
        parameters: {type: object, required: [status], properties: {status: {enum: [open, paid]}}}

Booleans, arguments that the policy forces or inspects and those of servers' tools are left alone. Where the name says
everything, write `# gateway: ignore[bare-parameter] …` on the line of the argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_SAYS_NOTHING = frozenset(("type", "default", "x-role", "x-sensitive"))
_PARTS = ("items", "additionalProperties")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool with such arguments, at the first of them."""
    for tool in compiled.declared.values():
        schema = tool.get("parameters") or {}
        forced = {name for plan in compiled.engine.tools[tool.name].forced for name, _ in plan.values}
        properties = schema.get("properties", {})
        said = forced | {one.path[0] for one in compiled.engine.tools[tool.name].inspected}
        bare = [name for name, one in properties.items() if name not in said and _bare(one)]
        if bare and "/" not in tool.name:
            named = ", ".join(f"`{name}`" for name in bare)
            what = "argument" if len(bare) == 1 else "arguments"
            yield Diagnostic(
                "",
                f"the schema of `{tool.name}` neither describes nor bounds the {what} {named}",
                tool.places["parameters"].key_span("parameters", "properties", bare[0]),
                "add a `description`, or what it may be: `enum`, `pattern`, `minimum`, `maxLength` and the like",
            )


def _bare(schema: Any) -> bool:
    """Whether a schema has a type at most; a boolean needs no more, and lists and objects may say it of their parts."""
    if not isinstance(schema, Mapping):
        return schema is True
    if schema.get("type") in ("boolean", "null"):
        return False
    inner = [schema[key] for key in _PARTS if isinstance(schema.get(key), Mapping)]
    return set(schema) <= {*_SAYS_NOTHING, *_PARTS} and all(map(_bare, inner))
