"""The functions of CEL: one file a library, listed here by hand, and loaded when a function is first looked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from gateway.cel.functions.signature import Function, Library

if TYPE_CHECKING:
    LIBRARIES: tuple[ModuleType, ...]
    """The files in the order in which people read about them; each has its `FUNCTIONS`."""

_NAMES = (
    "standard",
    "conversions",
    "regex",
    "regexes",
    "times",
    "strings",
    "format",
    "encoders",
    "lists",
    "sets",
    "math",
    "decimals",
    "network",
    "globs",
    "permissions",
    "risks",
    "inspected",
    "optionals",
    "bindings",
    "flow",
)


@cache
def _libraries() -> tuple[ModuleType, ...]:
    return tuple(import_module(f"{__name__}.{name}") for name in _NAMES)


def _functions() -> Iterator[Function]:
    for library in _libraries():
        yield from library.FUNCTIONS


STANDARD = Library.of(_functions)
"""Every function there is."""

__all__ = ["LIBRARIES", "STANDARD", "Library"]


def __getattr__(name: str) -> tuple[ModuleType, ...]:
    if name == "LIBRARIES":
        return _libraries()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
