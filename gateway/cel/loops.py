"""Python functions that evaluate macros: one loop for each thing that a macro can build."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any

from gateway.cel.budget import ERROR_STEPS
from gateway.cel.frame import BUDGET, Frame, Place, Run, spend
from gateway.cel.maps import apart, elements
from gateway.cel.syntax import MacroKind
from gateway.cel.values import CelError, OptionalValue, no_overload, some


def one_by_one(range_: Run, steps: int, place: Place) -> Run:
    """The elements of a list or the keys of a map, if there is budget left for so many steps with each."""

    def run(frame: Frame) -> Iterable[Any]:
        value = range_(frame)
        try:
            found = elements(value)
        except CelError as error:
            raise error.at(*place) from None
        spend(frame, len(value) * steps, place)
        return found

    return run


def in_pairs(range_: Run, steps: int, place: Place) -> Run:
    """Pairs of index and element of a list, or of key and value of a map."""
    single = one_by_one(range_, steps, place)

    def run(frame: Frame) -> Iterable[Any]:
        found = single(frame)
        return found.items() if isinstance(found, Mapping) else enumerate(found)

    return run


def unpacked(pair: int, first: int, second: int, body: Run) -> Run:
    """A body that sees the pair in one place of the frame as two variables."""

    def run(frame: Frame) -> Any:
        frame[first], frame[second] = frame[pair]
        return body(frame)

    return run


def loop(kind: MacroKind, range_: Run, slot: int, condition: Run | None, body: Run, place: Place) -> Run:
    """A macro whose elements are put one after the other into a place of the frame."""
    if kind is MacroKind.ALL or kind is MacroKind.EXISTS:
        return _quantifier(range_, slot, body, place, kind is MacroKind.EXISTS)
    if kind is MacroKind.EXISTS_ONE:
        return _exists_one(range_, slot, body, place)
    kept = _kept(range_, slot, condition, place)
    if kind is MacroKind.LIST:
        return lambda frame: [body(frame) for _ in kept(frame)]

    def keyed(frame: Frame) -> Any:
        values: MutableMapping[Any, Any] = {}
        for _ in kept(frame):
            key = frame[slot][0]
            if key in values:
                values = apart(values, key)
            values[key] = body(frame)
        return values

    return keyed


def _quantifier(range_: Run, slot: int, body: Run, place: Place, decides: bool) -> Run:
    symbol = "exists" if decides else "all"

    def run(frame: Frame) -> Any:
        failed: CelError | None = None
        for frame[slot] in range_(frame):  # noqa: B020
            try:
                value = body(frame)
            except CelError as error:
                if frame[BUDGET] < 0:
                    raise
                spend(frame, ERROR_STEPS, place)
                failed = failed or error
                continue
            if value is decides:
                return decides
            if value.__class__ is not bool:
                failed = failed or no_overload(symbol, value).at(*place)
        if failed is not None:
            raise failed
        return not decides

    return run


def _truth(value: Any, place: Place) -> bool:
    if value is True or value is False:
        return bool(value)
    raise no_overload("filter", value).at(*place)


def _exists_one(range_: Run, slot: int, body: Run, place: Place) -> Run:
    def run(frame: Frame) -> Any:
        count = 0
        for frame[slot] in range_(frame):  # noqa: B020
            count += _truth(body(frame), place)
        return count == 1

    return run


def _kept(range_: Run, slot: int, condition: Run | None, place: Place) -> Callable[[Frame], Iterable[None]]:
    def run(frame: Frame) -> Iterable[None]:
        for frame[slot] in range_(frame):  # noqa: B020
            if condition is None or _truth(condition(frame), place):
                yield None

    return run


def bound(value: Run, slot: int, body: Run) -> Run:
    """`cel.bind`: a body that sees a value under a name."""

    def run(frame: Frame) -> Any:
        frame[slot] = value(frame)
        return body(frame)

    return run


def optional_map(value: Run, slot: int, body: Run, place: Place) -> Run:
    """`optMap`: the body's value for what an optional holds, as an optional again."""
    return optional_flat_map(value, slot, lambda frame: some(body(frame)), place)


def optional_flat_map(value: Run, slot: int, body: Run, place: Place) -> Run:
    """`optFlatMap`: the body's optional for what an optional holds."""

    def run(frame: Frame) -> Any:
        optional = value(frame)
        if not isinstance(optional, OptionalValue):
            raise no_overload("optMap", optional).at(*place)
        if not optional.present:
            return optional
        frame[slot] = optional.value
        return body(frame)

    return run


def unset(slot: int, body: Run) -> Run:
    """A value of `cel.block` that is to be evaluated `once`: anew whenever the block is."""

    def run(frame: Frame) -> Any:
        frame[slot] = UNSET
        return body(frame)

    return run


class Failed:
    """A `let` whose evaluation failed, kept so that it fails again in the same way."""

    __slots__ = ("error",)

    def __init__(self, error: CelError) -> None:
        self.error = error


UNSET = object()
"""What the place of a `let` holds before it is used."""


def once(slot: int, body: Run) -> Run:
    """A `let`: evaluated when it is first used, then remembered."""

    def run(frame: Frame) -> Any:
        value = frame[slot]
        if value is UNSET:
            try:
                value = body(frame)
            except CelError as error:
                frame[slot] = Failed(error)
                raise
            frame[slot] = value
        elif value.__class__ is Failed:
            raise value.error
        return value

    return run
