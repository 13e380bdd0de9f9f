"""Whether what a host supplies has the type that the policy declares for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from gateway.cel.values import Duration, Timestamp


@dataclass(frozen=True, slots=True)
class Conforms:
    """The check of a declared type: its name, and the check of its items or values where it has any."""

    name: str
    item: Conforms | None = None

    @property
    def text(self) -> str:
        """The type as a policy declares it."""
        if self.item is None:
            return self.name
        return f"list({self.item.text})" if self.name == "list" else f"map(string, {self.item.text})"

    def __call__(self, value: Any) -> bool:
        """Whether the value has the type."""
        item = self.item
        if item is None:
            return _SIMPLE[self.name](value)
        if self.name == "list":
            return isinstance(value, list | tuple) and all(map(item, value))
        return (
            isinstance(value, Mapping)
            and all(type(key) is str for key in value)
            and all(map(item, value.values()))
        )


def _is_number(value: Any) -> bool:
    return _is_integer(value) or (type(value) is float and math.isfinite(value))


def _is_integer(value: Any) -> bool:
    return type(value) is int and -(2**63) <= value < 2**63


_SIMPLE: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: type(value) is str,
    "bool": lambda value: type(value) is bool,
    "int": _is_integer,
    "double": _is_number,
    "bytes": lambda value: type(value) is bytes,
    "timestamp": lambda value: (
        isinstance(value, Timestamp) or (isinstance(value, datetime) and value.tzinfo is not None)
    ),
    "duration": lambda value: isinstance(value, Duration | timedelta),
    "dyn": lambda value: True,
}
