"""What an expression reads of a request, and what it comes to, as far as that can be told by looking."""

from __future__ import annotations

import operator as operators
from collections.abc import Callable, Mapping
from typing import Any

from gateway.cel.syntax import (
    Binary,
    BinaryOperator,
    Call,
    Ident,
    Index,
    ListNode,
    Literal,
    MapNode,
    Node,
    Parsed,
    Select,
)
from gateway.frozen import frozen
from gateway.search.request import ITERATION, ROOTS, Path, World

Scope = Mapping[str, "Path | Parsed | Node"]
"""What names stand for: the place of an element, another expression, or a constant of the expression."""


class Unseen(Exception):
    """A value that can't be told without evaluating it for real."""


@frozen
class Known:
    """What a policy says of a tool: the variables that no request changes, and where arguments of a role stand."""

    constants: Mapping[str, Any]
    roles: Mapping[str, Path]


class Sight:
    """Looks at expressions over a request."""

    def __init__(self, world: World, known: Known) -> None:
        self.world = world
        self.constants = known.constants
        self.roles = known.roles

    def truth(self, node: Node, scope: Scope) -> bool | None:
        """Whether a comparison holds, as far as that can be told by looking."""
        try:
            if isinstance(node, Binary) and node.operator in HOLDS:
                return HOLDS[node.operator](self.value(node.left, scope), self.value(node.right, scope))
            if isinstance(node, Call) and node.name in _TEXTS and node.target is not None:
                text, part = self.value(node.target, scope), self.value(node.arguments[0], scope)
                if isinstance(text, str) and isinstance(part, str):
                    return _TEXTS[node.name](text, part)
        except (Unseen, TypeError, IndexError):
            return None
        return None

    def place(self, node: Node, scope: Scope) -> Path | None:
        """Where the value of an expression stands in the request, if it is read from there as it is."""
        if isinstance(node, Ident):
            known = scope.get(node.name)
            if isinstance(known, tuple):
                return known
            if known is not None:
                inner = known.ast if isinstance(known, Parsed) else known
                return None if inner is None else self.place(inner, scope)
            return (node.name,) if node.name in ROOTS else None
        if isinstance(node, Select):
            return self.below(node.operand, node.field, scope)
        if isinstance(node, Index):
            above = self.place(node.operand, scope)
            try:
                key = self.value(node.index, scope)
            except Unseen:
                return None
            if above is None or not isinstance(key, int | str) or isinstance(key, bool):
                return None
            return (*above, key)
        return None

    def below(self, operand: Node, field: str, scope: Scope) -> Path | None:
        """Where a field of what an expression reads stands."""
        if isinstance(operand, Ident) and operand.name == "roles":
            return self.roles.get(field)
        if isinstance(operand, Ident) and operand.name == "call" and "call" not in scope:
            return ITERATION if field == "iteration" else None
        above = self.place(operand, scope)
        return None if above is None else _moved((*above, field))

    def value(self, node: Node, scope: Scope) -> Any:
        """What an expression comes to in the request as it is; raises `Unseen` where that takes evaluating."""
        if isinstance(node, Literal):
            return node.value
        if isinstance(node, ListNode):
            return [self.value(each.value, scope) for each in node.elements]
        if isinstance(node, MapNode):
            return {self.value(each.key, scope): self.value(each.value, scope) for each in node.entries}
        path = self.place(node, scope)
        if path is not None:
            try:
                return self.world.get(path)
            except LookupError:
                raise Unseen from None
        if isinstance(node, Ident):
            known = scope.get(node.name)
            if isinstance(known, Parsed) and known.ast is not None:
                return self.value(known.ast, {**scope, **known.lets})
            if known is not None and not isinstance(known, Parsed | tuple):
                return self.value(known, scope)
            if node.name in self.constants:
                return self.constants[node.name]
        if isinstance(node, Select):
            above = self.value(node.operand, scope)
            if isinstance(above, Mapping) and node.field in above:
                return above[node.field]
        if isinstance(node, Call) and node.name == "size":
            inside = node.target if node.target is not None else node.arguments[0]
            whole = self.value(inside, scope)
            if isinstance(whole, str | list | dict):
                return len(whole)
        if isinstance(node, Binary) and node.operator in _COMPUTED:
            left, right = self.value(node.left, scope), self.value(node.right, scope)
            try:
                return _COMPUTED[node.operator](left, right)
            except (TypeError, ArithmeticError):
                raise Unseen from None
        raise Unseen


def _moved(path: Path) -> Path:
    """The subject's tenant is the session's: a request has one."""
    return ("session", "tenant") if path == ("subject", "tenant") else path


_COMPUTED: Mapping[BinaryOperator, Callable[[Any, Any], Any]] = {
    BinaryOperator.ADD: operators.add,
    BinaryOperator.SUBTRACT: operators.sub,
    BinaryOperator.MULTIPLY: operators.mul,
    BinaryOperator.MODULO: operators.mod,
}


def _same(one: Any, other: Any) -> bool:
    return (type(one) is type(other) and bool(one == other)) or (
        _number(one) and _number(other) and one == other
    )


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


HOLDS: Mapping[BinaryOperator, Callable[[Any, Any], bool]] = {
    BinaryOperator.EQUAL: _same,
    BinaryOperator.UNEQUAL: lambda one, other: not _same(one, other),
    BinaryOperator.LESS: operators.lt,
    BinaryOperator.LESS_EQUAL: operators.le,
    BinaryOperator.GREATER: operators.gt,
    BinaryOperator.GREATER_EQUAL: operators.ge,
}
"""The comparisons, as near as looking comes to them."""
_TEXTS: Mapping[str, Callable[[str, str], bool]] = {
    "startsWith": str.startswith,
    "endsWith": str.endswith,
    "contains": operators.contains,
}
