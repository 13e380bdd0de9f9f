"""The promise of `proved`: whatever is called, by whoever, nothing is decided less strictly than before."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gateway.call import ToolCall
from gateway.decision import Code, Decision
from gateway.diff import Verdict, changes, verdict
from gateway.facts import Facts
from gateway.session import Session
from gateway.sources import Assembled
from tests.engine.build import NOW
from tests.relaxation.generated import CALLS, SESSIONS, Json, edited, policies, usable

FACTS = Facts(NOW, lambda path: path)


def decided(side: Assembled, call: Json, session: Json) -> Decision:
    return side.compiled.engine.decide(ToolCall.of(call), Session.of(session), FACTS)


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
    assume(verdict(found) is Verdict.PROVED)
    for _ in range(12):
        call, session = data.draw(CALLS), data.draw(SESSIONS)
        one, two = decided(before, call, session), decided(after, call, session)
        assert strictness(two) >= strictness(one), (found, call, session, one, two)


@settings(max_examples=25)
@given(policies())
def test_a_policy_does_not_differ_from_itself(policy: Json) -> None:
    made = usable(policy)
    assert changes(made, usable(policy)) == ()
