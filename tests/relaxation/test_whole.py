"""Whole numbers: a bound that no number lies beyond is the same however it is written."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.call import ToolCall
from gateway.diff import Verdict, changes, verdict
from gateway.facts import Facts
from gateway.relaxation.conditions import covered
from gateway.relaxation.whole import whole_arguments
from gateway.session import Session
from tests.engine.build import NOW
from tests.relaxation.generated import Json, side
from tests.relaxation.test_conditions import outcome, spelling


def policy(when: str, amount: Json, effect: str = "deny", **tool: Any) -> Json:
    return {
        "version": 1,
        "settings": {"types": {"session.facts": {"limit": "int", "share": "double"}}},
        "agents": [{"name": "clerk", "tools": ["*"], "tenants": ["*"]}],
        "tools": [
            {
                "name": "pay",
                "risk": "LOW",
                "permissions": [],
                "parameters": {"type": "object", "required": ["amount"], "properties": {"amount": amount}},
                **tool,
            },
            {"name": "read", "risk": "LOW", "permissions": []},
        ],
        "rules": [{"id": "no", "tools": ["pay"], "effect": effect, "when": when}],
    }


def found(old: Json, new: Json) -> Verdict:
    return verdict(changes(side(old), side(new)))


WHOLE: Json = {"type": "integer"}
SAME = [
    ("args.amount < 21", "args.amount <= 20"),
    ("args.amount > 20", "args.amount >= 21"),
    ("!(args.amount > 20)", "args.amount < 21"),
    ("!(args.amount < 20)", "args.amount > 19"),
    ("session.facts.limit < 21", "session.facts.limit <= 20"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_bounds_that_no_whole_number_tells_apart_are_the_same(one: str, other: str) -> None:
    for effect in ("deny", "allow"):
        for old, new in ((one, other), (other, one)):
            (change,) = changes(side(policy(old, WHOLE, effect)), side(policy(new, WHOLE, effect)))
            assert not change.relaxed
            assert not change.unproved
            assert change.meaning.startswith("the condition is written in another way")


@pytest.mark.parametrize(("one", "other"), SAME[:2])
def test_where_a_fraction_can_be_they_are_not(one: str, other: str) -> None:
    for schema in ({"type": "number"}, {}, {"enum": [1, 20.5, 30]}, {"type": ["integer", "number"]}):
        sides = (policy(one, schema), policy(other, schema))
        assert Verdict.RELAXED in (found(*sides), found(*sides[::-1]))
    facts = [policy(text.replace("args.amount", "session.facts.share"), WHOLE) for text in (one, other)]
    assert Verdict.RELAXED in (found(*facts), found(*facts[::-1]))


def test_every_tool_of_a_rule_has_to_say_so() -> None:
    rules = [policy(f"has(args.amount) && ({text})", WHOLE) for text in SAME[0]]
    for each in rules:
        each["tools"][1]["parameters"] = {"type": "object", "properties": {"amount": {"type": "number"}}}
        each["rules"][0]["tools"] = ["pay", "read"]
    assert Verdict.RELAXED in (found(*rules), found(*rules[::-1]))


def test_a_schema_that_lets_fractions_in_is_relaxed_for_itself() -> None:
    old, new = policy("args.amount > 20", WHOLE), policy("args.amount >= 21", {"type": "number"})
    items = {change.item for change in changes(side(old), side(new)) if change.relaxed}
    assert items == {"tools.pay.parameters", "rules.no.condition"}


def test_what_counts_as_reading_has_the_same_bounds() -> None:
    old, new = (policy("args.amount > 90", WHOLE, read_only_when=text) for text in SAME[0])
    assert found(old, new) is found(new, old) is Verdict.PROVED


def test_what_is_whole_is_what_properties_say_and_nothing_that_an_alternative_says() -> None:
    schema = {
        "type": "object",
        "properties": {
            "n": WHOLE,
            "some": {"type": ["integer", "null"]},
            "x.y": {"enum": [1, 2.0]},
            "text": {"type": "string"},
            "part": {"type": "object", "properties": {"n": WHOLE, "f": {"type": "number"}}},
            "list": {"type": "array", "items": WHOLE},
        },
        "anyOf": [{"properties": {"maybe": WHOLE}}, {"additionalProperties": True}],
    }
    assert whole_arguments(schema) == {"args.n", "args.some", "args.`x.y`", "args.part.n"}


COMPARED = st.builds(
    lambda sign, operator, bound: f"{sign}(m.k {operator} {bound})",
    st.sampled_from(["", "!"]),
    st.sampled_from(["<", "<=", ">", ">=", "==", "!="]),
    st.sampled_from([0, 1, 2, 3, 2.5, 2**53 - 1, 2**53, 2**53 + 1]),
)
NUMBERS = [0, 1, 2, 3, 4, 3.0, 2**53, 2**53 - 1, 2**53 + 1, float(2**53), -1, "x", None]


@settings(max_examples=400)
@given(COMPARED, COMPARED)
def test_what_is_claimed_of_whole_numbers_holds_for_each(first: str, second: str) -> None:
    one, other = spelling(first), spelling(second)
    if not covered(one, other, {"m.k"}):
        return
    for number in NUMBERS:
        before, after = outcome(one, {"m": {"k": number}}), outcome(other, {"m": {"k": number}})
        assert before is not True or after is True, (one, other, number)
        assert before is not None or after is not False, (one, other, number)


def test_a_fraction_never_reaches_a_condition_of_a_whole_argument() -> None:
    engine = side(policy("args.amount < 21", WHOLE, "respond") | {"rules": []}).compiled.engine
    session = {
        "id": "s",
        "tenant": "acme",
        "agent": "clerk",
        "subject": {"id": "u", "tenant": "acme", "authenticated": True},
    }
    call = ToolCall.of({"id": "c", "tool": "pay", "arguments": {"amount": 20.5}})
    decision = engine.decide(call, Session.of(session), Facts(NOW, lambda path: path))
    assert decision.effect.value == "deny"
