"""The promise of `proved`: whatever is called, by whoever, nothing is decided less strictly than before."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.call import ToolCall
from gateway.decision import Code, Decision, Effect
from gateway.diff import Verdict, changes, verdict
from gateway.facts import Facts
from gateway.session import Session
from gateway.sources import Assembled
from tests.engine.build import NOW
from tests.relaxation.calls import BLANKED, CALLS, RESULTS, SESSIONS, UNLISTED
from tests.relaxation.edits import edited
from tests.relaxation.generated import Json, overrides, policies, results, usable

FACTS = Facts(NOW, lambda path: path)


MOMENTS = st.sampled_from([NOW, datetime(2025, 12, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)])


def at(now: datetime) -> Facts:
    return Facts(now, lambda path: path)


def decided(side: Assembled, call: Json, session: Json, facts: Facts = FACTS) -> Decision:
    return side.compiled.engine.decide(ToolCall.of(call), Session.of(session), facts)


def hidden(side: Assembled, call: Json, session: Json, facts: Facts, result: Any) -> set[str]:
    """What of a result is not shown to a model, out of what anybody may want to blank out."""
    reviewed = side.compiled.engine.review(
        ToolCall.of(call), Session.of(session), facts, result, None, nonce="n"
    )
    return {text for text in BLANKED if reviewed.withheld or text not in json.dumps(reviewed.result)}


def strictness(decision: Decision) -> int:
    """A question that nobody can answer counts as the question: an answer in its place runs nothing either."""
    return 1 if decision.code is Code.NOBODY_TO_ASK else decision.effect.strictness


@settings(max_examples=40)
@given(st.data())
def test_after_a_change_that_is_proved_no_call_is_decided_less_strictly(data: st.DataObject) -> None:
    old = data.draw(policies())
    new: Any = old
    for _ in range(data.draw(st.integers(1, 3))):
        new = data.draw(edited(new))
    before, after = usable(old), usable(new)
    found = changes(before, after)
    assert len({change.item for change in found}) == len(found)
    assume(verdict(found) is Verdict.PROVED)
    for _ in range(12):
        call, session, facts = data.draw(CALLS), data.draw(SESSIONS), at(data.draw(MOMENTS))
        one, two = decided(before, call, session, facts), decided(after, call, session, facts)
        assert strictness(two) >= strictness(one), (found, call, session, one, two)
        result = data.draw(RESULTS)
        unlisted = {**call, "tool": data.draw(UNLISTED)}
        # A call that is refused does not run, so it has no result.
        for each in (unlisted, call) if two.effect is not Effect.DENY else (unlisted,):
            sides = [hidden(side, each, session, facts, result) for side in (before, after)]
            assert sides[0] <= sides[1], (found, each, session, result)


LIMITS = [0, 1, 5, 7, 10, "x"]
READING = [
    "session.facts.limit in lists.n",
    "!(session.facts.limit in lists.n)",
    "lists.n.exists(n, n > session.facts.limit)",
    "lists.n.exists(n, 10 / n > session.facts.limit)",
    "lists.n.all(n, n >= session.facts.limit)",
    "session.facts.limit in lists.n + [7]",
    "session.facts.limit in lists.n ? session.can_ask : size(lists.n) > 1",
    "lists.n.exists_one(n, n == session.facts.limit)",
    "lists.n.exists(i, n, i < 1 && n == session.facts.limit)",
    "lists.n[0] == session.facts.limit",
    "[lists].exists(l, session.facts.limit in l.n)",
    "reads",
    "session.can_ask",
]
NUMBERS = st.lists(st.sampled_from([0, 1, 5, 10]), max_size=3)


@st.composite
def reading(draw: st.DrawFn) -> Json:
    """A policy whose conditions read the list `n`."""

    def condition() -> str:
        terms = draw(st.lists(st.sampled_from(READING), min_size=1, max_size=2))
        return draw(st.sampled_from([" && ", " || "])).join(f"({term})" for term in terms)

    rules: list[Json] = [
        {
            "id": f"r{index}",
            "tools": ["run"],
            "effect": draw(st.sampled_from(["deny", "ask", "allow"])),
            draw(st.sampled_from(["when", "unless"])): condition(),
            "let": {"reads": "session.facts.limit in lists.n"},
        }
        for index in range(draw(st.integers(1, 2)))
    ]
    tool: Json = {"name": "run", "risk": draw(st.sampled_from(["LOW", "HIGH"])), "permissions": []}
    if draw(st.integers(0, 3)) == 0:
        tool["read_only_when"] = "session.facts.limit in lists.n"
    return {
        "version": 1,
        "settings": {"types": {"session.facts": {"limit": "int"}}},
        "lists": {"n": draw(NUMBERS)},
        "agents": [{"name": "clerk", "tools": ["run"], "tenants": ["acme"]}],
        "tools": [tool],
        "rules": rules,
    }


@settings(max_examples=60)
@given(reading(), NUMBERS)
def test_a_list_that_grows_or_shrinks_is_proved_only_where_nothing_is_decided_less_strictly(
    policy: Json, numbers: list[int]
) -> None:
    before, after = usable(policy), usable({**policy, "lists": {"n": numbers}})
    found = changes(before, after)
    assert (policy["lists"]["n"] == numbers) is (found == ())
    assume(verdict(found) is Verdict.PROVED)
    call = {"id": "c-1", "tool": "run", "arguments": {}}
    subject = {"id": "u", "tenant": "acme", "authenticated": True}
    for limit in LIMITS:
        for can_ask in (True, False):
            session = {
                "id": "s-1",
                "tenant": "acme",
                "agent": "clerk",
                "channel": "internal",
                "can_ask": can_ask,
                "facts": {"limit": limit},
                "subject": subject,
            }
            one, two = decided(before, call, session), decided(after, call, session)
            assert strictness(two) >= strictness(one), (found, session, one, two)


@settings(max_examples=25)
@given(policies())
def test_a_policy_does_not_differ_from_itself(policy: Json) -> None:
    made = usable(policy)
    assert changes(made, usable(policy)) == ()


SMALL: Json = {
    "version": 1,
    "settings": {"confirm_from": "HIGH", "types": {"session.facts": {"limit": "int"}}},
    "agents": [{"name": "clerk", "tools": ["*"], "tenants": ["*"]}],
    "tools": [
        {"name": name, "risk": "LOW", "permissions": ["a"]} for name in ("pay", "read", "run", "form", "beta")
    ],
    "rules": [],
}


@settings(max_examples=60)
@given(st.data())
def test_entries_of_results_and_overrides_are_proved_only_where_nothing_is_looser(
    data: st.DataObject,
) -> None:
    section, drawn = data.draw(st.sampled_from([("results", results(0)), ("overrides", overrides())]))
    one: Json = data.draw(drawn)
    other: Json = data.draw(drawn)
    key = data.draw(st.sampled_from(sorted({*one, *other})))
    new = {**{k: v for k, v in one.items() if k != key}, **({key: other[key]} if key in other else {})}
    before, after = usable({**SMALL, section: [one]}), usable({**SMALL, section: [new]})
    found = changes(before, after)
    assume(verdict(found) is Verdict.PROVED)
    for _ in range(12):
        call, session, facts = data.draw(CALLS), data.draw(SESSIONS), at(data.draw(MOMENTS))
        session = {**session, "agent": "clerk"}
        tool = {**call, "arguments": {}}
        mine, theirs = decided(before, tool, session, facts), decided(after, tool, session, facts)
        assert strictness(theirs) >= strictness(mine), (found, tool, session)
        result = data.draw(RESULTS)
        unlisted = {**tool, "tool": data.draw(UNLISTED)}
        for each in (unlisted, tool) if theirs.effect is not Effect.DENY else (unlisted,):
            sides = [hidden(side, each, session, facts, result) for side in (before, after)]
            assert sides[0] <= sides[1], (found, each, session, result)
