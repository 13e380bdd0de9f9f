"""A subcommand in `only()` that its program is not known to have.

`only(["git status"])` holds for a program with this subcommand. Which subcommands there are is known for `git`,
`docker`, package managers and their like, though not of every plugin; other programs have none, and then the text
stands for nothing.

Bad:

    tools:
      - name: run
        risk: HIGH
        permissions: []
        inspect: {command: shell}
        parameters: {type: object, required: [command], properties: {command: {type: string}}}
    rules:
      - {id: looks, tools: [run], when: 'inspect.command.only(["git lgo"])', effect: allow}

Good:

    tools:
      - name: run
        risk: HIGH
        permissions: []
        inspect: {command: shell}
        parameters: {type: object, required: [command], properties: {command: {type: string}}}
    rules:
      - {id: looks, tools: [run], when: 'inspect.command.only(["git log"])', effect: allow}

To keep one that a plugin adds, write `# gateway: ignore[unknown-subcommand] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.diagnostic import Diagnostic, suggest

if TYPE_CHECKING:
    from gateway.cel.syntax import Literal, Node
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such text, where it stands in the call."""
    for expression in expressions(policy):
        for node in walk(expression.parsed):
            for literal in _programs(node):
                if (wrong := _wrong(literal.value)) is not None:
                    span = expression.parsed.excerpt.span(literal.start, literal.end)
                    yield Diagnostic("", wrong[0], span, wrong[1])


def _programs(node: Node) -> Iterator[Literal]:
    """The texts that `only()` is given in a list."""
    from gateway.cel.syntax import Call, ListNode, Literal

    if isinstance(node, Call) and node.name == "only":
        for argument in node.arguments:
            for element in argument.elements if isinstance(argument, ListNode) else ():
                if isinstance(element.value, Literal) and isinstance(element.value.value, str):
                    yield element.value


def _wrong(text: str) -> tuple[str, str] | None:
    from gateway.inspect.facts import has_subcommands
    from gateway.inspect.programs import PROGRAMS

    program, _, subcommand = text.partition(" ")
    if not subcommand or subcommand.startswith("-"):
        return None
    if not has_subcommands(program):
        help_ = f"write `{program}`, or ask for its `operands` in `invocations`"
        return f"`{program}` is not known to have subcommands, so `{text}` stands for nothing", help_
    known = [name.partition(" ")[2] for name in PROGRAMS if name.startswith(f"{program} ")]
    near = suggest(subcommand, known)
    if not near or subcommand in known:
        return None
    return (
        f"`{program}` is not known to have a subcommand `{subcommand}`",
        f"did you mean `{program} {near[0]}`?",
    )
