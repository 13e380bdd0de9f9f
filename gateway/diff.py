"""What differs between two policies, and whether anything is relaxed by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.relaxation import Change
    from gateway.sources import Assembled


def changes(old: Assembled, new: Assembled) -> tuple[Change, ...]:
    """Every difference between two policies, judged."""
    raise NotImplementedError
