"""What an evaluation works on, and how it pays for its work.

A frame is a list: the variables, how many more steps may be taken, what was observed, then one place for each
macro variable and `let`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from gateway.cel.values import CelError, ErrorKind
from gateway.diagnostic import Excerpt

Frame: TypeAlias = list[Any]
Run: TypeAlias = Callable[[Frame], Any]
Place: TypeAlias = tuple[Excerpt, int, int]

VARIABLES, BUDGET, OBSERVED, FIRST_SLOT = range(4)


def spend(frame: Frame, steps: int, place: Place) -> None:
    """Take steps from the budget of an evaluation, or fail if it is used up."""
    frame[BUDGET] -= steps
    if frame[BUDGET] < 0:
        raise CelError(ErrorKind.LIMIT, "too much work for one condition").at(*place)
