"""What a change between two policies relaxes: item by item as it is written, and with calls that show it."""

from gateway.diff.compare import TRIES, Comparison, compare
from gateway.diff.fields import Verdict, changes, compiled, confirmed_in, verdict
from gateway.diff.shown import Shown

__all__ = [
    "TRIES",
    "Comparison",
    "Shown",
    "Verdict",
    "changes",
    "compare",
    "compiled",
    "confirmed_in",
    "verdict",
]
