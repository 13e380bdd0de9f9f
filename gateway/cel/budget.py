"""What one evaluation may cost: hostile arguments must not turn a small condition into hours or gigabytes.

A step is about a tenth of a microsecond of work, so that the whole budget is about a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from gateway.cel.syntax import Binary, BinaryOperator, Call, Ident, Literal, Macro, Node, children
from gateway.cel.values import OptionalValue, UInt, Url

Cost: TypeAlias = Callable[..., int]
"""The steps that an operator or a function takes for these operands."""

MAX_STEPS = 1_000_000
"""How many steps an evaluation may take."""

ERROR_STEPS = 60
"""What it takes to raise an error and to absorb it."""

SMALL = frozenset({int, float, bool, type(None), UInt})
"""Classes whose values never make an operation dear."""

_TEXTS = frozenset({str, bytes})
_LISTS = frozenset({list, tuple})
_SETS = frozenset({set, frozenset})
_ARITHMETIC = frozenset(
    {
        BinaryOperator.ADD,
        BinaryOperator.SUBTRACT,
        BinaryOperator.MULTIPLY,
        BinaryOperator.DIVIDE,
        BinaryOperator.MODULO,
    }
)
_MOST_COUNTED = MAX_STEPS // 3


class Purse:
    """The steps that several evaluations may take together, one after the other."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


def weight(nodes: Iterable[Node | None]) -> int:
    """The steps of evaluating some nodes once; a macro among them pays for its elements itself."""
    steps = 0
    pending = [node for node in nodes if node is not None]
    while pending:
        node = pending.pop()
        if isinstance(node, Macro):
            steps += 8
            pending.append(node.range)
            continue
        if isinstance(node, Binary):
            steps += 7 if node.operator in _ARITHMETIC else 1
        elif not isinstance(node, Ident | Literal):
            steps += 3 if isinstance(node, Call) else 1
        pending.extend(children(node))
    return steps


def size(value: Any) -> int:
    """How many values one holds at every depth, long texts and collections as several.

    Counting ends where the budget does.
    """
    count = 0
    pending = [value]
    while pending and count < _MOST_COUNTED:
        current = pending.pop()
        kind = current.__class__
        if kind in SMALL:
            count += 1
        elif kind in _TEXTS:
            count += 1 + (len(current) >> 12)
        elif kind is Url:
            count += 5 + (len(current.text) >> 11)
        else:
            count += 5
        if kind in _LISTS or kind in _SETS:
            pending.extend(current)
        elif kind is OptionalValue:
            pending.append(current.value)
        elif kind is dict or isinstance(current, Mapping):
            pending.extend(current.values())
    return count


def length(value: Any) -> int:
    """The characters of a text; nothing else has any."""
    return len(value) if isinstance(value, str | bytes) else 0


def count(value: Any) -> int:
    """The elements of a list; nothing else has any."""
    return len(value) if isinstance(value, list | tuple | set | frozenset) else 0


def made(characters: int) -> int:
    """The steps of making a text, so that its memory is paid for before it is taken."""
    return characters >> 6


def searched(text: Any, part: Any) -> int:
    """The steps of looking for one text in another.

    In a short text Python looks for the part place by place, which its author may have made slow.
    """
    if not isinstance(text, str) or not isinstance(part, str):
        return 0
    steps = (len(text) + len(part)) >> 5
    if len(text) < _SHORT_TEXT and len(part) >= SHORT_PART:
        steps += len(text) * min(len(part), _LONG_PART) >> 7
    return steps


_SHORT_TEXT, _LONG_PART = 30_000, 100
SHORT_PART = 6
"""Shorter parts are found soon in any text."""


def comparison(one: Any, other: Any) -> int:
    """Texts by the shorter one, collections by everything in them."""
    if one.__class__ in _TEXTS:
        return min(len(one), length(other)) >> 10
    if one.__class__ in SMALL or other.__class__ in SMALL:
        return 0
    if isinstance(one, OptionalValue):
        return comparison(one.value, other.value) if isinstance(other, OptionalValue) else 0
    if isinstance(one, Url):
        return 2 * comparison(one.text, other.text) if isinstance(other, Url) else 0
    try:
        return 3 * size(one) if len(one) == len(other) else 0
    except TypeError:
        return 0


def membership(element: Any, range_: Any) -> int:
    """A list by its length, or by everything in it if collections have to be compared."""
    kind, held = element.__class__, range_.__class__
    if held in _LISTS:
        if kind in _TEXTS:
            return text_membership(element, range_)
        return len(range_) >> 1 if kind in SMALL else 3 * size(range_)
    if kind in _TEXTS:
        return len(element) >> 8
    if held in _SETS:
        return 3 * size(range_)
    return len(range_) >> 1 if isinstance(range_, Mapping) else 0


def text_membership(text: str | bytes, range_: Any) -> int:
    """A list by its length, more for a text that takes long to compare."""
    return (len(range_) >> 2) + len(range_) * (len(text) >> 11)


def addition(one: Any, other: Any) -> int:
    """What is put together anew, and takes memory."""
    if one.__class__ in _TEXTS:
        return (len(one) + length(other)) >> 6
    if one.__class__ in _LISTS and other.__class__ in _LISTS:
        return (len(one) + len(other)) >> 3
    return 0


COSTS: Mapping[BinaryOperator, Cost] = {
    BinaryOperator.ADD: addition,
    BinaryOperator.IN: membership,
    **dict.fromkeys(
        (
            BinaryOperator.EQUAL,
            BinaryOperator.UNEQUAL,
            BinaryOperator.LESS,
            BinaryOperator.LESS_EQUAL,
            BinaryOperator.GREATER,
            BinaryOperator.GREATER_EQUAL,
        ),
        comparison,
    ),
}
"""The operators whose work grows with their operands."""
