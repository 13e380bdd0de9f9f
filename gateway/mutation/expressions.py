"""Variants of an expression: a part of `&&` or `||` left out, a part turned round, a bound moved by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from gateway.cel import Parsed
from gateway.cel.syntax import (
    Binary,
    BinaryOperator,
    Conditional,
    Element,
    Entry,
    Ident,
    Literal,
    Logic,
    Macro,
    MacroKind,
    Node,
    Scoped,
    Unary,
    UnaryOperator,
    children,
)
from gateway.diagnostic import Span


@dataclass(frozen=True, slots=True)
class Variant:
    """An expression with one thing changed."""

    id: str
    place: Span
    change: str
    parsed: Parsed


def variants(parsed: Parsed) -> Iterator[Variant]:
    """Every variant of an expression, numbered by kind in the order of its text; of its `let` names as well."""
    if parsed.ast is not None:
        yield from _own(parsed, parsed.ast)
    for name, let in parsed.lets.items():
        for one in variants_of_let(let):
            made = _with_let(parsed, name, one.parsed)
            yield Variant(f"let-{name}/{one.id}", one.place, one.change, made)


def variants_of_let(let: Parsed) -> Iterator[Variant]:
    """The variants of a named part by itself; those that it is made of have their own."""
    if let.ast is not None:
        yield from _own(let, let.ast)


def _with_let(parsed: Parsed, name: str, new: Parsed) -> Parsed:
    lets: dict[str, Parsed] = {}
    for key, let in parsed.lets.items():
        lets[key] = new if key == name else _with_let(let, name, new) if name in let.lets else let
    return replace(parsed, lets=lets)


def _own(parsed: Parsed, root: Node) -> Iterator[Variant]:
    numbers: dict[str, int] = {}
    for kind, node, new, change in _changes(parsed, root, boolean=True):
        what, _, how = kind.partition(":")
        numbers[what] = numbers.get(what, 0) + 1
        name = f"{what}-{numbers[what]}" + (f":{how}" if how else "")
        yield Variant(name, parsed.span(node), change, replace(parsed, ast=_swapped(root, node, new)))


_Change = tuple[str, Node, Node, str]


def _changes(parsed: Parsed, node: Node, *, boolean: bool) -> Iterator[_Change]:
    """Kind, the node, what stands in its place, and the change in words."""
    if isinstance(node, Logic):
        yield from _left_out(parsed, node)
        for term in node.terms:
            yield from _changes(parsed, term, boolean=True)
        return
    if isinstance(node, Unary) and node.operator is UnaryOperator.NOT:
        yield from _changes(parsed, node.operand, boolean=True)
        return
    if isinstance(node, Conditional):
        for name, branch in (("then", node.then), ("else", node.otherwise)):
            yield name, node, branch, f"`{_text(parsed, node)}` is always `{_text(parsed, branch)}`"
        yield from _changes(parsed, node.condition, boolean=True)
        for branch in (node.then, node.otherwise):
            yield from _changes(parsed, branch, boolean=boolean)
        return
    if isinstance(node, Scoped):
        yield from _changes(parsed, node.value, boolean=False)
        yield from _changes(parsed, node.body, boolean=boolean)
        return
    named = isinstance(node, Ident) and node.name in parsed.lets
    if boolean and not isinstance(node, Literal) and not named:
        negated = Unary(node.start, node.end, UnaryOperator.NOT, node)
        yield "negate", node, negated, f"`{_text(parsed, node)}` is turned round"
    if isinstance(node, Binary):
        yield from _moved(parsed, node)
    inside = isinstance(node, Macro) and node.kind in _ASKING
    for child in children(node):
        body = inside and isinstance(node, Macro) and child is node.body
        yield from _changes(parsed, child, boolean=body and isinstance(child, Logic))


_ASKING = (MacroKind.ALL, MacroKind.EXISTS, MacroKind.EXISTS_ONE)


def _left_out(parsed: Parsed, node: Logic) -> Iterator[_Change]:
    texts = [_text(parsed, term) for term in node.terms]
    for index, term in enumerate(node.terms):
        if texts.index(texts[index]) != index:
            continue  # said twice: without it the policy is the same
        rest = node.terms[:index] + node.terms[index + 1 :]
        new = rest[0] if len(rest) == 1 else replace(node, terms=rest)
        yield "drop", node, new, f"`{_text(parsed, term)}` is left out"


_STRICT = {
    BinaryOperator.LESS: (BinaryOperator.LESS_EQUAL, -1),
    BinaryOperator.LESS_EQUAL: (BinaryOperator.LESS, 1),
    BinaryOperator.GREATER: (BinaryOperator.GREATER_EQUAL, 1),
    BinaryOperator.GREATER_EQUAL: (BinaryOperator.GREATER, -1),
}
"""What a comparison becomes, and which way its bound is moved so that the two are not the same for whole numbers."""


def _moved(parsed: Parsed, node: Binary) -> Iterator[_Change]:
    if node.operator not in _STRICT:
        return
    other, step = _STRICT[node.operator]
    text = _text(parsed, node)
    swapped = replace(node, operator=other)
    yield "bound:" + other.value, node, swapped, f"`{text}` has `{other.value}`"
    for side, way in (("right", step), ("left", -step)):
        bound = getattr(node, side)
        if isinstance(bound, Literal) and bound.value.__class__ is int:
            sides: dict[str, Any] = {side: replace(bound, value=bound.value + way)}
            yield "moved", node, replace(node, **sides), f"`{text}` has {bound.value + way}"


def _swapped(node: Any, old: Node, new: Node) -> Any:
    """The tree with one node in the place of another."""
    if node is old:
        return new
    if isinstance(node, tuple):
        items = tuple(_swapped(item, old, new) for item in node)
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    if not is_dataclass(node) or isinstance(node, type) or not isinstance(node, _TREE):
        return node
    changes: dict[str, Any] = {}
    for one in fields(node):
        value = getattr(node, one.name)
        made = _swapped(value, old, new)
        if made is not value:
            changes[one.name] = made
    return replace(node, **changes) if changes else node


_TREE = (*Node.__args__, Element, Entry)


def _text(parsed: Parsed, node: Node) -> str:
    return " ".join(parsed.excerpt.text[node.start : node.end].split())
