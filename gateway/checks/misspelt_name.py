"""A role, mode, capability, switch, tenant or agent that is probably misspelt.

Roles, modes and capabilities come from the host, and a policy can't list them. A slip is therefore no error: nobody has
the role `aprover`, so nobody can agree, and no session supplies `sandbx`. Names of one kind are held against each
other, and against what the policy declares: switches in `settings`, modes and capabilities of tools, the names of
agents and the tenants that these are on for.

Bad:

    rules:
      - {id: large, tools: [pay], when: args.amount > 100, effect: ask, message: Large., approval: {by: [treasurer]}}
      - {id: huge, tools: [pay], when: args.amount > 900, effect: ask, message: Huge., approval: {by: [treasurrer]}}

Good:

    rules:
      - {id: large, tools: [pay], when: args.amount > 100, effect: ask, message: Large., approval: {by: [treasurer]}}
      - {id: huge, tools: [pay], when: args.amount > 900, effect: ask, message: Huge., approval: {by: [treasurer]}}

A switch that no tool has, and a tenant or an agent that a condition names and the policy does not know, are found
whatever they are like. Where both spellings are meant, write `# gateway: ignore[misspelt-name] …` on the line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.conditions import expressions, walk
from gateway.checks.likeness import doubted, misspelt, same_letters
from gateway.checks.reading import own_tools
from gateway.diagnostic import Diagnostic, Span, shortened, suggest
from gateway.glob import Glob

if TYPE_CHECKING:
    from gateway.cel.syntax import Node
    from gateway.compile import Compiled
    from gateway.policy import Policy

_Named = tuple[str, Span]
_LAST = 6
"""Names of roles and the like are short; from this length on hardly two differ in one letter."""


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each name that is like one that stands more often or is declared, and each that is declared and unknown."""
    read: dict[str, list[_Named]] = {}
    for expression in expressions(policy):
        for node in walk(expression.parsed):
            for kind, name, literal in _named(node):
                read.setdefault(kind, []).append((name, expression.parsed.span(literal)))
    approvers = [
        (role, rule.where.span("approval", "by", index))
        for rule in policy.rules
        if rule.approval is not None
        for index, role in enumerate(rule.approval.by or ())
    ]
    yield from _alike("role", [*approvers, *read.get("role", ())])
    tools = list(own_tools(compiled))
    modes = [(t.get("mode"), t.places["mode"].span("mode")) for t in tools if t.get("mode")]
    yield from _alike("mode", [*modes, *read.get("mode", ())])
    needed = [
        (name, where.span(key, index))
        for tool in tools
        for key, names, where in tool.sources
        if key == "requires"
        for index, name in enumerate(names)
    ]
    yield from _alike("capability", [*needed, *read.get("capability", ())])
    yield from _switches(policy, compiled, {name for name, _ in read.get("switch", ())})
    tenants = [
        (t, a.where.span("tenants", i))
        for a in policy.agents
        for i, t in enumerate(a.tenants)
        if "*" not in t
    ]
    yield from _alike("tenant", tenants)
    globs = [Glob(text) for agent in policy.agents for text in agent.tenants]
    for name, span in read.get("tenant", ()):
        if not any(glob.matches(name) for glob in globs):
            yield _unknown("tenant", name, span, [text for text, _ in tenants], "no agent is on for it")
    agents = [agent.name for agent in policy.agents]
    for name, span in read.get("agent", ()):
        if name not in agents:
            yield _unknown("agent", name, span, agents, "the policy has none of that name")


def _alike(kind: str, names: list[_Named]) -> Iterator[Diagnostic]:
    uses = Counter(name for name, _ in names)
    first: dict[str, Span] = {}
    for name, span in names:
        first.setdefault(name, span)
    for doubtful, likely in misspelt(uses, last=_LAST):
        if uses[doubtful] < uses[likely] or same_letters(doubtful, likely):
            yield doubted(kind, doubtful, likely, first)
    yield from _slipped_once(kind, uses, first)


def _slipped_once(kind: str, uses: Counter[str], first: dict[str, Span]) -> Iterator[Diagnostic]:
    """Of two names that stand once each, the later one is doubtful where it is the other with a slip."""
    weighted = {name: 2 if index == 0 else 1 for index, name in enumerate(uses)}
    if len(uses) != 2 or set(uses.values()) != {1}:
        return
    for doubtful, likely in misspelt(weighted, last=_LAST):
        if not same_letters(doubtful, likely):
            yield doubted(kind, doubtful, likely, first, "them alike")


def _switches(policy: Policy, compiled: Compiled, read: set[str]) -> Iterator[Diagnostic]:
    used = {tool.get("switch") for tool in own_tools(compiled)} - {None} | read
    for name in policy.settings.switches:
        if name not in used:
            yield _unknown(
                "switch",
                name,
                policy.settings.where.key_span("switches", name),
                sorted(used),
                "no tool has it",
            )


def _unknown(kind: str, name: str, span: Span, known: list[str], why: str) -> Diagnostic:
    near = suggest(name, known)
    help = f"did you mean `{near[0]}`?" if near else "correct the name, or remove it"
    return Diagnostic("", f"there is no {kind} `{shortened(name)}`: {why}", span, help)


_LISTED: dict[tuple[str, ...], str] = {
    ("subject", "roles"): "role",
    ("session", "capabilities"): "capability",
}
_EQUAL: dict[tuple[str, ...], str] = {
    ("session", "tenant"): "tenant",
    ("subject", "tenant"): "tenant",
    ("session", "agent"): "agent",
    ("agent", "name"): "agent",
    ("tool", "switch"): "switch",
}


def _named(node: Node) -> Iterator[tuple[str, str, Node]]:
    """The names in `"x" in subject.roles`, `session.tenant == "x"`, `session.agent in ["x"]` and `session.modes.x`."""
    from gateway.cel.syntax import Binary, BinaryOperator, Has, Index, Literal, Macro, Select

    match node:
        case Binary(operator=BinaryOperator.IN, left=Literal(value=str() as name) as literal, right=held):
            if (kind := _LISTED.get(_path(held))) is not None:
                yield kind, name, literal
        case Macro(range=held, variables=(variable, *_), body=body) if (
            kind := _LISTED.get(_path(held))
        ) is not None:
            for name, compared in _compared(body, (variable,)):
                yield kind, name, compared
        case Binary(left=left):
            for side in (left, node.right):
                if (kind := _EQUAL.get(_path(side))) is not None:
                    for name, compared in _compared(node, _path(side)):
                        yield kind, name, compared
        case Select(operand=operand, field=name) | Has(operand=operand, field=name):
            if _path(operand) == ("session", "modes"):
                yield "mode", name, node
        case Index(operand=operand, index=Literal(value=str() as name) as literal):
            if _path(operand) == ("session", "modes"):
                yield "mode", name, literal


def _compared(node: Node, path: tuple[str, ...]) -> Iterator[tuple[str, Node]]:
    """The texts that a path is held against, by `==`, `!=` or `in`."""
    from gateway.cel.syntax import Binary, BinaryOperator, ListNode, Literal

    if not isinstance(node, Binary):
        return
    if node.operator in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if _path(one) == path and isinstance(other, Literal) and isinstance(other.value, str):
                yield other.value, other
    elif node.operator is BinaryOperator.IN and _path(node.left) == path and isinstance(node.right, ListNode):
        for element in node.right.elements:
            if isinstance(element.value, Literal) and isinstance(element.value.value, str):
                yield element.value.value, element.value


def _path(node: Node) -> tuple[str, ...]:
    from gateway.cel.syntax import Ident, Select

    match node:
        case Ident(name=name):
            return (name,)
        case Select(operand=Ident(name=root), field=name):
            return (root, name)
    return ()
