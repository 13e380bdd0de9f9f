"""A tool that replaces a whole object, and that no rule keeps from emptying what a call leaves out.

With `update: replace` each argument that is left out becomes empty. A model sends the field that it wants to change,
and all the others are gone. A rule can refuse calls that lack what must not be lost, or ask with what would go.

Bad:

    tools:
      - name: replace_page
        risk: MEDIUM
        permissions: ["page:update"]
        update: replace
        describe: "Replace the page {args.id}"
        parameters:
          type: object
          required: [id]
          properties: {id: {type: string, maxLength: 64}, body: {type: string, maxLength: 9000}}

Good:

    tools:
      - name: replace_page
        risk: MEDIUM
        permissions: ["page:update"]
        update: replace
        describe: "Replace the page {args.id}"
        parameters:
          type: object
          required: [id]
          properties: {id: {type: string, maxLength: 64}, body: {type: string, maxLength: 9000}}
    rules:
      - {id: whole-pages, tools: [replace_page], when: "!has(args.body)", effect: deny, message: Send the body.}

One rule that reads one of the arguments that may be left out is enough. A tool whose description says that it empties
what is left out declares `update: replace`. Where nothing is lost, write `# gateway: ignore[unguarded-replace] …` on
the line that the finding points at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import Reads, forced, own_tools
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.compile.declared import Declared
    from gateway.plan import ToolPlan
    from gateway.policy import Policy

_EMPTIES = re.compile(
    r"(?:left out|omitted|missing|not (?:sent|given|named|provided)|unspecified)\b[^.;]{0,40}?"
    r"\b(?:becomes? empty|emptied|cleared|removed|deleted|reset|lost|set to null|not kept)"
    r"|\b(?:overwrites?|replaces?)\s+(?:the\s+)?(?:whole|entire|complete)\b",
    re.IGNORECASE,
)


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such tool without a rule, and each that only its description tells."""
    reads = Reads(policy)
    for tool in own_tools(compiled):
        plan = compiled.engine.tools[tool.name]
        optional = _optional(tool, plan)
        if not optional or "/" in tool.name:
            continue
        named = ", ".join(f"`{name}`" for name in optional[:3]) + (" and others" if len(optional) > 3 else "")
        if tool.get("update") == "replace":
            if reads.of(plan).isdisjoint(optional):
                yield Diagnostic(
                    "",
                    f"a call of `{tool.name}` that leaves out {named} empties it, and no rule looks at that",
                    tool.places["update"].key_span("update"),
                    f'require them, or add a rule such as `when: "!has(args.{optional[0]})"`',
                )
        elif found := _EMPTIES.search(plan.description):
            yield Diagnostic(
                "",
                f"the description of `{tool.name}` says `{found[0]}`, and no rule can know of it",
                tool.places["description"].span("description"),
                "add `update: replace`",
            )


def _optional(tool: Declared, plan: ToolPlan) -> list[str]:
    schema = tool.get("parameters") or {}
    settled = forced(plan) | frozenset(schema.get("required", ()))
    return [name for name in schema.get("properties", {}) if name not in settled]
