"""Limits decide calls: what is changed in one may let more happen, and that is never passed over."""

from __future__ import annotations

from typing import Any

import pytest

from gateway.diff import changes
from gateway.relaxation.change import Change, Direction
from tests.relaxation.generated import Json, side

RELAXED, TIGHTENED, OTHER = Direction.RELAXED, Direction.TIGHTENED, Direction.OTHER
RATE = {"id": "l", "tools": ["pay"], "per": "subject", "rate": "5/h"}
SPEND = {"id": "l", "tools": ["pay"], "per": "subject", "budget": "100/d", "amount": "1"}
MONEY = {**SPEND, "budget": {"EUR": "100/d", "USD": "90/d"}, "currency": "'EUR'"}
ROUNDS = {"id": "l", "tools": ["pay"], "empty_rounds": 2}
LOOPS = {"id": "l", "tools": ["pay"], "repeats": 3}


def policy(*limits: Json) -> Json:
    return {
        "version": 1,
        "settings": {"confirm_from": "HIGH"},
        "agents": [{"name": "clerk", "tools": ["*"], "tenants": ["*"], "max_steps": 4}],
        "tools": [{"name": name, "risk": "LOW", "permissions": []} for name in ("pay", "look")],
        "limits": list(limits),
    }


def only(old: Json, new: Json) -> Change:
    (change,) = changes(side(old), side(new))
    return change


@pytest.mark.parametrize(
    ("old", "edit", "direction"),
    [
        (RATE, {"rate": "6/h"}, RELAXED),
        (RATE, {"rate": "4/h"}, TIGHTENED),
        (RATE, {"rate": "10/2h"}, OTHER),
        (RATE, {"per": "tenant"}, OTHER),
        (RATE, {"tools": ["pay", "look"]}, TIGHTENED),
        (RATE, {"when": "subject.id == 'u'"}, RELAXED),
        (SPEND, {"budget": "100.01/d"}, RELAXED),
        (SPEND, {"budget": "100/12h"}, RELAXED),
        (SPEND, {"budget": "99/d"}, TIGHTENED),
        (SPEND, {"budget": "200/2d"}, OTHER),
        (SPEND, {"amount": "2"}, OTHER),
        (MONEY, {"budget": {"EUR": "100/d"}}, TIGHTENED),
        (MONEY, {"budget": {"EUR": "100/d", "USD": "90/d", "JPY": "1/d"}}, RELAXED),
        (MONEY, {"budget": {"EUR": "50/d", "USD": "91/d"}}, RELAXED),
        (MONEY, {"budget": {"EUR": "50/d", "USD": "180/2d"}}, OTHER),
        (MONEY, {"currency": "'USD'"}, OTHER),
        (LOOPS, {"repeats": 4}, RELAXED),
        (LOOPS, {"repeats": 2}, TIGHTENED),
        (ROUNDS, {"empty_rounds": 3}, RELAXED),
        (ROUNDS, {"empty_rounds": 1}, TIGHTENED),
        (ROUNDS, {"tools": ["pay", "look"]}, OTHER),
        # Calls that come in between break a row.
        (LOOPS, {"tools": ["pay", "look"]}, OTHER),
    ],
)
def test_what_a_limit_lets_happen(old: Json, edit: Json, direction: Direction) -> None:
    change = only(policy(old), policy({**old, **edit}))
    assert (change.direction, change.enforced) == (direction, True)


@pytest.mark.parametrize("edit", [{"rate": "6/h"}, {"per": "tenant"}, {"tools": ["look"]}])
def test_what_is_only_watched_decides_nothing(edit: Json) -> None:
    watched: dict[str, Any] = {**RATE, "monitor": True}
    assert not only(policy(watched), policy({**watched, **edit})).enforced
    assert not only(policy(), policy(watched)).enforced
    assert not only(policy(watched), policy()).enforced


def test_to_watch_a_limit_relaxes_it() -> None:
    change = only(policy(RATE), policy({**RATE, "monitor": True}))
    assert (change.direction, change.enforced) == (RELAXED, True)


def test_a_budget_in_words() -> None:
    change = only(policy(MONEY), policy({**MONEY, "budget": {"EUR": "100.5/d", "USD": "90/d"}}))
    assert (
        change.meaning == "a budget of 100.5 EUR in 1d, 90 USD in 1d instead of 100 EUR in 1d, 90 USD in 1d"
    )


def test_more_steps_of_a_turn_let_more_happen() -> None:
    more = policy()
    more["agents"][0]["max_steps"] = 5
    change = only(policy(), more)
    assert (change.item, change.direction, change.enforced) == ("agents.clerk.max_steps", RELAXED, True)
