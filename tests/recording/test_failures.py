"""Whatever can't be recorded does not happen, unless the host says that it may."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from gateway import Code, Effect
from gateway.answering import Answer, Verdict
from gateway.record import Recorder, RecordKind
from gateway.recorders import Several
from gateway.recorders.calling import CallingRecorder
from gateway.recorders.file import FileRecorder
from gateway.recorders.store import StoreRecorder
from gateway.recording import OnUnrecorded, Recording
from gateway.state import Unavailable
from gateway.stores.memory import MemoryStore
from tests.recording.failing import CASES, Work, World, asked, outcome, rows
from tests.recording.world import Failing, Kept, gateway
from tests.remembering.world import CLERK, call, person
from tests.test_readme import README

WANTED = {
    "allowed": "deny, `STATE_UNAVAILABLE`",
    "asked": "deny, `STATE_UNAVAILABLE`",
    "refused": "deny, `TOOL_NOT_FOUND`",
    "unlisted": "deny, `STATE_UNAVAILABLE`",
    "result": "`RESULT_UNRECORDED`: nothing of the result is shown",
    "answer": "`Unavailable` is raised; the question stays as it was",
    "reload": "`reload-unrecorded` is raised; the policy before stays in force",
}
UNHINDERED = {
    "allowed": "allow, `ALLOWED`",
    "asked": "ask, `CONFIRM`",
    "refused": "deny, `TOOL_NOT_FOUND`",
    "unlisted": "allow, `ALLOWED`",
    "result": "`REVIEWED`: it is shown",
    "answer": "it is approved",
    "reload": "they are served",
}
IDS = [work.__name__ for work, _ in CASES]


@pytest.mark.parametrize("error", [None, OSError("no"), RuntimeError("odd"), KeyError()], ids=str)
@pytest.mark.parametrize(("work", "number"), CASES, ids=IDS)
def test_what_can_t_be_recorded_does_not_happen(
    work: Work, number: int, error: Exception | None
) -> None:  # C13
    assert outcome(Failing(number, error), work) == WANTED[work.__name__]


@pytest.mark.parametrize(("work", "number"), CASES, ids=IDS)
def test_without_the_failure_or_without_a_recorder_it_happens(work: Work, number: int) -> None:
    assert outcome(Kept(), work) == UNHINDERED[work.__name__]
    assert outcome(None, work) == UNHINDERED[work.__name__]


@pytest.mark.parametrize(("work", "number"), CASES, ids=IDS)
def test_a_host_may_go_on_unrecorded_and_is_told(
    work: Work, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Recording(Failing(number), unrecorded=OnUnrecorded.PROCEED)
    with caplog.at_level(logging.ERROR, "gateway"):
        assert outcome(settings, work) == UNHINDERED[work.__name__]
    assert "the disk is full" in caplog.text


def test_the_table_of_the_readme_says_so() -> None:
    for row in rows():
        assert f"| {' | '.join(row)} |" in README, "a row of the table"


def test_a_refusal_says_why_to_the_operator_and_not_to_the_model() -> None:
    decision = gateway(Failing(0)).before(call("save"), CLERK)
    assert (decision.effect, decision.code) == (Effect.DENY, Code.STATE_UNAVAILABLE)
    assert "record" in decision.detail
    assert "disk" in decision.detail
    assert "disk" not in decision.message
    assert decision.call_id == "c-1"
    already = gateway(Failing(0)).before(call("gone"), CLERK)
    assert any("record" in error for error in already.errors)


def test_a_call_does_not_run_that_is_not_recorded() -> None:
    ran: list[object] = []
    made = gateway(Failing(0)).run(call("save"), CLERK, ran.append)
    assert ran == []
    assert made.review is None


def test_an_answer_that_is_not_recorded_grants_nothing() -> None:
    world = World(Failing(1))
    approval = asked(world).approval
    assert approval is not None
    with pytest.raises(Unavailable, match="record"):
        world.gateway.resume(approval["id"], Answer(Verdict.APPROVE), person("u-2"))
    world.recorder = Kept()
    assert asked(world).effect is Effect.ASK


def test_a_refused_answer_or_reload_stays_refused_where_that_is_not_recorded() -> None:
    from gateway.answering import ApprovalError

    world = World(Failing(1))
    with pytest.raises(ApprovalError):
        world.gateway.resume("nonsense", Answer(Verdict.APPROVE), person("u-2"))


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_several_places_must_all_keep_it_and_each_gets_it(failing: int) -> None:
    places: list[Recorder] = [Kept(), Kept(), Kept()]
    places[failing] = Failing(0, RuntimeError("odd"))
    decision = gateway(Several(*places)).before(call("save"), CLERK)
    assert decision.code is Code.STATE_UNAVAILABLE
    effects = [[row["effect"] for row in place.rows] for place in places if isinstance(place, Kept)]
    # What could be recorded before is corrected.
    assert effects == [["deny"] if number == failing else ["allow", "deny"] for number in range(3)]


def test_a_function_that_raises_fails_the_record() -> None:
    def fails(row: object) -> None:
        raise ConnectionError("nobody listens")

    decision = gateway(CallingRecorder(fails)).before(call("save"), CLERK)
    assert "nobody listens" in decision.detail


def test_a_store_that_is_closed_fails_the_record() -> None:
    store = MemoryStore()
    store.close()
    assert gateway(StoreRecorder(store)).before(call("save"), CLERK).code is Code.STATE_UNAVAILABLE


def test_a_file_that_is_gone_with_its_directory_fails_the_record(tmp_path: Path) -> None:
    import shutil

    gate = gateway(FileRecorder(tmp_path / "log" / "decisions.jsonl"))
    assert gate.before(call("save"), CLERK).proceeds
    shutil.rmtree(tmp_path / "log")
    decision = gate.before(call("save", "c-2"), CLERK)
    assert decision.code is Code.STATE_UNAVAILABLE
    assert "can't be written" in decision.detail


def test_an_entry_that_is_refused_stays_refused_where_that_is_not_recorded() -> None:
    kept = Kept()
    assert gateway(Failing(0)).entry({}).code is Code.NO_IDENTITY
    gateway(kept).entry({})
    assert [record.kind for record in kept.records] == [RecordKind.ENTRY]
