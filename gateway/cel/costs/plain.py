"""Conditions of which a look shows that they take next to nothing, as most do: no need to work out their bound."""

from __future__ import annotations

from gateway.cel.budget import ERROR_STEPS, SHORT_PART
from gateway.cel.functions.regex import compiled
from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Has,
    Ident,
    ListNode,
    Literal,
    Logic,
    Node,
    Parsed,
    Select,
    Unary,
    UnaryOperator,
)
from gateway.cel.values import CelError
from gateway.frozen import frozen

_FREE_CALLS = frozenset({"startsWith", "endsWith"})
_ARITHMETIC = frozenset(
    {BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY, BinaryOperator.DIVIDE, BinaryOperator.MODULO}
)


@frozen
class Plain:
    """The most steps that an evaluation takes, and how many more for each character of the longest text it reads."""

    steps: int
    characters: float


def plain_steps(parsed: Parsed) -> Plain | None:
    """The most steps that an evaluation takes for any values at all; None where that has to be worked out."""
    if parsed.ast is None or parsed.lets:
        return None
    steps, characters = 0, 0.0
    pending: list[Node] = [parsed.ast]
    while pending:
        node = pending.pop()
        kind = node.__class__
        if kind is Logic:
            steps += ERROR_STEPS * len(node.terms)  # type: ignore[union-attr]
            pending.extend(node.terms)  # type: ignore[union-attr]
        elif isinstance(node, Binary):
            if not _free(node):
                return None
            pending += node.left, node.right
        elif isinstance(node, Has | Select):
            pending.append(node.operand)
        elif isinstance(node, Unary):
            if node.operator is not UnaryOperator.NOT:
                return None
            pending.append(node.operand)
        elif isinstance(node, Conditional):
            pending += node.condition, node.then, node.otherwise
        elif isinstance(node, Call):
            rate = _rate(node)
            if rate is None or node.target is None:
                return None
            steps += 1 if rate else 0
            characters += rate
            pending.append(node.target)
        elif isinstance(node, ListNode):
            if not all(isinstance(one.value, Literal) for one in node.elements):
                return None
        elif kind is not Ident and kind is not Literal:
            return None
    return Plain(steps, characters)


def _rate(call: Call) -> float | None:
    """The steps that a call takes for each character of its target; None if it is none that is looked at here."""
    literal = call.arguments[0] if len(call.arguments) == 1 else None
    part = literal.value if isinstance(literal, Literal) else None
    if not isinstance(part, str) or isinstance(call.target, Literal):
        return None
    if call.name in _FREE_CALLS:
        return 0.0
    if call.name == "contains" and len(part) < _LONG:
        return 1 / 32 + (min(len(part), 100) / 128 if len(part) >= SHORT_PART else 0.0)
    if call.name == "matches":
        try:
            return compiled(part).steps / 64
        except CelError:
            return None
    return None


_LONG = 32
"""Of shorter parts the length itself costs less than one step."""


def _free(node: Binary) -> bool:
    """Whether an operator takes no steps, whatever its other side is."""
    if node.operator is BinaryOperator.IN:
        right = node.right
        return (
            isinstance(right, ListNode)
            and bool(right.elements)
            and all(one.access is Access.PLAIN and _text(one.value) for one in right.elements)
        )
    if node.operator in _ARITHMETIC:
        return True
    if node.operator is BinaryOperator.ADD:
        return False
    if node.operator in (BinaryOperator.EQUAL, BinaryOperator.UNEQUAL) and _text(node.right):
        return True
    return _small(node.left) or _small(node.right)


def _text(node: Node) -> bool:
    return isinstance(node, Literal) and node.value.__class__ is str


def _small(node: Node) -> bool:
    return isinstance(node, Literal) and not isinstance(node.value, str | bytes)
