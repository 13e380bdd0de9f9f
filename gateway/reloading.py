"""What a reload may serve: what relaxes takes somebody who answers for it, or is told loudly."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic, PolicyError
from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.diff import Shown
    from gateway.relaxation import Change


class OnRelaxation(Enum):
    """What a reload does about a change that relaxes, or of which nobody knows that it does not."""

    REFUSE = "refuse"
    CONFIRM = "confirm"
    """It is served if somebody answers for just this step, from the one policy to the other; the refusal tells how."""
    WARN = "warn"
    """It is served, and Python's `logging` is told (the logger `gateway`)."""


@frozen
class Confirmed:
    """Somebody answers for what a reload relaxes: who, why, and the digest that the refusal told."""

    by: str
    reason: str
    digest: str


def step_digest(before: str, after: str) -> str:
    """What a confirmation names: the step from one policy to another, by the digests of both."""
    from gateway.relaxation import digest_of

    return digest_of(["reload", before, after])


def check_step(
    found: Sequence[Change],
    in_policy: frozenset[str],
    on_relaxation: OnRelaxation,
    confirmed: Confirmed | None,
    digest: str,
    calls: Callable[[], Sequence[Shown]],
) -> bool:
    """Raise `PolicyError` where something relaxes that may not; whether it took somebody's confirmation.

    `in_policy` are the items that the new policy itself confirms, `digest` names the step, and `calls` looks for some
    that show what is relaxed.
    """
    doubtful = [
        change for change in found if (change.relaxed and change.item not in in_policy) or change.unproved
    ]
    if not doubtful:
        return False
    if on_relaxation is OnRelaxation.WARN:
        from logging import getLogger

        for change in doubtful:
            getLogger("gateway").warning("a reload relaxes the policy: %s: %s", change.item, change.meaning)
        return False
    help_ = "the policy before stays in force; look at `gatewayctl diff`"
    if confirmed is not None and confirmed.digest != digest:
        help_ += f"; what was confirmed is another step, and this one is `{digest}`"
    elif confirmed is not None and confirmed.by and confirmed.reason.strip():
        return True
    elif confirmed is not None:
        help_ += "; a confirmation says who answers for it, and why"
    elif on_relaxation is OnRelaxation.CONFIRM:
        help_ += f'; who answers for it reloads with `confirmed=Confirmed(by, reason, "{digest}")`'
    else:
        help_ += "; with `on_relaxation=OnRelaxation.CONFIRM` somebody can answer for it"
    shown = {cause: call for call in reversed(calls()) for cause in call.causes}
    raise PolicyError(
        Diagnostic(
            "relaxing-reload",
            f"`{change.item}` {'relaxes' if change.relaxed else 'may relax'} the policy: {change.meaning}"
            + _such_as(change, shown),
            help=help_,
        )
        for change in doubtful
    )


def _such_as(change: Change, shown: Mapping[str, Shown]) -> str:
    """A call that shows a change, if one was found."""
    for part, call in shown.items():
        if change.item == part or change.item.startswith(f"{part}."):
            arguments = json.dumps(call.request.arguments, ensure_ascii=False)
            return f"; such as `{call.tool}` with {arguments}: {call.how}"
    return ""
