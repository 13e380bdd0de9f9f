"""The functions of CEL: one file a library, listed here by hand."""

from __future__ import annotations

from gateway.cel.functions import conversions, flow, math, network, optionals, regex, standard, times
from gateway.cel.functions.signature import Library

STANDARD = Library(
    *standard.FUNCTIONS,
    *conversions.FUNCTIONS,
    *regex.FUNCTIONS,
    *times.FUNCTIONS,
    *optionals.FUNCTIONS,
    *flow.FUNCTIONS,
    *math.FUNCTIONS,
    *network.FUNCTIONS,
)
"""Every function there is."""

__all__ = ["STANDARD", "Library"]
