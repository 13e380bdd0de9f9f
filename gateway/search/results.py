"""What of a result is shown after a change that was blanked out before it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gateway.decision import Decision, Effect
from gateway.facts import Facts
from gateway.results.fields import ANY_DEPTH, ANY_NAME
from gateway.search.harvest import meaning
from gateway.search.request import Request, texts_in

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.plan import ToolPlan

_SAMPLES = {
    "emails": "probe@example.com",
    "cards": "4111 1111 1111 1111",
    "secrets": "ghp_" + "9aB3" * 9,
}
"""A text that each detector finds; none of them is anybody's."""


def probe_of(plans: Iterable[ToolPlan]) -> dict[str, Any] | None:
    """A result with something in it for each thing that is blanked out; None where nothing is."""
    found: dict[str, Any] = {}
    for plan in plans:
        for entry in plan.results:
            for one in entry.redactions:
                if one.field is None:
                    found[f"sample_{one.detector}"] = _SAMPLES.get(one.detector or "", "probe")
                else:
                    _put(found, [s for s in one.field.segments if s != ANY_DEPTH])
    return found or None


def _put(found: dict[str, Any], names: list[str]) -> None:
    holder = found
    for name in names[:-1]:
        below = holder.setdefault("item" if name == ANY_NAME else name, {})
        if not isinstance(below, dict):
            return
        holder = below
    last = "item" if names[-1] == ANY_NAME else names[-1]
    holder.setdefault(last, f"probe-{'-'.join(names)}".replace("*", "any"))


def looks_at_results(plan: ToolPlan | None) -> tuple[Any, ...]:
    """What a policy does to the results of a tool, to be compared."""
    if plan is None:
        return ()
    return (
        tuple(
            (
                tuple(sorted(one.what for one in entry.redactions)),
                None if entry.when is None else meaning(entry.when.parsed),
                None if entry.unless is None else meaning(entry.unless.parsed),
                entry.selector,
            )
            for entry in plan.results
        ),
        tuple(sorted(one.what for one in plan.sensitive_fields)),
    )


def shown_more(old: Engine, new: Engine, request: Request, before: Decision, after: Decision) -> str:
    """What the new engine shows of the request's result and the old one does not; nothing where it shows no more."""
    if request.result is None or Effect.DENY in (before.effect, after.effect):
        return ""
    first, second = (_seen(side, request) for side in (old, new))
    more = [text for text in texts_in(request.result) if text in second and text not in first]
    return f"`{more[0]}` is no longer blanked out" if more else ""


def _seen(engine: Engine, request: Request) -> str:
    review = engine.review(request.call, request.who, Facts(request.now), request.result, None, nonce="n")
    return "" if review.withheld else json.dumps(review.result, ensure_ascii=False)
