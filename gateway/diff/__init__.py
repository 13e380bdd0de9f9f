"""What a change between two policies relaxes: item by item as it is written, and with calls that show it."""

from gateway.diff.compare import RELOAD_TRIES, TRIES, Comparison, compare
from gateway.diff.fields import Verdict, changes, compiled, confirmed_in, verdict
from gateway.diff.shown import Pair, Shown

__all__ = [
    "RELOAD_TRIES",
    "TRIES",
    "Comparison",
    "Pair",
    "Shown",
    "Verdict",
    "changes",
    "compare",
    "compiled",
    "confirmed_in",
    "verdict",
]
