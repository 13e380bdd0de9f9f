"""What exists is not made twice, what is idempotent is tried again, and a rejection may end the work (A5 A6 A10 A16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gateway import Code, Effect, Gateway
from gateway.answering import Answer, Verdict
from gateway.once import Done, Noted, done_key
from gateway.state import Key, Put, Unavailable
from gateway.stores.memory import MemoryStore
from tests.remembering.world import CLERK, SHOP, World, approve, call, person

FORMS = SHOP.replace(
    "tools:\n  - {name: look",
    """tools:
  - {name: make, risk: MEDIUM, idempotency_key: "{args.id}"}
  - {name: make_two, risk: MEDIUM, idempotency_key: "{args.id}-{args.amount}"}
  - {name: also, risk: MEDIUM, idempotency_key: "{args.id}"}
  - {name: maybe, risk: MEDIUM, idempotency_key: "{args.note.title}", read_only_when: args.id == "peek"}
  - {name: sync, risk: MEDIUM, idempotent: true}
  - {name: halt, risk: HIGH, on_rejection: stop}
  - {name: tell, risk: HIGH, on_rejection: tell}
  - {name: do, risk: LOW, idempotent: true, wraps: {tool: args.id, arguments: args.input}}
  - {name: strictly, risk: LOW, wraps: {tool: args.id, arguments: args.input}}
  - {name: look""",
).replace(
    "properties: {id: {type: string},",
    "properties: {id: {type: string}, input: {type: object, additionalProperties: true}, "
    "note: {type: object, properties: {title: {type: string}}},",
)
SECOND = {**CLERK, "id": "s-2", "subject": {**CLERK["subject"], "id": "u-2"}}


def place(tool: str = "make", template: str = "{args.id}", *values: Any) -> Key:
    return done_key("acme", tool, template, list(values or ("a",)))


def done(world: World, name: str = "c-1", result: object = "made") -> Gateway:
    """A form is made by a call."""
    gateway = world.gateway()
    assert gateway.before(call("make", name), CLERK).proceeds
    gateway.after(call("make", name), CLERK, result)
    return gateway


def test_what_another_call_made_is_asked_about() -> None:  # A16
    world = World(text=FORMS)
    done(world)
    world.pass_by(minutes=5)
    for session in (CLERK, SECOND):
        asked = world.gateway().before(call("make", "c-2"), session)
        assert (asked.effect, asked.code) == (Effect.ASK, Code.ALREADY_DONE)
        assert "Already done at 2026-12-01 12:00:00 UTC" in asked.message
        assert asked.approval is not None
        assert all(reason.startswith("ALREADY_DONE: ") for reason in asked.approval["reasons"])
        assert "u-1" not in asked.message


def test_where_nobody_can_be_asked_it_is_told_as_done() -> None:  # A16
    world = World(text=FORMS)
    done(world)
    alone = world.gateway().before(call("make", "c-2"), {**CLERK, "can_ask": False})
    assert (alone.effect, alone.code) == (Effect.DENY, Code.NOBODY_TO_ASK)
    assert alone.message.startswith(
        "Already done at 2026-12-01 12:00:00 UTC, by another call: go on with what exists."
    )


@pytest.mark.parametrize(
    ("other", "session"),
    [
        (call("make", "c-2", id="b"), CLERK),
        (call("also", "c-2"), CLERK),
        (call("make", "c-2"), {**CLERK, "tenant": "beta", "subject": {**CLERK["subject"], "tenant": "beta"}}),
    ],
    ids=["key", "tool", "tenant"],
)
def test_what_is_another_is_not_the_same(other: dict[str, Any], session: dict[str, Any]) -> None:  # A16
    world = World(text=FORMS)
    done(world)
    assert world.gateway().before(other, session).proceeds


def test_the_same_call_is_answered_with_its_result_as_before() -> None:  # A6
    world = World(text=FORMS)
    assert done(world).before(call("make"), CLERK).code is Code.ALREADY_COMPLETED


def test_parts_of_a_key_do_not_run_into_one_another() -> None:
    gateway = World(text=FORMS).gateway()
    assert gateway.before(call("make_two", "c-1", id="a-1", amount=1), CLERK).proceeds
    assert gateway.before(call("make_two", "c-2", id="a", amount=-11), CLERK).proceeds
    assert gateway.before(call("make_two", "c-3", id="a-1", amount=1), CLERK).code is Code.ALREADY_DONE


def test_what_is_being_made_is_asked_about_and_what_failed_was_not_made() -> None:  # A16
    world = World(text=FORMS)
    gateway = world.gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    asked = gateway.before(call("make", "c-2"), CLERK)
    assert (asked.effect, asked.code) == (Effect.ASK, Code.ALREADY_DONE)
    assert "may have done it" in asked.message
    assert "Already done" not in asked.message
    assert gateway.before(call("make"), CLERK).code is Code.OUTCOME_UNKNOWN
    gateway.after(call("make"), CLERK, ValueError("no room"))
    assert gateway.before(call("make", "c-2"), CLERK).proceeds


def test_a_person_may_let_it_be_made_once_more() -> None:
    world = World(text=FORMS)
    gateway = done(world)
    approve(gateway, gateway.before(call("make", "c-2"), CLERK).approval, person("u-3"))
    assert gateway.before(call("make", "c-2"), CLERK).proceeds
    world.pass_by(hours=1)
    gateway.after(call("make", "c-2"), CLERK, "made again")
    assert "13:00:00" in gateway.before(call("make", "c-3"), CLERK).message


def test_what_an_earlier_call_comes_to_late_is_not_how_the_later_one_ended() -> None:
    world = World(text=FORMS)
    gateway = world.gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    approve(gateway, gateway.before(call("make", "c-2"), CLERK).approval, person("u-3"))
    assert gateway.before(call("make", "c-2"), CLERK).proceeds
    gateway.after(call("make"), CLERK, ValueError("no room"))
    assert gateway.before(call("make", "c-3"), CLERK).code is Code.ALREADY_DONE


def test_that_it_has_happened_is_that_it_is_done() -> None:
    world = World(text=FORMS)
    gateway = world.gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    asked = gateway.before(call("make"), CLERK).approval
    assert asked is not None
    world.pass_by(hours=1)
    gateway.resume(asked["id"], Answer(Verdict.HAPPENED, result="made"), person("u-3"))
    assert "Already done at 2026-12-01 13:00:00" in gateway.before(call("make", "c-2"), CLERK).message


UNREADABLE = [
    b"",
    b"[]",
    b"{}",
    b"[{}]",
    b"null",
    b"7",
    b"\xff",
    b"[" * 100_000,
    b'[{"by": 1, "at": 2, "ended": true}]',
    b'[{"by": "x", "at": 2, "ended": 1}]',
    b'[{"by": "x", "at": true, "ended": true}]',
    b'[{"by": "x", "at": 1000000000000000000000000000000, "ended": true}]',
    b'[{"by": "x", "at": -1, "ended": true}]',
]


@pytest.mark.parametrize("kept", UNREADABLE)
def test_a_note_that_can_not_be_read_was_none_or_a_failure_of_the_policy(kept: bytes) -> None:  # A16
    world = World(text=FORMS)
    gateway = world.gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    world.store.apply((Put(place(), kept, 1),))
    refused = gateway.before(call("make", "c-2"), CLERK)
    assert (refused.effect, refused.code) == (Effect.DENY, Code.STATE_UNAVAILABLE)
    assert gateway.after(call("make"), CLERK, "made").code is Code.RESULT_UNRECORDED


def test_that_the_first_has_done_it_was_forgotten_when_a_second_one_failed() -> None:  # A16
    world = World(text=FORMS)
    gateway = done(world)
    approve(gateway, gateway.before(call("make", "c-2"), CLERK).approval, person("u-3"))
    assert gateway.before(call("make", "c-2"), CLERK).proceeds
    world.pass_by(minutes=5)
    assert "Already done at 2026-12-01 12:00:00" in gateway.before(call("make", "c-3"), CLERK).message
    gateway.after(call("make", "c-2"), CLERK, ConnectionError("reset"))
    asked = gateway.before(call("make", "c-3"), CLERK)
    assert asked.code is Code.ALREADY_DONE
    assert "Already done at 2026-12-01 12:00:00" in asked.message


def test_that_the_first_may_have_done_it_was_forgotten_when_a_second_one_failed() -> None:  # A16
    gateway = World(text=FORMS).gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    for name in ("c-2", "c-3"):
        approve(gateway, gateway.before(call("make", name), CLERK).approval, person("u-3"))
        assert gateway.before(call("make", name), CLERK).proceeds
    for name in ("c-3", "c-2"):
        gateway.after(call("make", name), CLERK, ConnectionError("reset"))
        assert "may have done it" in gateway.before(call("make", "c-4"), CLERK).message
    gateway.after(call("make"), CLERK, ConnectionError("reset"))
    assert gateway.before(call("make", "c-4"), CLERK).proceeds


def test_that_the_first_has_done_it_late_was_not_noted_while_a_second_one_was_at_it() -> None:  # A16
    gateway = World(text=FORMS).gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    approve(gateway, gateway.before(call("make", "c-2"), CLERK).approval, person("u-3"))
    assert gateway.before(call("make", "c-2"), CLERK).proceeds
    gateway.after(call("make"), CLERK, "made")
    assert "Already done" in gateway.before(call("make", "c-3"), CLERK).message
    gateway.after(call("make", "c-2"), CLERK, ConnectionError("reset"))
    assert "Already done" in gateway.before(call("make", "c-3"), CLERK).message


def test_that_a_call_may_have_done_it_was_forgotten_when_it_was_run_again_and_failed() -> None:  # A16
    gateway = World(text=FORMS).gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    approve(gateway, gateway.before(call("make"), CLERK).approval, person("u-3"))
    again = gateway.before(call("make"), CLERK)
    assert again.proceeds
    gateway.after(call("make"), CLERK, ConnectionError("reset"), again)
    assert "may have done it" in gateway.before(call("make", "c-2"), CLERK).message


def test_who_agreed_where_it_may_be_done_had_agreed_where_it_is() -> None:  # A9 A16
    gateway = World(text=FORMS).gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    asked = gateway.before(call("make", "c-2"), CLERK).approval
    approve(gateway, asked, person("u-3"))
    gateway.after(call("make"), CLERK, "made")
    anew = gateway.before(call("make", "c-2"), CLERK)
    assert (anew.effect, anew.code) == (Effect.ASK, Code.ALREADY_DONE)
    assert "Already done" in anew.message
    approve(gateway, anew.approval, person("u-3"))
    assert gateway.before(call("make", "c-2"), CLERK).proceeds


def test_who_agreed_to_one_that_is_at_it_had_agreed_to_any_other() -> None:  # A9 A16
    gateway = World(text=FORMS).gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    approve(gateway, gateway.before(call("make", "c-2"), CLERK).approval, person("u-3"))
    gateway.after(call("make"), CLERK, ConnectionError("reset"))
    assert gateway.before(call("make", "c-3"), CLERK).proceeds
    assert gateway.before(call("make", "c-2"), CLERK).code is Code.ALREADY_DONE


def test_who_agreed_though_it_is_done_agreed_where_it_may_be() -> None:
    world = World(text=FORMS)
    gateway = world.gateway()
    plan = gateway.plan([call("make"), call("make", "c-2")], CLERK)
    assert "Already done" in plan.prompt
    gateway.resume_plan(plan.id, Answer(Verdict.APPROVE), person("u-3"))
    world.pass_by(minutes=1)
    assert gateway.before(call("make"), CLERK).proceeds
    gateway.after(call("make"), CLERK, "made")
    assert gateway.before(call("make", "c-2"), CLERK).proceeds


class Failing(MemoryStore):
    """A store that can't say what was made while it is down."""

    down = False

    def read(self, keys: Any) -> Any:
        if self.down and place() in keys:
            raise Unavailable("the disk is gone")
        return super().read(keys)


def test_a_store_that_can_not_say_lets_nothing_run_and_shows_no_result() -> None:  # A16
    store = Failing()
    gateway = World(store, FORMS).gateway()
    assert gateway.before(call("make"), CLERK).proceeds
    store.down = True
    refused = gateway.before(call("make", "c-2"), CLERK)
    assert (refused.effect, refused.code) == (Effect.DENY, Code.STATE_UNAVAILABLE)
    assert gateway.before(call("make", "c-3", id="b"), CLERK).proceeds
    assert gateway.after(call("make"), CLERK, "made").code is Code.RESULT_UNRECORDED
    store.down = False
    assert gateway.before(call("make"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_where_an_argument_of_the_key_is_missing_there_is_no_key() -> None:  # A16
    gateway = World(text=FORMS).gateway()
    notes: list[dict[str, Any]] = [{}, {}, {"note": {}}, {"note": {"title": "x"}}]
    for number, note in enumerate(notes):
        assert gateway.before(call("maybe", f"c-{number}", **note), CLERK).proceeds
    assert gateway.before(call("maybe", "c-9", note={"title": "x"}), CLERK).code is Code.ALREADY_DONE


def test_what_only_reads_makes_nothing() -> None:
    gateway = World(text=FORMS).gateway()
    for number in range(2):
        assert gateway.before(call("maybe", f"c-{number}", id="peek", note={"title": "x"}), CLERK).proceeds
    assert gateway.before(call("maybe", "c-9", note={"title": "x"}), CLERK).proceeds


def test_a_dry_run_makes_nothing_and_tells_what_would_be_asked() -> None:
    world = World(text=FORMS)
    rehearsal = {**CLERK, "dry_run": True}
    assert world.gateway().before(call("make", "c-0"), rehearsal).code is Code.DRY_RUN
    done(world)
    rehearsed = world.gateway().before(call("make", "c-2"), rehearsal)
    assert rehearsed.code is Code.DRY_RUN
    assert Code.ALREADY_DONE in {finding.code for finding in rehearsed.findings}


def test_wrapping_is_no_way_round() -> None:
    world = World(text=FORMS)
    gateway = done(world)
    inner = gateway.before(call("do", "c-2", id="make", input={"id": "a"}), CLERK)
    assert (inner.effect, inner.code) == (Effect.ASK, Code.ALREADY_DONE)
    assert gateway.before(call("do", "c-3", id="make", input={"id": "b"}), CLERK).proceeds
    assert gateway.before(call("make", "c-4", id="b"), CLERK).code is Code.ALREADY_DONE
    gateway.after(call("do", "c-3", id="make", input={"id": "b"}), CLERK, ValueError("no room"))
    assert gateway.before(call("make", "c-4", id="b"), CLERK).proceeds


def test_a_plan_shows_that_its_own_calls_make_the_same() -> None:  # A16
    world = World(text=FORMS)
    plan = world.gateway().plan([call("make"), call("make", "c-2")], CLERK)
    assert [one.code for one in plan.decisions] == [Code.ALLOWED, Code.ALREADY_DONE]
    world.gateway().resume_plan(plan.id, Answer(Verdict.APPROVE), person("u-3"))
    for name in ("c-1", "c-2"):
        assert world.gateway().before(call("make", name), CLERK).proceeds


def test_it_is_explained_and_nothing_changes() -> None:
    world = World(text=FORMS)
    gateway = done(world)
    explained = gateway.explain(call("make", "c-2"), CLERK).decision
    assert explained.code is Code.ALREADY_DONE
    assert any("idempotency_key" in entry.text for entry in explained.trace)


def test_it_is_forgotten_after_a_year() -> None:
    world = World(text=FORMS)
    gateway = done(world)
    world.pass_by(days=300)
    for number in range(600):
        gateway.before(call("look", f"n-{number}"), CLERK)
    assert gateway.before(call("make", "c-2"), CLERK).code is Code.ALREADY_DONE
    world.pass_by(days=67)
    for number in range(600):
        gateway.before(call("look", f"m-{number}"), CLERK)
    assert gateway.before(call("make", "c-3"), CLERK).proceeds


def test_notes_are_packed_and_unpacked() -> None:
    note = Noted((Done("a-1", 7, ended=True), Done("a-2", 9, ended=False)))
    put = note.put(place(), 3)
    assert (Noted.of(put.value), put.expected, put.expires) == (note, 3, 9 + 366 * 24 * 3600 * 1_000_000)


def test_what_is_idempotent_is_run_again_unasked() -> None:  # A5 A6
    gateway = World(text=FORMS).gateway()
    first = gateway.before(call("sync"), CLERK)
    assert first.proceeds
    assert first.repeatable
    assert gateway.before(call("sync"), CLERK).proceeds
    gateway.after(call("sync"), CLERK, "done")
    assert gateway.before(call("sync"), CLERK).code is Code.ALREADY_COMPLETED
    assert not gateway.before(call("save", "c-2"), CLERK).repeatable
    assert gateway.before(call("look", "c-3"), CLERK).repeatable


def test_what_wraps_is_as_idempotent_as_what_it_wraps() -> None:
    gateway = World(text=FORMS).gateway()
    for tool, inner, repeatable in (
        ("do", "sync", True),
        ("do", "save", False),
        ("do", "look", True),
        ("strictly", "sync", False),
    ):
        made = call(tool, f"{tool}-{inner}", id=inner, input={"id": "a"})
        decision = gateway.before(made, CLERK)
        assert decision.repeatable is repeatable
        assert gateway.before(made, CLERK).proceeds is repeatable


@pytest.mark.parametrize(("tool", "tries"), [("sync", 3), ("look", 3), ("save", 1)])
def test_what_is_idempotent_is_tried_three_times(tool: str, tries: int) -> None:  # A5
    tried: list[Mapping[str, Any]] = []

    def failing(arguments: Mapping[str, Any]) -> None:
        tried.append(arguments)
        raise ValueError("busy")

    ran = World(text=FORMS).gateway().run(call(tool), CLERK, failing)
    assert len(tried) == tries
    assert "busy" in ran.text


@pytest.mark.parametrize(("tool", "stops"), [("halt", True), ("tell", False), ("pay", False)])
def test_a_tool_says_what_a_rejection_means(tool: str, stops: bool) -> None:  # A10
    gateway = World(text=FORMS).gateway()
    asked = gateway.before(call(tool), CLERK)
    assert asked.approval is not None
    assert not asked.stops
    gateway.resume(asked.approval["id"], Answer(Verdict.REJECT, "not today"), person("u-3"))
    refused = gateway.before(call(tool), CLERK)
    assert (refused.effect, refused.code, refused.stops) == (Effect.DENY, Code.APPROVAL_REJECTED, stops)
    assert "not today" in refused.message
    assert ("Stop here" in refused.message) is stops
    assert ("go on without it" in refused.message) is not stops


def test_a_rejection_of_what_wraps_means_what_the_inner_tool_says() -> None:  # A10
    gateway = World(text=FORMS).gateway()
    made = call("strictly", id="halt", input={"id": "a"})
    asked = gateway.before(made, CLERK)
    assert asked.approval is not None
    gateway.resume(asked.approval["id"], Answer(Verdict.REJECT), person("u-3"))
    assert gateway.before(made, CLERK).stops


def test_an_answer_that_comes_too_late_stops_nothing() -> None:
    world = World(
        text=FORMS.replace("{name: wire, risk: HIGH}", "{name: wire, risk: HIGH, on_rejection: stop}")
    )
    asked = world.gateway().before(call("wire", amount=101), CLERK)
    assert asked.approval is not None
    world.pass_by(hours=1)
    late = world.gateway().before(call("wire", amount=101), CLERK)
    assert (late.code, late.stops) == (Code.APPROVAL_EXPIRED, False)


def test_children_of_a_conversation_make_what_exists_only_once() -> None:  # A16 C12
    world = World(text=FORMS)
    gateway = world.gateway()
    child = gateway.child(CLERK, "clerk", "h-1")
    assert gateway.before(call("make"), child).proceeds
    gateway.after(call("make"), child, "made")
    assert gateway.before(call("make"), CLERK).code is Code.ALREADY_DONE
