"""What conditions read of a declaration: then a change of it can turn any of them."""

from __future__ import annotations

from dataclasses import replace

from gateway.relaxation.change import Direction, Judge, Judged, Values
from gateway.relaxation.conditions import EVERYTHING


def is_read(values: Values, path: str) -> bool:
    """Whether some condition reads a path such as `tool.risk`; `reads` has what conditions of both policies read."""
    return any(name in values.get("reads", ()) for name in (path, path.partition(".")[0], EVERYTHING))


def noticed(path: str, judge: Judge) -> Judge:
    """The judge of a key that conditions can read: where they do, only a relaxation is still sure of its direction."""

    def judged(old: Values, new: Values) -> Judged | None:
        found = judge(old, new)
        if found is None or not is_read(new, path):
            return found
        meaning = f"{found.meaning}; conditions read `{path}`"
        if found.direction is Direction.RELAXED:
            return replace(found, meaning=meaning, enforced=True)
        return Judged(Direction.OTHER, meaning, True)

    return judged
