"""The one term of a condition that is asked for many conditions at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gateway.cel.environment import Environment, resolve_call
from gateway.cel.functions import STANDARD
from gateway.cel.functions.signature import Style
from gateway.cel.syntax import (
    Access,
    Binary,
    BinaryOperator,
    Call,
    Has,
    Ident,
    ListNode,
    Literal,
    Logic,
    LogicOperator,
    Node,
    Parsed,
    Select,
)

_EXACT = 2**53
"""Below this a whole number and a double compare alike."""
_NONE = object()


@dataclass(frozen=True, slots=True)
class Term:
    """One question about one argument; `guarded` where `has()` of it stands before."""

    argument: str
    asks: str
    constants: tuple[Any, ...]
    guarded: bool


_PREFERRED = ("is", "equals", "begins with", "ends with", "holds", ">", ">=", "<", "<=")
_CHEAP = frozenset({"is", "equals", ">", ">=", "<", "<="})
"""Terms that cost nothing: what stands behind them is reached whatever the arguments are."""


def best(parsed: Parsed, environment: Environment) -> Term | str | None:
    """The term of a condition that is most often false, among those that are reached at no cost.

    Without any, the argument that the condition wants to be there, if it does.
    """
    node = parsed.ast
    if node is None or "args" in parsed.lets:
        return None
    chain = isinstance(node, Logic) and node.operator is LogicOperator.AND
    terms: tuple[Node, ...] = node.terms if chain else (node,)  # type: ignore[union-attr]
    there: dict[str, None] = {}
    found: list[Term] = []
    for term in terms:
        if isinstance(term, Has) and _argument_of(term) is not None:
            there[term.field] = None
            continue
        read = _read(term, environment)
        if read is None:
            break
        argument, asks, constants = read
        found.append(Term(argument, asks, constants, argument in there))
        if asks not in _CHEAP or (isinstance(term, Binary) and term.operator is BinaryOperator.IN):
            break
    if found:
        return min(found, key=lambda one: _PREFERRED.index(one.asks))
    return next(iter(there), None)


def _read(node: Node, environment: Environment) -> tuple[str, str, tuple[Any, ...]] | None:
    """An argument, what is asked of it, and the constants."""
    if isinstance(node, Binary):
        return _compared(node)
    if isinstance(node, Call) and node.target is not None and len(node.arguments) == 1:
        function, target = resolve_call(node, environment, ())
        asks = next((asks for known, asks in _CALLS if function is known), None)
        argument, constant = _argument_of(target), _constant(node.arguments[0])
        if asks is not None and argument is not None and constant.__class__ is str:
            return argument, asks, (constant,)
    return None


_CALLS = tuple(
    (STANDARD.find(name, Style.MEMBER), asks)
    for name, asks in (("startsWith", "begins with"), ("endsWith", "ends with"), ("contains", "holds"))
)
_SIGNS = {
    BinaryOperator.GREATER: (">", "<"),
    BinaryOperator.GREATER_EQUAL: (">=", "<="),
    BinaryOperator.LESS: ("<", ">"),
    BinaryOperator.LESS_EQUAL: ("<=", ">="),
}
"""How a comparison is called, and how it is when its sides are exchanged."""


def _compared(node: Binary) -> tuple[str, str, tuple[Any, ...]] | None:
    argument, right = _argument_of(node.left), node.right
    if node.operator is BinaryOperator.IN:
        if argument is None or not isinstance(right, ListNode) or not right.elements:
            return None
        constants = [_constant(one.value) if one.access is Access.PLAIN else _NONE for one in right.elements]
        return _among(argument, constants)
    mirrored = argument is None
    if mirrored:
        argument, right = _argument_of(node.right), node.left
    constant = _constant(right)
    if argument is None or constant is _NONE:
        return None
    if node.operator is BinaryOperator.EQUAL:
        return _among(argument, [constant])
    signs = _SIGNS.get(node.operator)
    if signs is None or constant.__class__ not in (int, float) or not abs(constant) < _EXACT:
        return None
    return argument, signs[mirrored], (constant,)


def _among(argument: str, constants: list[Any]) -> tuple[str, str, tuple[Any, ...]] | None:
    classes = {constant.__class__ for constant in constants}
    if classes == {str}:
        return argument, "is", tuple(constants)
    if classes == {int} and all(abs(constant) < _EXACT for constant in constants):
        return argument, "equals", tuple(constants)
    return None


def _argument_of(node: Node | None) -> str | None:
    """The name behind `args.`."""
    if isinstance(node, Select | Has) and node.access is Access.PLAIN:
        operand = node.operand
        if isinstance(operand, Ident) and operand.name == "args" and not operand.root:
            return node.field
    return None


def _constant(node: Node) -> Any:
    return node.value if isinstance(node, Literal) else _NONE
