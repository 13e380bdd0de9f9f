"""What one evaluation may cost: hostile arguments must not turn a small condition into hours or gigabytes."""

from __future__ import annotations

from typing import Any

from gateway.cel.closures import BUDGET, Frame, Place, Run
from gateway.cel.values import CelError, ErrorKind

MAX_STEPS = 1_000_000
"""How much an evaluation may spend: one for each element that a macro visits, a part of one for data handled."""

_SMALL = 64
_TEXT = frozenset({str, bytes})
_LISTS = frozenset({list, tuple})


def spend(frame: Frame, steps: int, place: Place) -> None:
    """Take steps from the budget of an evaluation, or fail if it is used up."""
    frame[BUDGET] -= steps
    if frame[BUDGET] < 0:
        raise CelError(ErrorKind.LIMIT, "too much work for one condition").at(*place)


def scanned(run: Run, place: Place) -> Run:
    """An operand that is gone through again for each element of a macro."""

    def charged(frame: Frame) -> Any:
        value = run(frame)
        kind = value.__class__
        if kind in _LISTS and len(value) > _SMALL:
            spend(frame, len(value) >> 2, place)
        elif kind in _TEXT and len(value) > _SMALL:
            spend(frame, len(value) >> 10, place)
        return value

    return charged


def grown(run: Run, place: Place) -> Run:
    """A value that is put together anew, and takes memory."""

    def charged(frame: Frame) -> Any:
        value = run(frame)
        kind = value.__class__
        if kind in _TEXT and len(value) > _SMALL:
            spend(frame, len(value) >> 6, place)
        elif kind is list and len(value) > _SMALL:
            spend(frame, len(value) >> 3, place)
        return value

    return charged
