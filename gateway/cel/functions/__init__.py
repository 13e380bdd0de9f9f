"""The functions of CEL: one file a library, listed here by hand."""

from __future__ import annotations

from gateway.cel.functions import (
    bindings,
    conversions,
    decimals,
    encoders,
    flow,
    format,
    globs,
    inspected,
    lists,
    math,
    network,
    optionals,
    permissions,
    regex,
    regexes,
    risks,
    sets,
    standard,
    strings,
    times,
)
from gateway.cel.functions.signature import Library

LIBRARIES = (
    standard,
    conversions,
    regex,
    regexes,
    times,
    strings,
    format,
    encoders,
    lists,
    sets,
    math,
    decimals,
    network,
    globs,
    permissions,
    risks,
    inspected,
    optionals,
    bindings,
    flow,
)
"""The files in the order in which people read about them; each has its `FUNCTIONS`."""

STANDARD = Library(*(function for library in LIBRARIES for function in library.FUNCTIONS))
"""Every function there is."""

__all__ = ["LIBRARIES", "STANDARD", "Library"]
