"""An expression, or a part of it, as text that other implementations read: names of `let` are written out."""

from __future__ import annotations

from collections.abc import Iterator

from gateway.cel import Parsed
from gateway.cel.syntax import (
    Access,
    Binary,
    Call,
    Conditional,
    Has,
    Ident,
    Index,
    ListNode,
    Literal,
    Logic,
    Macro,
    MapNode,
    Node,
    Scoped,
    Select,
    Unary,
    children,
)

_SIGNS = {
    Conditional: "?:",
    Has: "has",
    Ident: "name",
    Index: "[]",
    ListNode: "list",
    Literal: "constant",
    MapNode: "map",
    Scoped: "bind",
    Select: ".",
}


def sign(node: Node) -> str:
    """What a part of an expression is: its operator, its function, or another word."""
    match node:
        case Binary(operator=operator) | Logic(operator=operator) | Unary(operator=operator):
            return str(operator.value)
        case Call():
            return node.name
        case Macro():
            return node.kind.value
    return _SIGNS[node.__class__]


def written(parsed: Parsed, node: Node) -> str:
    """The text of a node; each name of `let` is replaced by what it stands for."""
    text = parsed.excerpt.text
    pieces: list[str] = []
    at = node.start
    names = (one for one in _walk(node, frozenset()) if one.name in parsed.lets)
    for name in sorted(names, key=lambda one: one.start):
        let = parsed.lets[name.name]
        if let.ast is not None:
            pieces += [text[at : name.start], f"({written(let, let.ast)})"]
            at = name.end
    return "".join((*pieces, text[at : node.end]))


def _walk(node: Node, hidden: frozenset[str]) -> Iterator[Ident]:
    """The names below a node that no macro's variable hides."""
    if isinstance(node, Ident):
        if not node.root and node.name not in hidden:
            yield node
        return
    outside, inside = scopes(node)
    for child in outside:
        yield from _walk(child, hidden)
    for child in inside:
        yield from _walk(child, hidden | variables_of(node))


def scopes(node: Node) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """The children of a node that see what it sees, and those that also see the variables that it names."""
    if isinstance(node, Macro):
        return (node.range,), tuple(part for part in (node.condition, node.body) if part is not None)
    if isinstance(node, Scoped):
        return (node.value,), (node.body,)
    return tuple(children(node)), ()


def variables_of(node: Node) -> frozenset[str]:
    """The variables that a macro names."""
    if isinstance(node, Macro):
        return frozenset(node.variables)
    return frozenset({node.variable}) if isinstance(node, Scoped) else frozenset()


def every(parsed: Parsed) -> Iterator[Node]:
    """Every node of an expression and of what its names of `let` stand for."""
    pending = [] if parsed.ast is None else [parsed.ast]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(children(node))
        if isinstance(node, Ident) and node.name in parsed.lets:
            yield from every(parsed.lets[node.name])


def beyond(parsed: Parsed, functions: frozenset[str], variables: frozenset[str]) -> str:
    """What an expression uses that another implementation lacks, given its functions; empty if nothing is known."""
    nodes = tuple(every(parsed))
    known = variables.union(*map(variables_of, nodes))
    for node in nodes:
        match node:
            case Call(name=name, target=Ident(name=library)) if library not in known:
                return f"`{library}.{name}()`"
            case Call() if node.name not in functions:
                return f"`{node.name}()`"
            case Scoped():
                return f"`{node.kind.value}()`"
            case Select() | Index() if node.access is Access.OPTIONAL:
                return "`?`"
            case Macro() if len(node.variables) > 1:
                return "macros with two variables"
            case Macro() if variables & set(node.variables):
                return "a macro's variable with the name of another one"
    return ""
