"""Lists taken as sets: order and repetition play no part."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable
from typing import Any

from gateway.cel.budget import size
from gateway.cel.functions.signature import Fails, Function, Overload, Style
from gateway.cel.operators import NUMBERS
from gateway.cel.types import BOOL, ListType, Variable
from gateway.cel.values import Kind, adopt, kind_of

_LIST = ListType(Variable("A"))
_STEPS = 5
_WIDEST = 2**64


def key_of(value: Any) -> Hashable:
    """What is equal for two values if CEL takes them as equal, and never else; NaN is not even itself.

    Python's integers hash alike if they are a certain number apart; what lies beyond 64 bits is hashed as text,
    so that nobody can choose many of them.
    """
    if value.__class__ is str:
        return value
    kind = kind_of(value)
    if kind is Kind.DOUBLE and math.isnan(value):
        return object()
    if kind in NUMBERS:
        return (Kind.INT, value if -_WIDEST < value < _WIDEST or kind is Kind.DOUBLE else hex(value))
    if kind is Kind.STRING:
        return str.__str__(value)
    if kind is Kind.LIST:
        return (kind, tuple(map(key_of, adopt(value))))
    if kind is Kind.MAP:
        return (kind, frozenset((key_of(key), key_of(value[key])) for key in value))
    if kind is Kind.OPTIONAL:
        return (kind, value.present and key_of(value.value))
    return (kind, adopt(value))


def _keys(values: Collection[Any]) -> frozenset[Hashable]:
    return frozenset(map(key_of, values))


def _cost(one: Any, other: Any) -> int:
    return _STEPS * (size(one) + size(other))


def _function(
    name: str, summary: str, example: str, run: Callable[[frozenset[Hashable], frozenset[Hashable]], bool]
) -> Function:
    def compared(one: Collection[Any], other: Collection[Any]) -> bool:
        return run(_keys(one), _keys(other))

    overload = Overload((_LIST, _LIST), BOOL, compared, Fails.NEVER)
    return Function(f"sets.{name}", Style.GLOBAL, (overload,), summary, example, cost=_cost)


FUNCTIONS = (
    _function(
        "contains",
        "Whether a list has every element of another one.",
        "sets.contains(['read', 'write'], ['read'])",
        lambda one, other: one >= other,
    ),
    _function(
        "equivalent",
        "Whether each of two lists has every element of the other.",
        "sets.equivalent([1, 2], [2, 1, 1])",
        lambda one, other: one == other,
    ),
    _function(
        "intersects",
        "Whether two lists have an element in common.",
        "sets.intersects([1, 2], [2, 3])",
        lambda one, other: not one.isdisjoint(other),
    ),
)
