"""What entries of results hold that another entry holds as well: where one goes, or splits, nothing is shown by it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gateway.policy import Trust
from gateway.relaxation import globs
from gateway.relaxation.change import Direction, Judge, Judged, Values, other
from gateway.relaxation.conditions import ALWAYS, covered, in_force
from gateway.relaxation.globs import beyond
from gateway.relaxation.whole import whole_in
from gateway.results.folding import folded

_MARK = "untrusted: "


def items_of(entry: Values) -> list[str]:
    """All that an entry protects: what is blanked out, and the fields that are marked as untrusted."""
    marked = (entry.get("fields") or {}).items()
    return [
        *(entry.get("redact") or ()),
        *(marked_as(field) for field, trust in marked if trust == Trust.UNTRUSTED.value),
    ]


def marked_as(field: str) -> str:
    """A field that is marked as untrusted, among what an entry protects."""
    return f"{_MARK}{field}"


def covers(wide: str, narrow: str) -> bool:
    """Whether what one of them protects is all that the other one does, such as every field of a name."""
    if wide == narrow:
        return True
    if not wide.startswith("field: **.") or not narrow.startswith("field: "):
        return False
    name = folded(wide.removeprefix("field: **."))
    return "." not in name and folded(narrow.removeprefix("field: ")).rpartition(".")[2] == name


def with_held(old: Mapping[str, Values], new: Mapping[str, Values]) -> Mapping[str, Values]:
    """The old entries, each with what other new ones hold of it.

    `elsewhere` are the tools of which all is held, `held` is what is held for every tool, and `unlisted_held` says
    whether all is for tools that the catalogue lacks. `wider` is the same with entries whose condition is wider: these
    blank out where a condition that fails withheld the result.
    """
    found: dict[str, Values] = {}
    for name, entry in old.items():
        items = items_of(entry)
        others = [
            one
            for other, one in new.items()
            if other != name and _chooses(one, entry) and any(_held_by(one, item) for item in items)
        ]
        conditions = {id(one): _conditions(entry, one) for one in others}
        wide = [one for one in others if conditions[id(one)][0]]
        same = [one for one in wide if conditions[id(one)][1]]
        found[name] = {**entry, **_held(entry, items, same), "wider": _held(entry, items, wide)}
    return found


def _chooses(one: Values, entry: Values) -> bool:
    """Whether an entry is about every session that another one is about."""
    mine, its = one.get("tenants"), entry.get("tenants")
    if mine is not None and (its is None or beyond(mine, its)):
        return False
    return all(set(one[key]) >= set(entry[key]) for key in ("agents", "channels"))


def _conditions(entry: Values, one: Values) -> tuple[bool, bool]:
    """Whether the condition of one is as wide as the entry's, and whether it fails for the same calls."""
    before, after = (in_force(side["condition"], ALWAYS) for side in (entry, one))
    whole = whole_in(entry, one)
    return covered(before, after, whole), covered(after, before, whole)


def _held_by(one: Values, item: str) -> bool:
    return any(covers(wide, item) for wide in items_of(one))


def _held(entry: Values, items: Iterable[str], others: Sequence[Values]) -> dict[str, Any]:
    listed = list(items)
    tools = {
        item: set[str]().union(*(one["tools"] for one in others if _held_by(one, item))) for item in listed
    }
    unlisted = {
        item: not entry.get("unlisted") or any(_held_by(one, item) and no_fewer(entry, one) for one in others)
        for item in listed
    }
    return {
        "elsewhere": [tool for tool in entry["tools"] if all(tool in tools[item] for item in listed)],
        "held": [item for item in listed if tools[item].issuperset(entry["tools"]) and unlisted[item]],
        "unlisted_held": all(unlisted.values()),
    }


def no_fewer(entry: Values, one: Values) -> bool:
    """Whether an entry is about all tools that the catalogue lacks and that another one is about."""
    before, after = split(entry), split(one)
    return not beyond(after[0], before[0]) and not beyond(before[1], after[1])


def split(entry: Values) -> tuple[list[str], list[str]]:
    """The patterns of tools that the catalogue lacks, and those that take some of them away."""
    return globs.split(entry.get("unlisted"))


def alone(entry: Values) -> list[str]:
    """What no other entry protects."""
    return [item for item in items_of(entry) if item not in entry.get("held", ())]


def judged_with_others(judge: Judge) -> Judge:
    """The judge of a key, where other entries may hold what this one loses."""

    def judged(old: Values, new: Values) -> Judged | None:
        return _with_wider(old, lambda side: judge(side, new))

    return judged


def gone_with_others(judge: Callable[[Values], Judged]) -> Callable[[Values], Judged]:
    """The same for an entry that is gone."""

    def judged(old: Values) -> Judged:
        return _with_wider(old, judge) or judge(old)

    return judged


def _with_wider(old: Values, judge: Callable[[Values], Judged | None]) -> Judged | None:
    found = judge(old)
    if found is None or found.direction is not Direction.RELAXED or "wider" not in old:
        return found
    wider = judge({**old, **old["wider"]})
    if wider is None or wider.direction is Direction.RELAXED:
        return found
    return other(
        f"{wider.meaning}, by a wider condition; where the narrower one fails results were withheld",
        enforced=True,
    )
