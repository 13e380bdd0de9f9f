"""Conditions in sentences: as their authors wrote them, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gateway.relaxation.change import Values, moved, named
from gateway.relaxation.conditions import reads_of
from gateway.relaxation.spelled import Lists

if TYPE_CHECKING:
    from gateway.policy import Condition

_LONGEST = 160
_BEFORE = 40
"""How many characters are shown before the first one that differs."""


def written_of(part: Condition, lists: Lists) -> Values:
    """The condition of a part as it was written, in one line, and the lists that it names."""
    given = {"when": part.when, "unless": part.unless}
    given |= {f"let {name}": text for name, text in part.let.items()}
    texts = {key: text for key, text in given.items() if text is not None}
    line = "; ".join(f"{key}: {text}" for key, text in texts.items())
    return written(texts["when"] if [*texts] == ["when"] else line, texts.values(), lists)


def written(text: str, expressions: Any, lists: Lists) -> Values:
    """A text in one line, and the lists that its expressions name."""
    reads = reads_of(expressions)
    used = {name: list(values) for name, values in lists.items() if f"lists.{name}" in reads}
    return {"text": " ".join(text.split()), "lists": used}


def difference(old: Values | None, new: Values | None) -> str:
    """What one condition is instead of another one, and which values of its lists came or went."""
    before, after = (_text(side) for side in (old, new))
    told = [] if before == after else ["{} instead of {}".format(*_quoted(after, before))]
    mine, theirs = ({} if side is None else side["lists"] for side in (old, new))
    told += [
        f"`lists.{name}` {list_difference(mine.get(name), theirs.get(name))}"
        for name in sorted({*mine, *theirs})
        if name in mine and name in theirs and mine[name] != theirs[name]
    ]
    return "; ".join(told) or "as it is in force"


def list_difference(old: Any, new: Any) -> str:
    """Which values a list lost and gained."""
    lost, gained = moved({"values": old}, {"values": new}, "values")
    told = [f"lost {named(lost)}"] if lost else []
    told += [f"gained {named(gained)}"] if gained else []
    return " and ".join(told) or "has its values in another order"


def _text(side: Values | Mapping[str, Any] | None) -> str:
    return "" if side is None else str(side["text"])


def _quoted(*texts: str) -> list[str]:
    """Each of two texts, of long ones the stretch where they begin to differ."""
    one, other = texts
    same = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(map(len, texts)))
    start = max(0, same - _BEFORE) if max(map(len, texts)) > _LONGEST else 0
    return [_cut(text, start) for text in texts]


def _cut(text: str, start: int) -> str:
    if not text:
        return "no condition"
    shown = text[start : start + _LONGEST]
    return f"`{'…' if start else ''}{shown}{'…' if start + _LONGEST < len(text) else ''}`"
