"""A permission that is probably misspelt.

Permissions are texts that the host grants; a policy can't list them, so a slip is not an error: the tool is hidden
from everybody, or a condition never holds. A permission is doubtful that differs from one which more tools need in
one letter of a long word or of the action at its end, or has the same words with other case or separators. So is one
that a condition reads and no tool needs.

Bad:

    tools:
      - {name: list_orders, risk: READ_ONLY, permissions: ["shop:order:query"]}
      - {name: read_order, risk: READ_ONLY, permissions: ["shop:order:query"]}
      - {name: find_order, risk: READ_ONLY, permissions: ["shop:order:qurey"]}

Good:

    tools:
      - {name: list_orders, risk: READ_ONLY, permissions: ["shop:order:query"]}
      - {name: read_order, risk: READ_ONLY, permissions: ["shop:order:query"]}
      - {name: find_order, risk: READ_ONLY, permissions: ["shop:order:query"]}

A permission that the host grants for conditions alone is fine: write `# gateway: ignore[unknown-permission] …` on the
line of the condition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.checks.likeness import doubted, misspelt, same_letters
from gateway.diagnostic import Diagnostic, Span, shortened
from gateway.glob import fits

if TYPE_CHECKING:
    from gateway.cel.syntax import Node
    from gateway.compile import Compiled
    from gateway.policy import Override, Policy, Server
    from gateway.template import Template

_ACTION = 5
"""Actions are verbs, and of those hardly two from this length on differ in one letter."""


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each permission that is like one which is needed more often, and each that only conditions know."""
    uses: Counter[str] = Counter()
    first: dict[str, Span] = {}
    for permission, span in _needed(policy, compiled):
        uses[permission] += 1
        first.setdefault(permission, span)
    for doubtful, likely in misspelt(uses, last=_ACTION):
        if uses[doubtful] < uses[likely] or same_letters(doubtful, likely):
            yield doubted("permission", doubtful, likely, first)
    patterns = {
        _pattern(each) for tool in compiled.declared.values() for each in tool.texts("resource_permissions")
    }
    unknown = [
        (name, span)
        for name, span in _read(policy)
        if name not in uses and not any(fits(pattern, name) for pattern in patterns)
    ]
    near = dict(misspelt({**uses, **dict.fromkeys((name for name, _ in unknown), 0)}, last=_ACTION))
    for name, span in unknown:
        meant = near.get(name)
        yield Diagnostic(
            "",
            f"no tool needs the permission `{shortened(name)}` that is read here",
            span,
            "check how the host spells it" if meant is None else f"did you mean `{shortened(meant)}`?",
        )


def _needed(policy: Policy, compiled: Compiled) -> Iterator[tuple[str, Span]]:
    for declared in compiled.declared.values():
        for key, value, where in declared.sources:
            if key == "permissions":
                for index, permission in enumerate(value or ()):
                    yield permission, where.span(key, index)
    parts: tuple[Server | Override, ...] = (*policy.servers, *policy.overrides)
    for part in parts:
        for index, permission in enumerate(part.permissions or ()):
            yield permission, part.where.span("permissions", index)


def _pattern(template: Template) -> str:
    return "".join(part if isinstance(part, str) else "*" for part in template.parts)


def _read(policy: Policy) -> Iterator[tuple[str, Span]]:
    """The permissions in `"x" in subject.permissions` and `permissions.covers(subject.permissions, ["x"])`."""
    from gateway.cel.syntax import Literal

    for expression in expressions(policy):
        for node in walk(expression.parsed):
            for asked in _asked(node):
                if isinstance(asked, Literal) and isinstance(asked.value, str):
                    yield asked.value, expression.parsed.span(asked)


def _asked(node: Node) -> Iterator[Node]:
    """What a node looks for among the permissions of the subject."""
    from gateway.cel.syntax import Binary, BinaryOperator, Call, Ident, ListNode

    match node:
        case Binary(operator=BinaryOperator.IN, left=asked, right=held) if _is_permissions(held):
            yield asked
        case Call(name="covers", target=Ident(name="permissions"), arguments=(held, ListNode() as listed)):
            if _is_permissions(held):
                yield from (element.value for element in listed.elements)


def _is_permissions(node: Node) -> bool:
    from gateway.cel.syntax import Ident, Select

    return (
        isinstance(node, Select)
        and node.field == "permissions"
        and isinstance(node.operand, Ident)
        and node.operand.name == "subject"
    )
