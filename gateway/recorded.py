"""What of a decision, a result and who asks is written into a record: nothing that is hidden, and no secret."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gateway.approvals import Request
from gateway.call import CallError, ToolCall, normal_arguments
from gateway.canonical import canonical
from gateway.decision import Basis, Code, Decision, Finding
from gateway.frozen import frozen
from gateway.journal import turn_of
from gateway.lineage import root_of
from gateway.record import LONGEST_ARGUMENTS, Held, Record, RecordKind
from gateway.results.review import Review
from gateway.results.withheld import Withheld
from gateway.session import Session
from gateway.state import Kind, Put
from gateway.steps.secrets import HIDDEN

if TYPE_CHECKING:
    from gateway.results.filters import Filters
    from gateway.results.redact import Redactor

LONGEST_NAME = 256
LONGEST_ERROR = 300
LONGEST_OUTPUT = 1_000
MOST = 20
"""So many findings, errors and kinds of redactions are written of one record."""
MOST_HIDDEN = 200
"""Of a call with more sensitive values the arguments are left out: looking for each of them takes too long."""
BLANK = "(redacted)"
KEY_NAME = 8
"""A key inside of what is sensitive may be a secret itself from here on."""


NAMED = (
    *("password", "passwd", "passphrase", "secret", "api_key", "apikey", "access_token", "refresh_token"),
    "private_key",
)
"""What stands under these names is no log's business, whatever it looks like."""
_WRITTEN = json.JSONEncoder(ensure_ascii=False).encode


@cache
def _filters() -> Filters:
    from gateway.results.fields import any_depth
    from gateway.results.filters import filters
    from gateway.results.redaction import Redact

    named = (Redact("log", None, any_depth(name)) for name in NAMED)
    return filters((Redact("log", "secrets"), *named))


class Blanking:
    """Blanks out secrets, and the values of one call's sensitive arguments, in what is written of it."""

    def __init__(self, values: Sequence[str] = ()) -> None:
        self._values = values
        self._redactor: Redactor | None = None
        self._left_out = 0

    def of(self, value: Any, written: str) -> Any:
        """A value without them, which is `written` so as JSON; the same object where there are none.

        None where a text in it can't be looked through.
        """
        if not self._values and _filters().may_find(written.encode("utf-8", "replace")) is None:
            return value
        if self._redactor is None:
            from gateway.results.filters import Values
            from gateway.results.redact import Redactor

            self._redactor = Redactor(_filters(), Values(self._values))
        try:
            return self._redactor.value(value)
        except Withheld:
            self._left_out = 1
            return None

    def texts(self, texts: list[str]) -> list[str]:
        """Texts without them."""
        known = self.of(texts, "\n".join(texts))
        if known is not None:
            return list(known)
        # One that can't be looked through takes no other with it.
        alone = [self.of([text], text) for text in texts]
        return [BLANK if one is None else one[0] for one in alone]

    @property
    def count(self) -> int:
        """How much was blanked out so far."""
        blanked = 0 if self._redactor is None else sum(self._redactor.blanked.values())
        return blanked + self._left_out


@frozen
class _Arguments:
    """A call's arguments as they are written."""

    shown: Mapping[str, Any] | None
    length: int | None
    hidden: int
    blanking: Blanking


def decision_record(
    decision: Decision, call: object, who: Mapping[str, Any], key: bytes | None, at: int, took: int
) -> Record:
    """The record of a decision."""
    written = _arguments(decision)
    blanking = written.blanking
    told = list(decision.errors[:MOST])
    if decision.code is Code.POLICY_ERROR:
        # What an exception says of a failure may hold anything; its kind does not.
        told = [error.partition(":")[0] for error in told]
    request, people = _approved(decision)
    tool, name, *rest = blanking.texts([decision.tool, decision.call_id, *who.values(), *people, *told])
    people, errors = rest[len(who) :][: len(people)], rest[len(who) + len(people) :]
    return Record(
        kind=RecordKind.DECISION,
        at=at,
        id=decision.id,
        **_names(who, rest),
        call=_name(name),
        iteration=_iteration(call),
        tool=_name(tool),
        arguments=written.shown,
        length=written.length,
        digest="" if key is None else _digest(call, key),
        hidden=written.hidden,
        effect=decision.effect.value,
        code=decision.code.value,
        rule=decision.rule,
        basis=decision.basis.value if decision.proceeds else "",
        findings=_held(decision.findings),
        monitored=_held(decision.monitored),
        errors=_cut(errors),
        policy=decision.policy,
        analysis=decision.analysis or "",
        risk=decision.risk.value if decision.risk is not None else "",
        request=request,
        approved_by=tuple(map(_name, people)),
        took=took,
    )


def _approved(decision: Decision) -> tuple[str, list[str]]:
    """The question that a decision asks, or whose answer it rests on, and who agreed."""
    if decision.approval is not None:
        return str(decision.approval.get("id", "")), []
    if decision.basis is Basis.APPROVAL:
        for change in decision.changes:
            if isinstance(change, Put) and change.key.kind is Kind.APPROVAL:
                used = Request.of(change.value)
                return used.id, [one.by for one in used.given[:MOST]]
    return "", []


def result_record(
    review: Review, decision: Decision | None, who: Mapping[str, Any], at: int, took: int, ran: int | None
) -> Record:
    """The record of a result: what became of it, and nothing that is in it; `with_output` adds that."""
    errors = [review.detail] if review.withheld and review.detail else []
    errors += [problem.kind for problem in review.findings]
    tool, name, *rest = _blanking(decision).texts(
        [review.tool, review.call_id, *who.values(), *errors[:MOST]]
    )
    said = rest[len(who) :]
    return Record(
        kind=RecordKind.RESULT,
        at=at,
        id=review.id,
        **_names(who, rest),
        call=_name(name),
        tool=_name(tool),
        decision=decision.id if decision is not None else "",
        code=review.code.value,
        errors=_cut(said),
        policy=decision.policy if decision is not None else "",
        is_error=review.is_error,
        truncated=review.truncated,
        redacted={f"{one.entry}: {one.what}"[:LONGEST_NAME]: one.count for one in review.redacted[:MOST]},
        took=took,
        ran=ran,
    )


def with_output(record: Record, review: Review, decision: Decision | None) -> Record:
    """The record with the beginning of what may be shown of the result, without secrets."""
    (text,) = _blanking(decision).texts([review.text])
    return replace(record, output=text[:LONGEST_OUTPUT])


def who_is_written(session: Any) -> dict[str, Any]:
    """Who asks, and in which conversation, as records have it: without secrets."""
    who = who_asks(session)
    return _names(who, Blanking().texts(list(who.values())))


def who_asks(session: Any) -> dict[str, str]:
    """Who asks, and in which conversation, in their own words; nothing of a session that can't be read."""
    try:
        who = Session.of(session)
    except Exception:  # the edge, as below: the refusal is recorded all the same
        return {}
    return {
        "tenant": who.tenant or "",
        "subject": who.subject.id if who.subject is not None else "",
        "session": who.id,
        "root": "" if who.parent is None else root_of(who).id,
        "agent": who.agent,
        "turn": turn_of(who),
    }


def _names(who: Mapping[str, str], blanked: Iterable[str]) -> dict[str, Any]:
    """Who asks, without secrets; a tenant is what its log is found by."""
    return {
        name: _name(value if name == "tenant" else text)
        for (name, value), text in zip(who.items(), blanked, strict=False)
    }


def without_secrets(text: str) -> str:
    """A text without secrets, and no longer than an error may be."""
    return _cut(Blanking().texts([text]))[0]


def _blanking(decision: Decision | None) -> Blanking:
    secrets = [] if decision is None else _secrets(decision)
    return Blanking(secrets if len(secrets) <= MOST_HIDDEN else ())


def _secrets(decision: Decision) -> list[str]:
    """The texts of a call's sensitive arguments."""
    shown, granted = decision.shown, decision.arguments
    if shown is None or granted is None or granted is shown:
        return []
    return list(dict.fromkeys(_hidden(shown, granted)))


def _arguments(decision: Decision) -> _Arguments:
    shown = decision.shown
    if shown is None:
        return _Arguments(None, None, 0, Blanking())
    secrets = _secrets(decision)
    if len(secrets) > MOST_HIDDEN:
        return _Arguments(None, None, len(secrets), Blanking())
    blanking = Blanking(secrets)
    text = _WRITTEN(shown)
    if len(text) > LONGEST_ARGUMENTS:
        return _Arguments(None, len(text), len(secrets), blanking)
    known = blanking.of(shown, text)
    return _Arguments(known, None, len(secrets) + blanking.count, blanking)


def _hidden(shown: Any, granted: Any) -> Iterator[str]:
    """The texts of all that is granted and not shown."""
    if shown is granted or (shown == granted and shown != HIDDEN):
        return
    if isinstance(granted, Mapping) and isinstance(shown, Mapping):
        for key, value in granted.items():
            if key in shown:
                yield from _hidden(shown[key], value)
            else:
                yield from _texts({key: value})
    elif isinstance(granted, list) and isinstance(shown, list) and len(granted) == len(shown):
        for one, other in zip(shown, granted, strict=True):
            yield from _hidden(one, other)
    elif isinstance(granted, str) and isinstance(shown, Mapping):
        # A wrapped call that is written as a text.
        yield granted
        try:
            yield from _hidden(shown, normal_arguments(granted))
        except CallError:
            return
    else:
        yield from _texts(granted)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if len(key) >= KEY_NAME:
                yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def _call_of(call: Any) -> ToolCall | None:
    try:
        return ToolCall.of(call)
    except (
        Exception
    ):  # the edge to what a host hands over: that it can't be read was decided, and is recorded
        return None


def _iteration(call: Any) -> int | None:
    if type(call) is dict and "iteration" not in call:
        return None
    what = _call_of(call)
    return None if what is None else what.iteration


def _digest(call: Any, key: bytes) -> str:
    """The keyed digest of what the model wrote; without a key there is none, as small values could be guessed."""
    what = _call_of(call)
    if what is None:
        return ""
    try:
        text = canonical(normal_arguments(what.arguments))
    except CallError:
        return ""
    return hmac.new(key, text.encode(), sha256).hexdigest()


def _held(findings: tuple[Finding, ...]) -> tuple[Held, ...]:
    return tuple(Held(one.effect.value, one.code.value, one.rule) for one in findings[:MOST])


def _cut(errors: Iterable[str]) -> tuple[str, ...]:
    """They are cut only when they were looked through: a secret that is cut in two is not known for one."""
    return tuple(one if len(one) <= LONGEST_ERROR else f"{one[:LONGEST_ERROR]}…" for one in errors)


def _name(text: str) -> str:
    if len(text) <= LONGEST_NAME:
        return text
    # Others that begin alike stay apart.
    return f"{text[:LONGEST_NAME]}…{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"
