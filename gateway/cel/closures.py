"""Python functions that evaluate one node each, given functions for the nodes below it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import Any

from gateway.cel import access
from gateway.cel.budget import COSTS, ERROR_STEPS, SMALL, Cost, text_membership
from gateway.cel.frame import BUDGET, Frame, Place, Run, spend
from gateway.cel.maps import apart
from gateway.cel.operators import KEYS, OPERATORS, contained, equal, negate
from gateway.cel.syntax import Access, BinaryOperator, LogicOperator, UnaryOperator
from gateway.cel.values import CelError, ErrorKind, OptionalValue, kind_of, no_overload

_ORDER: Mapping[BinaryOperator, Callable[[Any, Any], bool]] = {
    BinaryOperator.LESS: operator.lt,
    BinaryOperator.LESS_EQUAL: operator.le,
    BinaryOperator.GREATER: operator.gt,
    BinaryOperator.GREATER_EQUAL: operator.ge,
}
_HASHED = frozenset({dict, frozenset, set})
_LISTS = frozenset({list, tuple})

_LONG = 64


def constant(value: Any) -> Run:
    """Always the same value."""
    return lambda frame: value


def failing(error: CelError, place: Place) -> Run:
    """Always an error."""

    def run(frame: Frame) -> Any:
        raise CelError(error.kind, error.message).at(*place)

    return run


def slot(number: int) -> Run:
    """What a place of the frame holds."""
    return operator.itemgetter(number)


def variable(name: str, place: Place) -> Run:
    """A variable by its full name."""

    def run(frame: Frame) -> Any:
        try:
            return frame[0][name]
        except KeyError:
            raise CelError(ErrorKind.NO_SUCH_NAME, f"nothing is named `{name}`").at(*place) from None

    return run


def field_of_variable(name: str, field: str, otherwise: Run) -> Run:
    """`name.field` in one go; whatever is not that simple is done by the exact way."""

    def run(frame: Frame) -> Any:
        try:
            return frame[0][name][field]
        except (KeyError, TypeError):
            return otherwise(frame)

    return run


def select(operand: Run, name: str, place: Place) -> Run:
    """`operand.name`."""

    def run(frame: Frame) -> Any:
        value = operand(frame)
        if value.__class__ is dict and name in value:
            return value[name]
        try:
            return access.field(value, name)
        except CelError as error:
            raise error.at(*place) from None

    return run


def optional_select(operand: Run, name: str, place: Place) -> Run:
    """`operand.?name`."""

    def run(frame: Frame) -> Any:
        value = operand(frame)
        try:
            return access.optional_field(value, name)
        except CelError as error:
            raise error.at(*place) from None

    return run


def has(operand: Run, name: str, place: Place) -> Run:
    """`has(operand.name)`."""

    def run(frame: Frame) -> Any:
        value = operand(frame)
        if value.__class__ is dict:
            return name in value
        try:
            return access.has_field(value, name)
        except CelError as error:
            raise error.at(*place) from None

    return run


def index(operand: Run, key: Run, kind: Access, place: Place) -> Run:
    """`operand[key]`, or `operand[?key]`."""
    plain = kind is Access.PLAIN
    step = access.element if plain else access.optional_element

    def run(frame: Frame) -> Any:
        value, at = operand(frame), key(frame)
        if plain and at.__class__ is str and value.__class__ is dict and at in value:
            return value[at]
        try:
            return step(value, at)
        except CelError as error:
            raise error.at(*place) from None

    return run


def unary(symbol: UnaryOperator, operand: Run, place: Place) -> Run:
    """`!operand`, or `-operand`."""

    def invert(frame: Frame) -> Any:
        value = operand(frame)
        if value is True:
            return False
        if value is False:
            return True
        raise no_overload("!", value).at(*place)

    def minus(frame: Frame) -> Any:
        value = operand(frame)
        try:
            return negate(value)
        except CelError as error:
            raise error.at(*place) from None

    return invert if symbol is UnaryOperator.NOT else minus


def binary(symbol: BinaryOperator, left: Run, right: Run, place: Place) -> Run:
    """Any operator between two values."""
    compute, cost = OPERATORS[symbol], COSTS.get(symbol)
    fast = _ORDER.get(symbol)

    def ordered(frame: Frame) -> Any:
        one, other = left(frame), right(frame)
        if one.__class__ is int and other.__class__ is int:
            return fast(one, other)  # type: ignore[misc]
        return weighed(frame, one, other)

    def weighed(frame: Frame, one: Any, other: Any) -> Any:
        if cost is not None and not (one.__class__ in SMALL and other.__class__ in SMALL):
            steps = cost(one, other)
            if steps:
                spend(frame, steps, place)
        try:
            return compute(one, other)
        except CelError as error:
            raise error.at(*place) from None

    def equality(frame: Frame) -> Any:
        one, other = left(frame), right(frame)
        if one.__class__ is str and other.__class__ is str:
            if len(one) == len(other) > _LONG:
                spend(frame, len(one) >> 10, place)
            return (one == other) is wanted
        return weighed(frame, one, other)

    def membership(frame: Frame) -> Any:
        one, other = left(frame), right(frame)
        if one.__class__ is str and other.__class__ in _LISTS and len(one) + len(other) <= _LONG:
            return one in other
        return weighed(frame, one, other)

    if fast is not None:
        return ordered
    if symbol is BinaryOperator.IN:
        return membership
    if symbol is BinaryOperator.EQUAL or symbol is BinaryOperator.UNEQUAL:
        wanted = symbol is BinaryOperator.EQUAL
        return equality
    return lambda frame: weighed(frame, left(frame), right(frame))


def compared_with_text(symbol: BinaryOperator, operand: Run, text: str) -> Run:
    """`operand == 'text'`, or `!=`."""
    wanted = symbol is BinaryOperator.EQUAL

    def run(frame: Frame) -> Any:
        value = operand(frame)
        if value.__class__ is str:
            return (value == text) is wanted
        return equal(value, text) is wanted

    return run


def compared_with_number(symbol: BinaryOperator, operand: Run, number: int, place: Place) -> Run:
    """`operand > 1`, or another order, with an int."""
    fast, compute = _ORDER[symbol], OPERATORS[symbol]

    def run(frame: Frame) -> Any:
        value = operand(frame)
        if value.__class__ is int:
            return fast(value, number)
        try:
            return compute(value, number)
        except CelError as error:
            raise error.at(*place) from None

    return run


def text_in(text: str, range_: Run, place: Place) -> Run:
    """`'text' in range`."""

    def run(frame: Frame) -> Any:
        value = range_(frame)
        kind = value.__class__
        if kind in _LISTS:
            if len(value) > _LONG:
                spend(frame, text_membership(text, value), place)
            return text in value
        if kind in _HASHED:
            return text in value
        try:
            return contained(text, value)
        except CelError as error:
            raise error.at(*place) from None

    return run


def in_texts(operand: Run, texts: frozenset[str]) -> Run:
    """`operand in ['text', …]`."""

    def run(frame: Frame) -> Any:
        value = operand(frame)
        if value.__class__ is str:
            return value in texts
        return isinstance(value, str) and str.__str__(value) in texts

    return run


def logic(symbol: LogicOperator, terms: Sequence[Run], place: Place) -> Run:
    """`&&` or `||` over a chain: one deciding term makes errors in the others not matter."""
    decides = symbol is LogicOperator.OR
    carries_on = not decides

    def run(frame: Frame) -> Any:
        failed: CelError | None = None
        for term in terms:
            try:
                value = term(frame)
            except CelError as error:
                if frame[BUDGET] < 0:
                    raise
                spend(frame, ERROR_STEPS, place)
                failed = failed or error
                continue
            if value is decides:
                return decides
            if value is not carries_on:
                failed = failed or no_overload(symbol.value, value).at(*place)
        if failed is not None:
            raise failed
        return carries_on

    return run


def conditional(condition: Run, then: Run, otherwise: Run, place: Place) -> Run:
    """`condition ? then : otherwise`."""

    def run(frame: Frame) -> Any:
        value = condition(frame)
        if value is True:
            return then(frame)
        if value is False:
            return otherwise(frame)
        raise no_overload("? :", value).at(*place)

    return run


def call(function: Callable[..., Any], cost: Cost | None, arguments: Sequence[Run], place: Place) -> Run:
    """A function on the values of its arguments, paid for by what it does with them."""
    if len(arguments) == 1:
        (only,) = arguments

        def run_one(frame: Frame) -> Any:
            value = only(frame)
            try:
                if cost is not None and (steps := cost(value)):
                    spend(frame, steps, place)
                return function(value)
            except CelError as error:
                raise error.at(*place) from None

        return run_one
    if len(arguments) == 2:
        first, second = arguments

        def run_two(frame: Frame) -> Any:
            one, other = first(frame), second(frame)
            try:
                if cost is not None and (steps := cost(one, other)):
                    spend(frame, steps, place)
                return function(one, other)
            except CelError as error:
                raise error.at(*place) from None

        return run_two

    def run(frame: Frame) -> Any:
        values = [argument(frame) for argument in arguments]
        try:
            if cost is not None:
                spend(frame, cost(*values), place)
            return function(*values)
        except CelError as error:
            raise error.at(*place) from None

    return run


def list_of(elements: Sequence[tuple[Run, Access]], place: Place) -> Run:
    """A list literal."""
    if all(kind is Access.PLAIN for _, kind in elements):
        runs = [run for run, _ in elements]
        return lambda frame: [run(frame) for run in runs]

    def run(frame: Frame) -> Any:
        values = []
        for element, kind in elements:
            value = element(frame)
            if kind is Access.PLAIN:
                values.append(value)
            elif _optional(value, place).present:
                values.append(value.value)
        return values

    return run


def _optional(value: Any, place: Place) -> OptionalValue:
    if isinstance(value, OptionalValue):
        return value
    raise no_overload("?", value).at(*place)


def map_of(entries: Sequence[tuple[Run, Run, Access]], place: Place) -> Run:
    """A map literal; a key that occurs twice is an error."""

    def run(frame: Frame) -> Any:
        values: MutableMapping[Any, Any] = {}
        for key_run, value_run, kind in entries:
            key, value = key_run(frame), value_run(frame)
            if kind_of(key) not in KEYS:
                raise no_overload("{}", key).at(*place)
            if kind is Access.OPTIONAL:
                if not _optional(value, place).present:
                    continue
                value = value.value
            if key in values:
                found, values = values, apart(values, key)
                if values is found:
                    raise CelError(ErrorKind.INVALID, "a key occurs twice in a map").at(*place)
            values[key] = value
        return values

    return run
