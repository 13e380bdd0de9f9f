"""What a condition tells about a value where it holds, or where it does not: that it is there, or of which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gateway.cel.domain import KINDS
from gateway.cel.fields import Path
from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Has,
    Ident,
    Literal,
    Node,
    Unary,
    UnaryOperator,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A value at a path is there, or is of one of some kinds."""

    path: Path
    kinds: frozenset[str] | None = None


def learned(node: Node, holds: bool, path_of: Callable[[Node], Path | None]) -> Iterator[Fact]:
    """What is known where a condition is true, or where it is false."""
    while isinstance(node, Unary) and node.operator is UnaryOperator.NOT:
        node, holds = node.operand, not holds
    if isinstance(node, Has):
        if holds and node.access is not Access.OPTIONAL and (path := path_of(node.operand)) is not None:
            yield Fact((*path, node.field))
        return
    if not isinstance(node, Binary):
        return
    if node.operator is BinaryOperator.IN:
        path = path_of(node.right)
        if holds and path is not None and isinstance(node.left, Literal) and isinstance(node.left.value, str):
            yield Fact((*path, node.left.value))
    elif (asked := kind_asked(node, path_of)) is not None:
        path, kind = asked
        same = holds is (node.operator is BinaryOperator.EQUAL)
        yield Fact(path, frozenset({kind}) if same else KINDS - {kind})


def kind_asked(node: Binary, path_of: Callable[[Node], Path | None]) -> tuple[Path, str] | None:
    """The path and the kind of `x == null` and of `type(x) == string`, also with `!=`."""
    if node.operator not in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL):
        return None
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(other, Literal) and other.value is None:
            path = path_of(one)
            return None if path is None else (path, "null")
        if not isinstance(other, Ident) or other.name not in _TYPE_NAMES:
            continue
        if isinstance(one, Call) and one.name == "type" and one.target is None and len(one.arguments) == 1:
            path = path_of(one.arguments[0])
            return None if path is None else (path, _TYPE_NAMES[other.name])
    return None


_TYPE_NAMES = {**{kind: kind for kind in KINDS if kind != "null"}, "null_type": "null"}
