"""Permission strings: whole texts without wildcards, in segments that `:` divides."""

from __future__ import annotations

from typing import Any

_FORBIDDEN = frozenset(":*,{}")


def segment(value: Any) -> str | None:
    """A value as one segment of a permission, or None where it can't be one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        return None
    if any(char in _FORBIDDEN or char.isspace() or not char.isprintable() for char in value):
        return None
    return value
