"""Amounts of bytes as command lines write them."""

from __future__ import annotations

import re

from gateway.later import later

MOST = 20 << 30
"""More than this in one file is more than work on a project needs."""
_SIZE = later(r"(\d{1,18})([a-zA-Z]*)", re.ASCII)
_UNITS = {unit: 1 << (10 * power) for power, unit in enumerate(("b", "k", "m", "g", "t", "p", "e"))}


def size(text: str) -> int:
    """The bytes of `10G`, `512`, `1MiB`, `2x1M`; 0 where that is not known."""
    total = 1
    for part in text.split("x"):
        found = _SIZE.fullmatch(part)
        if found is None:
            return 0
        total *= int(found[1]) * _UNITS.get(found[2][:1].lower(), 1)
    return total
