"""The one function that judges a change, whoever asks: the loader, `diff`, `reload` and the linter."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from gateway.relaxation import overridden
from gateway.relaxation.change import Change, Judge, Values, other


class Kind(Enum):
    """What is compared; each kind has its own table of keys."""

    OVERRIDE = "override"
    """A tool's declared values, and what a tenant's override makes of them."""


JUDGES: Mapping[Kind, Mapping[str, Judge]] = MappingProxyType({Kind.OVERRIDE: overridden.JUDGES})


def compare(kind: Kind, item: str, old: Values, new: Values) -> tuple[Change, ...]:
    """What differs between two sets of values; a key that no judge knows is never passed over."""
    judges = JUDGES[kind]
    changes: list[Change] = []
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        if before == after:
            continue
        judge = judges.get(key)
        judged = judge(old, new) if judge is not None else other(f"`{key}` differs", enforced=True)
        if judged is not None:
            changes.append(
                Change(f"{item}.{key}", judged.direction, judged.meaning, judged.enforced, before, after)
            )
    return tuple(changes)
