"""Answers to requests: who may give one, and what becomes of the request."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Any

from gateway.approvals import Given, Request, Status, accepts, approval_key, unmet
from gateway.decision import Code
from gateway.frozen import frozen
from gateway.journal import Entered, Progress
from gateway.later import later
from gateway.once import claimed, settled
from gateway.session import Session
from gateway.state import KEPT, Change, Entry, Key, Kind, Lost, Put, Store, Unavailable, key

_ID = later(r"(a-[0-9a-f]{32})-([1-9]\d{0,9})", re.ASCII)
_ATTEMPTS = 4


class ApprovalError(ValueError):
    """An answer that can't be taken; the message says why, and nothing has changed."""


class Verdict(Enum):
    """What somebody answers."""

    APPROVE = "approve"
    REJECT = "reject"
    HAPPENED = "happened"
    """Where the outcome was unknown: the call took place, with the result that is given, and does not run again."""


@frozen
class Answer:
    """One person's answer; the model reads the reason of a rejection, and the result where the call has happened."""

    verdict: Verdict
    reason: str = ""
    result: Any = None

    def __post_init__(self) -> None:
        """Refuse what is no answer: a word in place of a verdict, or a result that is no JSON."""
        if not isinstance(self.verdict, Verdict):
            raise ApprovalError(f"{self.verdict!r} is no verdict: write `Verdict.APPROVE`, or another one")
        if not isinstance(self.reason, str):
            raise ApprovalError("the reason of an answer is a text")
        try:
            json.dumps(self.result, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise ApprovalError(f"the result of an answer is no JSON: {error}") from None


def answered(store: Store, name: str, given: Answer, who: Session, moment: int) -> Request:
    """The request as it stands after an answer; raises `ApprovalError`, or `Unavailable` where the store can't tell."""
    (after,) = answered_together(store, (name,), given, who, moment)
    return after


def answered_together(
    store: Store, names: Sequence[str], given: Answer, who: Session, moment: int
) -> tuple[Request, ...]:
    """Several requests as they stand after one answer to all of them: it counts for each, or for none."""
    tenant = who.tenant or ""
    places = [approval_key(tenant, _parsed(name)[0]) for name in names]
    for _ in range(_ATTEMPTS):
        entries = store.read(places).entries
        outcomes = [
            _outcome(entries.get(place), name, place, given, who, moment)
            for name, place in zip(names, places, strict=True)
        ]
        late = [one for one in outcomes if one.after.status is Status.EXPIRED]
        changes: list[Change] = [one.put for one in late or outcomes if one.put is not None]
        if given.verdict is Verdict.HAPPENED and not late:
            for one in outcomes:
                changes += _happened(store, one.after, given, who, moment)
        try:
            if changes:
                store.apply(changes)
        except Lost:
            continue
        if late:
            raise ApprovalError(f"`{late[0].after.id}` was not answered in time")
        return tuple(one.after for one in outcomes)
    raise Unavailable("others keep changing the request")


@frozen
class _Outcome:
    """A request with its answer, and the change that this is; None where it was given before."""

    after: Request
    put: Put | None


def _outcome(
    entry: Entry | None, name: str, place: Key, given: Answer, who: Session, moment: int
) -> _Outcome:
    if entry is None:
        raise ApprovalError(f"there is no request `{name}` in this tenant")
    request = read(entry.value)
    if request.number != _parsed(name)[1]:
        raise ApprovalError(f"a later request about the same call took the place of `{name}`")
    after = _after(request, given, who, moment)
    put = None if after is request else Put(place, after.packed(), entry.version, moment + KEPT)
    return _Outcome(after, put)


def _parsed(name: str) -> tuple[str, int]:
    found = _ID.fullmatch(name)
    if found is None:
        raise ApprovalError(f"`{name}` is no request's id")
    return found[1], int(found[2])


def read(kept: bytes) -> Request:
    """A request as a store keeps it; raises `Unavailable` where it is none."""
    try:
        return Request.of(kept)
    except ValueError as error:
        raise Unavailable(str(error)) from error


def _after(request: Request, given: Answer, who: Session, moment: int) -> Request:
    """The request with the answer, or the same where it was given before."""
    subject = who.subject
    if (
        subject is None
        or not subject.authenticated
        or subject.tenant != who.tenant
        or who.visiting is not None
    ):
        raise ApprovalError("it is not known who answers")
    if request.status is not Status.PENDING:
        return _again(request, given, subject.id)
    if not request.open_at(moment):
        return replace(request, status=Status.EXPIRED)
    if given.verdict is Verdict.REJECT:
        return replace(request, status=Status.REJECTED, reason=given.reason[:2000], rejected_by=subject.id)
    one = Given(subject.id, subject.roles, moment)
    if any(each.by == one.by for each in request.given):
        raise ApprovalError("you have agreed already; what is missing is somebody else")
    if request.demands and not any(
        accepts(demand, one, request.subject)
        for demand in unmet(request.demands, request.given, request.subject)
    ):
        raise ApprovalError(f"you can't agree to this: {_demanded(request)}")
    agreed = replace(request, given=(*request.given, one))
    if given.verdict is Verdict.HAPPENED:
        if Code.OUTCOME_UNKNOWN.value not in request.reasons:
            raise ApprovalError("that a call has happened can only be said of one whose outcome is unknown")
        return replace(agreed, status=Status.USED)
    if not request.whole:
        raise ApprovalError("the call is too long to be shown whole, so it can't be approved")
    if unmet(agreed.demands, agreed.given, agreed.subject):
        return agreed
    return replace(agreed, status=Status.APPROVED)


def _again(request: Request, given: Answer, by: str) -> Request:
    """An answer to a request that was answered: the same one from the same person changes nothing."""
    same = {
        Verdict.APPROVE: (Status.APPROVED, Status.USED),
        Verdict.REJECT: (Status.REJECTED,),
        Verdict.HAPPENED: (),
    }[given.verdict]
    people = {one.by for one in request.given} | {request.rejected_by}
    if request.status in same and by in people:
        return request
    raise ApprovalError(f"the request was answered before: it is {request.status.value}")


def _demanded(request: Request) -> str:
    """What is still missing, in words."""
    missing = unmet(request.demands, request.given, request.subject)
    parts = [
        " ".join(
            filter(
                None,
                (
                    f"one of {', '.join(demand['by'])}" if demand.get("by") else "somebody",
                    "other than who asked" if demand.get("not_self") else "",
                ),
            )
        )
        for demand in missing
    ]
    return f"it takes {' and '.join(parts)}"


def _happened(store: Store, request: Request, given: Answer, who: Session, moment: int) -> list[Change]:
    """The journal's entry with the result that a person tells."""
    names = request.names
    place = key(who.tenant or "", Kind.JOURNAL, *names)
    kept = store.read((place,)).entries.get(place)
    if kept is None:
        raise ApprovalError("the journal has nothing of this call")
    try:
        entered = Entered.of(kept.value)
    except ValueError as error:
        raise Unavailable(str(error)) from error
    if entered.progress is not Progress.STARTED:
        raise ApprovalError("the call has ended in the meantime")
    text = given.result if isinstance(given.result, str) else json.dumps(given.result)
    told = {"result": given.result, "text": text, "is_error": False, "message": "A person told this result."}
    ended = replace(entered, progress=Progress.COMPLETED, at=moment)
    places = claimed(who.tenant or "", entered)
    return [
        *(settled(store.read(places).entries, places, request.about, ended) if places else ()),
        Put(place, ended.packed(), kept.version, moment + KEPT),
        Put(key(who.tenant or "", Kind.RESULT, *names), json.dumps(told).encode(), None, moment + KEPT),
    ]
