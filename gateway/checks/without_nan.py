"""Which expressions are never NaN, so that each bound is either passed or kept by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.cel.syntax import Node

_COUNTS = frozenset({"size", "int", "uint", "indexOf", "lastIndexOf"})


def is_number(node: Node) -> bool:
    """Whether what is compared with a bound is never NaN: what JSON holds, a count, or one step of arithmetic."""
    from gateway.cel.syntax import Binary, BinaryOperator

    if isinstance(node, Binary):
        steps = (BinaryOperator.ADD, BinaryOperator.SUBTRACT, BinaryOperator.MULTIPLY)
        return node.operator in steps and _is_finite(node.left) and _is_finite(node.right)
    return _is_finite(node)


def _is_finite(node: Node) -> bool:
    from gateway.cel.syntax import Call, Ident, Index, Literal, Select

    match node:
        case Select(operand=operand) | Index(operand=operand):
            return _is_finite(operand)
        case Call(name=name):
            return name in _COUNTS or name.startswith("get")
    return isinstance(node, Ident | Literal)
