"""What operators take at most, at the prices of `gateway.cel.budget`, and what comes out."""

from __future__ import annotations

from gateway.cel.costs.extents import TRUTH, Extent, either, inside, small, text
from gateway.cel.costs.forms import ZERO, Form, least_of, most_of
from gateway.cel.syntax import BinaryOperator
from gateway.cel.types import DYN, INT, ListType

_COMPARED = frozenset(
    {
        BinaryOperator.EQUAL,
        BinaryOperator.UNEQUAL,
        BinaryOperator.LESS,
        BinaryOperator.LESS_EQUAL,
        BinaryOperator.GREATER,
        BinaryOperator.GREATER_EQUAL,
    }
)


def operator(symbol: BinaryOperator, left: Extent, right: Extent) -> tuple[Form, Extent]:
    """The steps of an operator between two values, and its result."""
    if symbol in _COMPARED:
        return _comparison(left, right), TRUTH
    if symbol is BinaryOperator.IN:
        return _membership(left, right), TRUTH
    if symbol is not BinaryOperator.ADD:
        return ZERO, Extent(DYN, Form(_WRITTEN), ZERO, ZERO, plain=True)
    if left.small or right.small:
        # A text beside a number is counted before the two turn out not to fit.
        other = right if left.small else left
        return (ZERO if other.small else other.text.scaled(1 / 64)), small(INT, left.number + right.number)
    return _addition(left, right)


_WRITTEN = 4_096.0
"""More characters than a number, a time or a decimal is written with."""


def _comparison(left: Extent, right: Extent) -> Form:
    if left.small or right.small:
        return ZERO
    texts = least_of(left.text, right.text).scaled(1 / 512)
    return texts if left.textual else most_of(texts, left.size.scaled(3))


def _membership(element: Extent, range_: Extent) -> Form:
    count = range_.count
    if range_.hashed and element.textual:
        return element.text.scaled(1 / 256)
    if element.small:
        found = count.scaled(1 / 2)
        return found if range_.plain else most_of(found, range_.size.scaled(3))
    texts = count.scaled(1 / 4) + count.multiplied(element.text).scaled(1 / 2048)
    hashed = element.text.scaled(1 / 256)
    if element.textual:
        return texts + hashed
    return most_of(texts + hashed, range_.size.scaled(3))


def _addition(left: Extent, right: Extent) -> tuple[Form, Extent]:
    characters, items, count = left.text + right.text, left.items + right.items, left.count + right.count
    cost = characters.scaled(1 / 64) + count.scaled(1 / 8)
    if left.textual or right.textual:
        return characters.scaled(1 / 64), text(characters, left.type if left.textual else right.type)
    if isinstance(left.type, ListType) or isinstance(right.type, ListType):
        cost = count.scaled(1 / 8)
    both = either(inside(left), inside(right))
    type_ = left.type if left.type == right.type else DYN
    return cost, Extent(
        type_,
        characters.plus(_WRITTEN) if type_ == DYN else characters,
        items,
        count,
        left.number + right.number,
        inside=both,
        plain=left.plain and right.plain,
    )
