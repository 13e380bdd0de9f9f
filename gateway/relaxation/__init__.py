"""Relaxations: what a change makes more permissive, judged key by key.

Each kind of part has a table from key to judge, one file a kind. A key without a judge counts as a change of
unknown direction, so that nothing new in the language passes unseen.
"""

from gateway.relaxation.change import Change, Direction, Judge, Judged, Values, digest_of, item_of
from gateway.relaxation.compare import JUDGES, Kind, compare, compare_parts

__all__ = [
    "JUDGES",
    "Change",
    "Direction",
    "Judge",
    "Judged",
    "Kind",
    "Values",
    "compare",
    "compare_parts",
    "digest_of",
    "item_of",
]
