"""A call that was refused for want of a record left nothing behind that said it was let run (C13, A6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gateway import Code, Effect
from gateway.chain import Anchor
from gateway.record import Record, Recorder, Unrecorded
from gateway.recorders import Several
from gateway.recorders.anchors import AnchorFile
from gateway.recorders.file import FileRecorder
from gateway.recorders.store import StoreRecorder, log_key
from gateway.recording import OnUnrecorded, Recording
from gateway.state import Append, Change, Delete, Lost, Row, Store, Unavailable
from gateway.stores.memory import MemoryStore
from tests.recording.world import Failing, Kept, gateway, said
from tests.remembering.world import CLERK, SHOP, approve, call, person
from tests.stores.conftest import Stores

LIMITED = SHOP + "limits: [{id: saves, tools: [save], per: subject, rate: 1/h}]\n"


class Outage(Kept):
    """Fails while it is down."""

    down = False

    def record(self, record: Record) -> None:
        if self.down:
            raise Unrecorded("the disk is full")
        super().record(record)


class Gone:
    """Anchors that can be kept nowhere."""

    down = True

    def put(self, anchor: Anchor) -> None:
        if self.down:
            raise Unrecorded("the other disk is gone")

    def last(self, log: str) -> Anchor | None:
        return None


def refused_once(store: Store, recorder: Recorder, down: Any, text: str = SHOP, tool: str = "save") -> None:
    """One call is refused while nothing can be recorded, and is as new afterwards."""
    down.down = True
    refused = gateway(recorder, text, store).before(call(tool), CLERK)
    assert (refused.effect, refused.code) == (Effect.DENY, Code.STATE_UNAVAILABLE)
    assert "record" in refused.message
    down.down = False
    again = gateway(recorder, text, store).before(call(tool), CLERK)
    assert (again.effect, again.code) == (Effect.ALLOW, Code.ALLOWED)


@pytest.fixture
def store(stores: Stores) -> Store:
    return stores.open()


def test_a_refused_call_stood_in_the_journal_as_started(store: Store) -> None:
    outage = Outage()
    refused_once(store, outage, outage)


def test_a_refused_call_was_counted(store: Store) -> None:
    outage = Outage()
    refused_once(store, outage, outage, LIMITED)
    over = gateway(outage, LIMITED, store).before(call("save", "c-2"), CLERK)
    assert over.code is Code.RATE_LIMIT


def test_a_refused_call_stood_as_the_one_that_makes_something(store: Store) -> None:  # A16
    text = SHOP.replace(
        "{name: save, risk: MEDIUM}", '{name: save, risk: MEDIUM, idempotency_key: "{args.id}"}'
    )
    outage = Outage()
    outage.down = True
    assert gateway(outage, text, store).before(call("save"), CLERK).code is Code.STATE_UNAVAILABLE
    outage.down = False
    assert gateway(outage, text, store).before(call("save", "c-2"), CLERK).proceeds
    assert gateway(outage, text, store).before(call("save", "c-3"), CLERK).code is Code.ALREADY_DONE


class Odd(MemoryStore):
    """A store whose driver fails in a way of its own when something is taken back."""

    odd = True

    def apply(self, changes: Sequence[Change]) -> None:
        if self.odd and any(isinstance(change, Delete) for change in changes):
            raise RuntimeError("a bug of the driver")
        super().apply(changes)


def test_a_store_that_failed_in_its_own_way_let_an_exception_out_of_before(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store, outage = Odd(), Outage()
    outage.down = True
    refused = gateway(outage, store=store).before(call("save"), CLERK)
    assert (refused.effect, refused.code) == (Effect.DENY, Code.STATE_UNAVAILABLE)
    assert "could not be taken back" in caplog.text
    outage.down = False
    assert gateway(outage, store=store).before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_refused_call_took_the_place_of_the_one_that_is_at_it(store: Store) -> None:  # A16
    text = SHOP.replace(
        "{name: save, risk: MEDIUM}", '{name: save, risk: MEDIUM, idempotency_key: "{args.id}"}'
    )
    outage = Outage()
    gate = gateway(outage, text, store)
    assert gate.before(call("save"), CLERK).proceeds
    approve(gate, gate.before(call("save", "c-2"), CLERK).approval, person("u-2"))
    outage.down = True
    assert gate.before(call("save", "c-2"), CLERK).code is Code.STATE_UNAVAILABLE
    outage.down = False
    gate.after(call("save"), CLERK, ConnectionError("reset"))
    assert gate.before(call("save", "c-3"), CLERK).proceeds


def test_a_refused_call_used_up_its_approval(store: Store) -> None:
    outage = Outage()
    approve(
        gateway(outage, store=store),
        gateway(outage, store=store).before(call("pay"), CLERK).approval,
        person("u-2"),
    )
    refused_once(store, outage, outage, tool="pay")
    assert gateway(outage, store=store).before(call("pay"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_an_attempt_whose_outcome_is_unknown_stays_so() -> None:
    store, outage = MemoryStore(), Outage()
    first = gateway(outage, store=store).before(call("save"), CLERK)
    assert first.proceeds
    approve(
        gateway(outage, store=store),
        gateway(outage, store=store).before(call("save"), CLERK).approval,
        person("u-2"),
    )
    outage.down = True
    assert gateway(outage, store=store).before(call("save"), CLERK).code is Code.STATE_UNAVAILABLE
    outage.down = False
    assert gateway(outage, store=store).before(call("save"), CLERK).proceeds, "its approval is there again"
    assert gateway(outage, store=store).before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_call_without_a_store_that_was_refused_was_counted() -> None:
    outage = Outage()
    gate = gateway(outage, LIMITED)
    outage.down = True
    assert gate.before(call("save"), CLERK).code is Code.STATE_UNAVAILABLE
    outage.down = False
    assert gate.before(call("save"), CLERK).proceeds
    assert gate.before(call("save", "c-2"), CLERK).code is Code.RATE_LIMIT


class Breaking:
    """A store that can't be changed any more after so many changes."""

    def __init__(self, left: int) -> None:
        self.inner = MemoryStore()
        self._left = left

    def apply(self, changes: Sequence[Change]) -> None:
        self._left -= 1
        if self._left < 0:
            raise Unavailable("the disk is full")
        self.inner.apply(changes)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def test_where_the_entry_can_not_be_taken_back_a_person_is_asked() -> None:
    store: Any = Breaking(1)
    assert gateway(Failing(0), store=store).before(call("save"), CLERK).code is Code.STATE_UNAVAILABLE
    assert gateway(Kept(), store=store.inner).before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_process_that_dies_before_its_record_leaves_a_question() -> None:
    class Dying(Kept):
        def record(self, record: Record) -> None:
            raise KeyboardInterrupt

    store = MemoryStore()
    with pytest.raises(KeyboardInterrupt):
        gateway(Dying(), store=store).before(call("save"), CLERK)
    assert gateway(Kept(), store=store).before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_process_that_dies_at_its_record_in_the_same_store_leaves_nothing() -> None:
    class Dying(MemoryStore):
        dies = False

        def apply(self, changes: Sequence[Change]) -> None:
            if self.dies and any(isinstance(change, Append) for change in changes):
                raise KeyboardInterrupt
            super().apply(changes)

    store = Dying()
    store.dies = True
    with pytest.raises(KeyboardInterrupt):
        gateway(StoreRecorder(store), store=store).before(call("save"), CLERK)
    store.dies = False
    assert gateway(StoreRecorder(store), store=store).before(call("save"), CLERK).code is Code.ALLOWED


def test_the_log_said_allow_of_a_call_that_was_refused(tmp_path: Path) -> None:
    gone = Gone()
    log = tmp_path / "log" / "decisions.jsonl"
    recorder = FileRecorder(log, anchors=gone, every=1)
    decision = gateway(recorder).before(call("save"), CLERK)
    assert decision.code is Code.STATE_UNAVAILABLE
    told = [(row["id"], row["effect"], row["code"]) for row in said(log)]
    assert told == [(decision.id, "allow", "ALLOWED"), (decision.id, "deny", "STATE_UNAVAILABLE")]


def rows(store: Store) -> list[Mapping[str, Any]]:
    import json

    return [json.loads(row.value) for row in store.rows(log_key("acme"), 0, 100)]


def test_a_decision_and_its_record_are_kept_in_one_step(store: Store) -> None:
    gate = gateway(StoreRecorder(store), store=store)
    decision = gate.before(call("save"), CLERK)
    gate.after(call("save"), CLERK, "saved", decision)
    gate.before(call("pay", "c-2"), CLERK)
    assert [(row["kind"], row["code"]) for row in rows(store)] == [
        ("decision", "ALLOWED"),
        ("result", "REVIEWED"),
        ("decision", "CONFIRM"),
    ]
    assert gate.before(call("save"), CLERK).code is Code.ALREADY_COMPLETED


def test_one_step_is_one_change_of_the_store() -> None:
    class Counting(MemoryStore):
        applied: int = 0

        def apply(self, changes: Sequence[Change]) -> None:
            self.applied += 1
            super().apply(changes)

    store = Counting()
    gateway(StoreRecorder(store), store=store).before(call("save"), CLERK)
    assert store.applied == 1


def test_a_row_of_another_process_comes_between() -> None:
    store = MemoryStore()
    mine, other = StoreRecorder(store), StoreRecorder(store)
    assert gateway(mine, store=store).before(call("save"), CLERK).proceeds
    gateway(other, store=store).before(call("save", "c-2"), CLERK)
    assert gateway(mine, store=store).before(call("save", "c-3"), CLERK).proceeds
    assert [row["n"] for row in rows(store)] == [1, 2, 3]


def test_a_limit_that_others_filled_in_between_is_no_matter_of_the_log() -> None:
    class Racing(MemoryStore):
        other: Callable[[], object] | None = None

        def apply(self, changes: Sequence[Change]) -> None:
            other, self.other = self.other, None
            if other is not None:
                other()
            super().apply(changes)

    store = Racing()
    gate = gateway(StoreRecorder(store), LIMITED, store)
    store.other = lambda: gateway(StoreRecorder(store), LIMITED, store).before(call("save", "c-2"), CLERK)
    assert gate.before(call("save"), CLERK).code is Code.RATE_LIMIT
    assert [row["code"] for row in rows(store)] == ["ALLOWED", "RATE_LIMIT"]


def test_a_log_in_the_same_store_whose_anchor_can_not_be_kept_takes_the_call_back() -> None:
    store, gone = MemoryStore(), Gone()
    recorder = StoreRecorder(store, anchors=gone, every=1)
    refused_once(store, recorder, gone)
    assert [row["code"] for row in rows(store)] == ["ALLOWED", "STATE_UNAVAILABLE", "ALLOWED"]


class Unreadable(MemoryStore):
    """A store in which the last row of a log is none."""

    down = True

    def last(self, key: Any) -> Row | None:
        return Row(1, b"nonsense") if self.down else super().last(key)


def test_a_log_in_the_same_store_that_can_not_go_on_lets_nothing_run() -> None:
    store = Unreadable()
    refused_once(store, StoreRecorder(store), store)


def test_a_host_goes_on_where_the_log_in_the_same_store_can_not() -> None:
    store = Unreadable()
    settings = Recording(StoreRecorder(store), unrecorded=OnUnrecorded.PROCEED)
    assert gateway(settings, store=store).before(call("save"), CLERK).proceeds
    assert gateway(settings, store=store).before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_store_that_fails_with_its_log_is_a_refusal_and_changes_nothing() -> None:
    store: Any = Breaking(0)
    refused = gateway(StoreRecorder(store), store=store).before(call("save"), CLERK)
    assert refused.code is Code.STATE_UNAVAILABLE
    assert gateway(None, store=store.inner).before(call("save"), CLERK).proceeds


def test_a_result_that_was_not_recorded_answered_the_call_when_it_came_again(store: Store) -> None:
    outage = Outage()
    gate = gateway(outage, store=store)
    decision = gate.before(call("save"), CLERK)
    outage.down = True
    assert gate.after(call("save"), CLERK, "saved", decision).code is Code.RESULT_UNRECORDED
    outage.down = False
    again = gate.before(call("save"), CLERK)
    assert (again.code, again.response) == (Code.OUTCOME_UNKNOWN, None)


def test_a_result_is_recorded_before_it_is_kept() -> None:
    store: Any = Breaking(1)
    kept = Kept()
    gate = gateway(kept, store=store)
    decision = gate.before(call("save"), CLERK)
    assert gate.after(call("save"), CLERK, "saved", decision).code is Code.RESULT_UNRECORDED
    assert [row["code"] for row in kept.rows] == ["ALLOWED", "REVIEWED", "RESULT_UNRECORDED"]


def test_the_log_said_of_a_result_that_was_withheld_that_it_was_shown() -> None:
    kept = Kept()
    gate = gateway(Several(kept, Failing(1)), store=MemoryStore())
    decision = gate.before(call("save"), CLERK)
    assert gate.after(call("save"), CLERK, "saved", decision).code is Code.RESULT_UNRECORDED
    assert [row["code"] for row in kept.rows] == ["ALLOWED", "REVIEWED", "RESULT_UNRECORDED"]


def test_a_change_that_is_lost_is_none_of_the_log() -> None:
    store = MemoryStore()
    recorder = StoreRecorder(store)
    from gateway.record import RecordKind
    from gateway.state import Key, Kind, Put

    change = Put(Key("acme", Kind.LIMIT, "x"), b"1", 7)
    with pytest.raises(Lost):
        recorder.record_with(Record(kind=RecordKind.DECISION, at=1, tenant="acme"), (change,))
    assert rows(store) == []


def test_anchors_in_a_file_are_put_after_the_row(tmp_path: Path) -> None:
    from gateway.recorders.anchors import read_anchors

    store = MemoryStore()
    path = tmp_path / "anchors"
    gateway(StoreRecorder(store, anchors=AnchorFile(path), every=1), store=store).before(call("save"), CLERK)
    assert [anchor.number for anchor in read_anchors(path, "acme")] == [1]
