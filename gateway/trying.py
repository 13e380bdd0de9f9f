"""Trials: calls that a person makes without a model, to see what they do. They pass all steps; a recorder is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall, new_id
from gateway.decision import Code, Effect, Finding
from gateway.failing import refused_by
from gateway.running import Ran, run
from gateway.session import Session
from gateway.state import Unavailable

if TYPE_CHECKING:
    from gateway.living import CallLike, Living, SessionLike
    from gateway.recording import DecisionLog

PERMISSION = "gateway:try"
"""What whoever tries a call holds, beside all that the tool needs."""


def tried(
    gateway: Living,
    log: DecisionLog | None,
    call: CallLike,
    session: SessionLike,
    function: Callable[[Mapping[str, Any]], Any],
) -> Ran:
    """As `Gateway.trial`."""
    who, what = Session.of(session), ToolCall.of(call)
    given = what.id if isinstance(call, ToolCall) else call.get("id")
    what = what if given else replace(what, id=new_id("trial-"))
    why = None if log is None else log.must_keep(log.trial_record(what, who))
    if why is not None:
        return Ran(refused_by(Unavailable(f"the record of the trial can't be written: {why}"), call))
    return run(gateway, what, who, function, () if _may(who) else (_REFUSAL,), ())


def _may(who: Session) -> bool:
    return who.subject is not None and PERMISSION in who.subject.permissions


_REFUSAL = Finding(
    Effect.DENY,
    Code.PERMISSION_DENIED,
    f"the subject lacks the permission `{PERMISSION}`, without which nobody tries calls",
    f"The user lacks the permission `{PERMISSION}`.",
)
