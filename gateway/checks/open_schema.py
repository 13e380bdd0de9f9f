"""A rule that reads arguments of a tool whose schema lets others pass beside them.

A rule about `to` says nothing of `recipients`. Where the schema has `additionalProperties: true`, a call with an
argument that nobody declared passes it, and the tool may well know what to do with it. A condition that reads a key
that the schema does not declare has it worse: a slip in its name is not found, and any type may come.

Bad:

    tools:
      - name: post_note
        risk: LOW
        permissions: ["note:create"]
        describe: "Post {args.text}"
        parameters:
          type: object
          additionalProperties: true
          required: [text]
          properties: {text: {type: string, maxLength: 500}, board: {type: string, maxLength: 50}}
    rules:
      - {id: boards, tools: [post_note], when: has(args.board) && args.board == "all", effect: deny, message: No.}

Good:

    tools:
      - name: post_note
        risk: LOW
        permissions: ["note:create"]
        describe: "Post {args.text}"
        parameters:
          type: object
          required: [text]
          properties: {text: {type: string, maxLength: 500}, board: {type: string, maxLength: 50}}
    rules:
      - {id: boards, tools: [post_note], when: has(args.board) && args.board == "all", effect: deny, message: No.}

It speaks once for a tool, at `additionalProperties` or at the argument without a type that a rule reads. Where a host
adds arguments of its own, write `# gateway: ignore[open-schema] …` on the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gateway.checks.reading import Reads, own_tools
from gateway.diagnostic import Diagnostic, Span

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_TYPED = frozenset(("type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"))


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such tool, with the first of its rules that read an argument."""
    reads = Reads(policy)
    seen: set[tuple[str, Span]] = set()
    for tool in own_tools(compiled):
        schema = tool.get("parameters") or {}
        is_open = schema.get("additionalProperties") is True
        untyped = frozenset(name for name, one in schema.get("properties", {}).items() if _untyped(one))
        for rule in compiled.engine.tools[tool.name].rules if is_open or untyped else ():
            read = reads.of_rule(rule.id)
            what = next(iter(sorted(untyped & read)), "additionalProperties" if read and is_open else None)
            if what is None:
                continue
            keys = (what,) if what == "additionalProperties" else ("properties", what)
            found = what, tool.places["parameters"].key_span("parameters", *keys)
            if found in seen:
                break
            seen.add(found)
            open_to = (
                "arguments that nobody declared"
                if what == "additionalProperties"
                else f"anything as `{what}`"
            )
            yield Diagnostic(
                "",
                f"the schema of `{tool.name}` lets {open_to} pass, and the rule `{rule.id}` decides by its arguments",
                found[1],
                "declare what the tool takes, each with its type, and close the schema",
            )
            break


def _untyped(schema: object) -> bool:
    """Whether a schema says nothing of the type."""
    return schema is True or (isinstance(schema, Mapping) and _TYPED.isdisjoint(schema))
