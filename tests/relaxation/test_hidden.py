"""`x-sensitive` that moves: what is hidden with the whole is hidden, and the names of results count for themselves."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.diff import changes
from gateway.relaxation import Direction
from tests.relaxation.generated import Json, side

HIDDEN: Json = {"type": "string", "x-sensitive": True}
PLAIN: Json = {"type": "string"}


def policy(**properties: Any) -> Json:
    return {
        "version": 1,
        "agents": [{"name": "clerk", "tools": ["*"], "tenants": ["*"]}],
        "tools": [
            {
                "name": "run",
                "risk": "LOW",
                "permissions": [],
                "parameters": {"type": "object", "properties": properties},
            }
        ],
    }


def found(old: Json, new: Json) -> dict[str, tuple[Direction, str]]:
    return {one.item: (one.direction, one.meaning) for one in changes(side(old), side(new))}


ITEMS = policy(c={"type": "array", "items": HIDDEN})
ARRAY = policy(c={"type": "array", "items": PLAIN, "x-sensitive": True})


def test_what_moves_from_the_items_to_the_array_is_hidden_with_it() -> None:
    assert found(ITEMS, ARRAY) == {
        "tools.run.x-sensitive": (Direction.TIGHTENED, "`c` is hidden (`x-sensitive`)")
    }
    assert found(ARRAY, ITEMS)["tools.run.x-sensitive"][0] is Direction.RELAXED


def test_what_moves_to_the_object_around_it_takes_its_name_from_results_and_nothing_else() -> None:
    inner = policy(card={"type": "object", "properties": {"number": HIDDEN}})
    outer = policy(card={"type": "object", "properties": {"number": PLAIN}, "x-sensitive": True})
    assert found(inner, outer) == {
        "tools.run.x-sensitive": (
            Direction.RELAXED,
            "fields of its results with the name `number` are no longer blanked out, "
            "since it is hidden as a part of `card` (`x-sensitive`)",
        )
    }
    both = policy(card={"type": "object", "properties": {"number": HIDDEN}, "x-sensitive": True})
    assert found(inner, both)["tools.run.x-sensitive"][0] is Direction.TIGHTENED


@pytest.mark.parametrize("name", ["a.b", "*", 'a"b', ""])
def test_a_name_is_no_path_and_no_other_name(name: str) -> None:
    """An argument `a.b`, and `b` inside of `a`, were one to `diff`."""
    inner = {"type": "object", "additionalProperties": True}
    one = policy(**{name: HIDDEN, "a": {**inner, "properties": {"b": PLAIN}}})
    other = policy(**{name: PLAIN, "a": {**inner, "properties": {"b": HIDDEN}}})
    assert found(one, other)["tools.run.x-sensitive"][0] is Direction.RELAXED
    gone = policy(a={**inner, "properties": {"b": PLAIN}})
    assert found(one, gone)["tools.run.x-sensitive"][0] is Direction.RELAXED


def test_an_inspected_argument_with_a_dot_in_its_name_is_there_as_long_as_it_is_declared() -> None:
    old, new = policy(**{"a.b": PLAIN}), policy(**{"a.b": PLAIN})
    old["tools"][0]["inspect"] = {"a.b": "shell"}
    assert found(old, new)["tools.run.inspect"][0] is Direction.RELAXED
