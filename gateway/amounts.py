"""Exact amounts in whole millionths, as stores count in whole numbers."""

from __future__ import annotations

PLACES = 6
"""How many digits behind its point an amount is counted with."""
MILLION = 10**PLACES


def written(millionths: int) -> str:
    """An amount as people write it, such as `12.5`."""
    whole, part = divmod(abs(millionths), MILLION)
    digits = f"{whole}.{part:0{PLACES}}".rstrip("0").rstrip(".")
    return f"-{digits}" if millionths < 0 else digits
