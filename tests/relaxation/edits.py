"""Single edits of generated policies."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

from tests.relaxation.generated import GLOBS, NUMBERS, Json, policies


@st.composite
def reordered(draw: st.DrawFn, policy: Json) -> Json:
    """The policy with some mapping or list in it, or all mappings, in another order."""
    new = copy.deepcopy(policy)
    places = [place for place in _places(new) if len(place) > 1]
    mappings = [place for place in places if isinstance(place, dict)]
    some = mappings if draw(st.booleans()) else [draw(st.sampled_from(places))]
    for place in some:
        if isinstance(place, list):
            place[:] = draw(st.permutations(place))
        else:
            entries = draw(st.permutations(list(place.items())))
            place.clear()
            place.update(entries)
    return new


def _places(value: Any) -> Iterator[Any]:
    """Every mapping and list in a policy."""
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _places(inner)


@st.composite
def edited(draw: st.DrawFn, policy: Json) -> Json:
    """The policy with one thing drawn anew, added, or removed."""
    if draw(st.integers(0, 4)) == 0:
        return draw(reordered(policy))
    new = copy.deepcopy(policy)
    other = draw(policies())
    where = draw(
        st.sampled_from(
            [
                "settings",
                "lists",
                "list",
                "agents",
                "tools",
                "tools",
                "arguments",
                *["rules", "results", "overrides"] * 2,
                "rules",
            ]
        )
    )
    if where == "list":
        numbers = new["lists"]["numbers"]
        if numbers and draw(st.booleans()):
            numbers.remove(draw(st.sampled_from(numbers)))
        else:
            numbers.append(draw(NUMBERS))
        return new
    if where in ("settings", "lists"):
        key = draw(st.sampled_from(sorted(new[where])))
        _put(new[where], key, other[where])
        return new
    how = draw(st.sampled_from(["add", "remove", "order", "split", "key", "key", "key", "condition"]))
    mine, theirs = new[where], other[where]
    if how == "add" and where in ("arguments", "rules", "results") and theirs:
        mine.append({**theirs[0], "id": "added"})
    elif how == "add" and where == "overrides":
        mine.extend(theirs[:1])
    elif how == "add" and where == "tools":
        mine.extend(tool for tool in theirs if tool["name"] not in [one["name"] for one in mine])
    elif how == "order":
        mine.reverse()
    elif how == "split" and where == "rules" and mine:
        part = draw(st.sampled_from(mine))
        mine.append({**part, "id": "added", "tools": draw(GLOBS)})
        part["tools"] = draw(GLOBS)
    elif how == "remove" and mine:
        mine.remove(draw(st.sampled_from(mine)))
    elif mine:
        part = draw(st.sampled_from(mine))
        same = [one for one in theirs if one.get("name") == part.get("name")] or theirs
        if how == "condition" and "when" in part:
            part["when"] = draw(_condition_near(part["when"]))
        elif same:
            one = draw(st.sampled_from(same))
            keys = sorted({*part, *one} - {"name", "id"})
            _put(part, draw(st.sampled_from(keys)), one)
    return new


def _put(part: Json, key: str, source: Json) -> None:
    if key in source:
        part[key] = source[key]
    else:
        part.pop(key, None)


@st.composite
def _condition_near(draw: st.DrawFn, condition: str) -> str:
    """The condition with a number moved, a term more, or its terms joined the other way."""
    how: Callable[[str], str] = draw(
        st.sampled_from(
            [
                lambda text: text.replace("10", "20"),
                lambda text: text.replace("> 5", "> 10"),
                lambda text: text.replace("> ", ">= "),
                lambda text: f'({text}) && "boss" in subject.roles',
                lambda text: f'({text}) || "boss" in subject.roles',
                lambda text: text.replace(" && ", " || "),
                lambda text: text.replace("has(session.facts.limit) && ", ""),
                lambda text: text.replace("7]", "7, 9]"),
                lambda text: text.rpartition(" && ")[2],
                lambda text: text.rpartition(" || ")[2],
            ]
        )
    )
    return how(condition)
