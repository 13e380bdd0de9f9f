"""The decision log of a gateway: what is recorded when, and what happens where that fails."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import Enum
from threading import Lock
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from gateway.decision import Code, Decision, Effect, Step
from gateway.diagnostic import Diagnostic, PolicyError
from gateway.facts import Clock
from gateway.failing import described, failed, in_mcp_form
from gateway.frozen import frozen
from gateway.record import Joining, Record, Recorder, RecordKind, Unrecorded
from gateway.recorded import (
    LONGEST_NAME,
    decision_record,
    result_record,
    who_asks,
    who_is_written,
    with_output,
    without_secrets,
)
from gateway.results.review import Review
from gateway.state import Store, Unavailable

if TYPE_CHECKING:
    from gateway.answering import Answer
    from gateway.call import ToolCall
    from gateway.relaxation import Change
    from gateway.reloading import Confirmed
    from gateway.session import Session


class OnUnrecorded(Enum):
    """What becomes of a call whose record can't be written."""

    DENY = "deny"
    """It is refused, and nothing is shown of its result; answers and reloads are refused as well."""
    PROCEED = "proceed"
    """It goes on, and Python's `logging` is told (the logger `gateway`)."""


class Outputs(Enum):
    """Whether the log keeps what came of calls."""

    LEFT_OUT = "left-out"
    BEGINNING = "beginning"
    """The first 1,000 characters of what may be shown of a result: redacted as the policy says, and without secrets."""


@frozen
class Recording:
    """A recorder with its settings."""

    recorder: Recorder
    key: bytes | None = None
    """What digests of arguments are made with, such as `kept_key` gives; without one no digest is written."""
    unrecorded: OnUnrecorded = OnUnrecorded.DENY
    outputs: Outputs = Outputs.LEFT_OUT

    def __post_init__(self) -> None:
        """Refuse a key that can be guessed."""
        if self.key is not None and len(self.key) < _SHORTEST_KEY:
            raise ValueError(f"a key of the log has at least {_SHORTEST_KEY} bytes")

    def record(self, record: Record) -> None:
        """Keep a record, or raise `Unrecorded`."""
        self.recorder.record(record)


_SHORTEST_KEY = 16
_MOST_RUNNING = 10_000
_LONGEST_REASON = 1_000


def kept_key(path: str | os.PathLike[str]) -> bytes:
    """The key in a file that its user alone may read; a new one is made where there is none.

    Keep it away from the log: who has both can guess small arguments. Raises `Unrecorded`.
    """
    from gateway.stores.place import prepared

    try:
        place, _ = prepared(os.fspath(path))
        descriptor = os.open(place, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "r+b") as file:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
            known = file.read()
            if not known:
                known = os.urandom(32).hex().encode("ascii")
                file.write(known)
                file.flush()
                os.fsync(file.fileno())
        key = bytes.fromhex(known.decode("ascii"))
    except (OSError, ValueError, Unavailable) as error:
        raise Unrecorded(f"the key of the log in `{os.fspath(path)}` can't be used: {error}") from error
    if len(key) < _SHORTEST_KEY:
        raise Unrecorded(f"the key of the log in `{os.fspath(path)}` is too short")
    return key


class DecisionLog:
    """Records what a gateway answers, before it does; safe on any thread."""

    def __init__(self, recorder: Recorder, clock: Clock) -> None:
        settings = recorder if isinstance(recorder, Recording) else Recording(recorder)
        self._recorder = settings.recorder
        self._joining = settings.recorder if isinstance(settings.recorder, Joining) else None
        self.key = settings.key
        self.denies = settings.unrecorded is OnUnrecorded.DENY
        self._outputs = settings.outputs
        self._clock = clock
        self._lock = Lock()
        self._running: OrderedDict[str, int] = OrderedDict()

    def entered(self, decision: Decision, session: object, began: int) -> Decision:
        """Whether a conversation may start: only a refusal is recorded, as nothing else comes of it."""
        if decision.proceeds:
            return decision
        took = self.since(began)
        why = self.keep(
            lambda: replace(
                decision_record(decision, None, who_asks(session), None, self.now(), took),
                kind=RecordKind.ENTRY,
            )
        )
        return decision if why is None or not self.denies else unrecorded(decision, why)

    def planned(
        self, decisions: Sequence[Decision], calls: Sequence[object], session: object, plan: str, began: int
    ) -> None:
        """Record what would be decided about the calls of a plan; `Unavailable` where that can't be."""
        took = self.since(began)
        for decision, call in zip(decisions, calls, strict=True):
            record = decision_record(decision, call, who_asks(session), self.key, self.now(), took)
            why = self.must_keep(replace(record, kind=RecordKind.PLAN, request=plan))
            if why is not None:
                raise Unavailable(f"the record of the plan can't be written: {why}")

    def reviewed(
        self, review: Review, session: object, result: object, decision: object, began: int
    ) -> Review:
        """The review when it is recorded; one that shows nothing where it can't be."""
        known = decision if isinstance(decision, Decision) else None
        took, ran = self.since(began), self._ended(known, began)

        def made() -> Record:
            record = result_record(review, known, who_asks(session), self.now(), took, ran)
            return record if self._outputs is Outputs.LEFT_OUT else with_output(record, review, known)

        why = self.keep(made)
        if why is None or not self.denies:
            return review
        from gateway.steps.review import withheld

        unseen = withheld(
            Code.RESULT_UNRECORDED,
            "the record of the result can't be written",
            why,
            review.tool,
            review.call_id,
            in_mcp_form=in_mcp_form(result),
        )
        self.keep(lambda: result_record(unseen, known, who_asks(session), self.now(), took, ran))
        return unseen

    def joining(self, store: Store) -> Joining | None:
        """The recorder where it writes into this very store."""
        joining = self._joining
        return joining if joining is not None and joining.joins(store) else None

    def keep(self, make: Callable[[], Record]) -> str | None:
        """Keep a record; why it could not be, if so."""
        try:
            self._recorder.record(make())
        except Exception as error:  # the edge to recorders: whatever fails, nothing is recorded
            return self.lacks(error)
        return None

    def lacks(self, error: Exception) -> str:
        """Why a record could not be kept; told to `logging` where the host goes on."""
        why = str(error) if isinstance(error, Unrecorded) else described(error)
        if not self.denies:
            from logging import getLogger

            getLogger("gateway").error("a record can't be written: %s", why)
        return why

    def must_keep(self, record: Record) -> str | None:
        """Keep a record; why what it says must not happen, if so."""
        why = self.keep(lambda: record)
        return why if self.denies else None

    def now(self) -> int:
        """The time, as records have it."""
        return int(self._clock().timestamp() * 1_000_000)

    def since(self, began: int) -> int:
        """How many microseconds have gone by."""
        return (perf_counter_ns() - began) // 1000

    def started(self, name: str) -> None:
        """A call begins to run under the decision of this id."""
        with self._lock:
            self._running[name] = perf_counter_ns()
            if len(self._running) > _MOST_RUNNING:
                self._running.popitem(last=False)

    def _ended(self, decision: Decision | None, began: int) -> int | None:
        """How long a call ran, where this process let it run."""
        if decision is None:
            return None
        with self._lock:
            started = self._running.pop(decision.id, None)
        return None if started is None else max(began - started, 0) // 1000

    def answer_record(self, request: str, answer: Answer, session: object, error: str) -> Record:
        """The record of an answer to a request."""
        return Record(
            kind=RecordKind.APPROVAL,
            at=self.now(),
            **who_is_written(session),
            request=without_secrets(request)[:LONGEST_NAME],
            verdict=answer.verdict.value,
            errors=(error,) if error else (),
            refused=bool(error),
        )

    def trial_record(self, call: ToolCall, session: Session) -> Record:
        """The record that a call is a trial; its decision and its result have their own."""
        return Record(
            kind=RecordKind.TRIAL,
            at=self.now(),
            **who_is_written(session),
            call=without_secrets(call.id)[:LONGEST_NAME],
            tool=without_secrets(call.name)[:LONGEST_NAME],
        )

    def reload_record(
        self,
        before: str,
        after: str,
        changes: tuple[Change, ...],
        errors: tuple[str, ...],
        confirmed: Confirmed | None = None,
    ) -> Record:
        """The record of a reload; `errors` refuse it."""
        kinds = {"relaxed": 0, "unproved": 0, "other": 0}
        for change in changes:
            kinds["relaxed" if change.relaxed else "unproved" if change.unproved else "other"] += 1
        return Record(
            kind=RecordKind.RELOAD,
            at=self.now(),
            subject="" if confirmed is None else without_secrets(confirmed.by)[:LONGEST_NAME],
            reason="" if confirmed is None else without_secrets(confirmed.reason)[:_LONGEST_REASON],
            policy=after,
            before=before,
            changes={kind: count for kind, count in kinds.items() if count},
            errors=errors,
            refused=bool(errors),
        )


@contextmanager
def answering(log: DecisionLog | None, request: str, answer: Answer, session: object) -> Iterator[None]:
    """Record an answer before it counts, and once more where it is refused; `Unavailable` where it can't be."""
    if log is None:
        yield
        return
    why = log.must_keep(log.answer_record(request, answer, session, ""))
    if why is not None:
        raise Unavailable(f"the record of the answer can't be written: {why}")
    try:
        yield
    except Exception as error:
        log.must_keep(log.answer_record(request, answer, session, without_secrets(described(error))))
        raise


Served = Callable[[str, "tuple[Change, ...]", "Confirmed | None"], None]


@contextmanager
def reloading(log: DecisionLog | None, before: str) -> Iterator[Served]:
    """Record a reload: what is yielded is called before the new policy is served, with its digest and what changed.

    If somebody answers for what relaxes, they are in the record.

    One that is refused is recorded with the codes of what is wrong, and stays refused.
    """
    if log is None:
        yield _nothing
        return

    def serve(after: str, changes: tuple[Change, ...], confirmed: Confirmed | None) -> None:
        why = log.must_keep(log.reload_record(before, after, changes, (), confirmed))
        if why is not None:
            raise PolicyError(
                [
                    Diagnostic(
                        "reload-unrecorded",
                        f"the record of the reload can't be written: {why}",
                        help="the policy before stays in force",
                    )
                ]
            )

    try:
        yield serve
    except PolicyError as error:
        codes = dict.fromkeys(diagnostic.code for diagnostic in error.diagnostics[:_MOST_CODES])
        log.must_keep(log.reload_record(before, "", (), tuple(codes)))
        raise
    except Exception as error:
        log.must_keep(log.reload_record(before, "", (), (type(error).__name__,)))
        raise


_MOST_CODES = 20


def _nothing(after: str, changes: Any, confirmed: Any) -> None:
    return None


def unrecorded(decision: Decision, why: str) -> Decision:
    """What a decision becomes that can't be recorded."""
    reason = f"the record of the decision can't be written: {why}"
    if decision.effect is Effect.DENY:
        return replace(decision, errors=(*decision.errors, reason))
    told = "the record of the decision can't be written"
    refusal = failed(Code.STATE_UNAVAILABLE, reason, decision.tool, Step.STATE, told)
    return replace(refusal, id=decision.id, call_id=decision.call_id, policy=decision.policy)
