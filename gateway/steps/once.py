"""Step 6, natural idempotency: what another call has done already is not done once more unasked."""

from __future__ import annotations

from gateway.approvals import about
from gateway.decision import Code, Effect, Finding, Step
from gateway.facts import Remembering
from gateway.once import Done, Noted, done_key
from gateway.risk import RiskLevel
from gateway.state import Key, Put
from gateway.steps.deciding import Deciding
from gateway.steps.journal import time_of
from gateway.template import Template, reach


def step(ctx: Deciding) -> None:
    """Ask where another call did the same by the tool's `idempotency_key`, or is at it; note the place of the key."""
    template = ctx.tool.once
    if template is None or ctx.risk is RiskLevel.READ_ONLY:
        return
    place = _place(ctx, template) if ctx.facts.remembering is Remembering.EVERYTHING else None
    if place is None:
        return
    kept = ctx.facts.read((place,)).entries.get(place)
    noted = None if kept is None else Noted.of(kept.value)
    ctx.claims += ((place, (0 if kept is None else kept.version, noted)),)
    if noted is not None and (noted.surest.ended or noted.surest.by != about(ctx.call, ctx.session)):
        finding = _done(noted.surest)
        ctx.findings.append(finding)
        if ctx.trace is not None:
            ctx.trace.note(Step.JOURNAL, "held against", finding.reason)


def claims(ctx: Deciding) -> tuple[Put, ...]:
    """The changes by which the call is noted as the one that does what its keys name."""
    by = about(ctx.call, ctx.session) if ctx.claims else ""
    now = Done(by, ctx.facts.moment, ended=False)
    return tuple(
        (Noted((now,)) if noted is None else noted.followed_by(now)).put(place, version)
        for place, (version, noted) in dict(ctx.claims).items()
    )


def _place(ctx: Deciding, template: Template) -> Key | None:
    """Where it is noted who did this; None where the arguments do not say what it is."""
    values = [reach({"args": ctx.arguments}, (part.root, *part.names)) for part in template.placeholders]
    if any(value is None for value in values):
        return None
    return done_key(ctx.session.tenant or "", ctx.tool.name, template.text, values)


DID, BEGAN = "did the same by its `idempotency_key`", "began to do the same by its `idempotency_key`"


def _done(done: Done) -> Finding:
    at = time_of(done.at)
    # An approval is bound to the reason: who, and whether it is done, and not when.
    reason = f"another call, {done.by}, {DID if done.ended else BEGAN}"
    if done.ended:
        message = f"Already done at {at}, by another call: go on with what exists."
    else:
        message = f"Another call began to do the same at {at} and may have done it: look whether it exists."
    return Finding(
        Effect.ASK,
        Code.ALREADY_DONE,
        reason,
        f"{message} A person must say whether it is done once more.",
        step=Step.JOURNAL,
    )
