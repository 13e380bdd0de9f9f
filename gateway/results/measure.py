"""The one measure of bounds: how many characters a model reads, once everything hidden in them is written out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from gateway.results.fence import harmless
from gateway.results.media import carried

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def width(text: str, most: int) -> int:
    """How many characters a text takes inside the fence; one that is longer than `most` is not looked at."""
    return len(text) if len(text) > most else len(harmless(text))


def size(value: Any, most: int) -> int:
    """How many characters plain data takes as JSON; stops counting beyond `most`, so that it costs no more.

    A picture's data is not read as text, and counts as the words that stand for it.
    """
    kind = type(value)
    if kind is str:
        return len(value) + 2 if len(value) + 2 > most else len(harmless(_encode(value)))
    if kind is dict:
        value = carried(value) or value
        total = 2 * max(len(value), 1)  # the braces, and what stands between the fields
        for key, item in value.items():
            if total > most:
                break
            total += field_size(key, most - total)
            total += size(item, most - total)
        return total
    if kind is list:
        total = 2 * max(len(value), 1)
        for item in value:
            if total > most:
                break
            total += size(item, most - total)
        return total
    return len(_encode(value))


def field_size(key: str, most: int) -> int:
    """How many characters a field takes beside its value and what stands between it and the next one."""
    return size(key, most) + 2


def fitting(text: str, most: int, measure: Callable[[str, int], int]) -> int:
    """How many of a text's first characters take at most so many."""
    low, high = 0, max(min(len(text), most), 0)
    if measure(text[:high], most) <= most:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if measure(text[:middle], most) <= most:
            low = middle
        else:
            high = middle
    return low
