"""Step 10: an answer that a person gave about this very call counts for what was asked, and for nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gateway.approvals import Request, Status, about, approval_key, unmet
from gateway.call import fresh
from gateway.canonical import digest
from gateway.decision import Class, Code, Effect, Finding, Step
from gateway.diagnostic import printable_lines
from gateway.facts import Remembering
from gateway.frozen import frozen
from gateway.state import Key, Unavailable
from gateway.steps.deciding import Deciding
from gateway.steps.disclosure import shown
from gateway.steps.once import BEGAN, DID


@frozen
class Asked:
    """Where the request about a call stands, and what the store has there, in which version."""

    key: Key
    about: str
    request: Request | None
    version: int


def step(ctx: Deciding) -> None:
    """Take back the asks that were approved; hold against the call that it was rejected, or answered too late."""
    if ctx.facts.remembering is not Remembering.EVERYTHING or ctx.depth or ctx.session.dry_run:
        return
    asks = [finding for finding in ctx.findings if finding.effect is Effect.ASK]
    if not asks:
        return
    name = about(ctx.call, ctx.session)
    key = approval_key(ctx.session.tenant or "", name)
    kept = ctx.facts.read((key,)).entries.get(key)
    if kept is None:
        ctx.asked = Asked(key, name, None, 0)
        return
    try:
        request = Request.of(kept.value)
    except ValueError as error:
        raise Unavailable(str(error)) from error
    ctx.asked = Asked(key, name, request, kept.version)
    reasons = [reasons_of(finding)[0] for finding in asks]
    if not request.covers(digest(ctx.arguments), fingerprint(ctx), reasons):
        return
    finding = _refusal(request, ctx.facts.moment)
    if finding is not None:
        ctx.findings.append(finding)
    elif request.usable_at(ctx.facts.moment):
        demands = [finding.approval for finding in asks if finding.approval]
        if not unmet(demands, request.given, request.subject):
            ctx.findings = [finding for finding in ctx.findings if finding.effect is not Effect.ASK]
            ctx.approved = True
    if ctx.trace is not None:
        ctx.trace.note(
            Step.APPROVAL,
            "lifted" if ctx.approved else "held against" if finding is not None else "passed",
            f"the request {request.id} is {request.status.value}",
        )


def reasons_of(finding: Finding) -> tuple[str, ...]:
    """What an ask is called in a request, and which others are approved with it.

    That is the rule or pattern that asks, or else the code. What the host itself or an inner call holds against the
    call is told by its words as well. Who agrees though it is done does so where it may be.
    """
    if finding.code is Code.ALREADY_DONE:
        reason = f"{finding.code}: {finding.reason}"
        return tuple(dict.fromkeys((reason, reason.replace(DID, BEGAN))))
    foreign = finding.kind is Class.OTHER and finding.step is Step.EVALUATION
    name = finding.rule or finding.code.value
    return (f"{name}: {finding.message or finding.reason}" if foreign else name,)


def fingerprint(ctx: Deciding) -> str:
    """The digest of what is declared of a tool: an approval of one is none of another that took its name."""
    known = ctx.engine.tools_for(ctx.session, ctx.facts)
    inner = None if ctx.inner is None else known.get(ctx.inner.tool)
    tools = [ctx.tool] if inner is None else [ctx.tool, inner]
    return digest(
        [
            [one.view, one.endpoint, one.risk.value, one.description, sorted(one.permissions), one.schema]
            for one in tools
        ]
    )


def _refusal(request: Request, moment: int) -> Finding | None:
    if request.status is Status.REJECTED:
        said = f": {request.reason}" if request.reason else ""
        return Finding(
            Effect.DENY,
            Code.APPROVAL_REJECTED,
            f"the request {request.id} was rejected{said}",
            f"A person rejected this call{said}.",
            step=Step.APPROVAL,
        )
    late = request.status is Status.APPROVED and not request.usable_at(moment)
    if late or request.status is Status.EXPIRED or _is_over(request, moment):
        what = "was approved, but that was not used in time" if late else "was not answered in time"
        return Finding(
            Effect.DENY,
            Code.APPROVAL_EXPIRED,
            f"the request {request.id} {what}",
            f"A person was asked about this call; the question {what}.",
            step=Step.APPROVAL,
        )
    return None


STOP = "Stop here, and wait for the user."
"""What the model is told of trying again where a rejection ends its work."""


def stops_after(ctx: Deciding, findings: tuple[Finding, ...]) -> bool:
    """Whether a person rejected the call and the tool, or one that it wraps, says that this ends the work."""
    rejected = any(finding.code is Code.APPROVAL_REJECTED for finding in findings)
    return rejected and (ctx.stops or ctx.tool.stops)


def _is_over(request: Request, moment: int) -> bool:
    return request.status is Status.PENDING and not request.open_at(moment)


def question(ctx: Deciding, top: Finding, findings: tuple[Finding, ...]) -> Mapping[str, Any]:
    """What a person has to be asked: every demand of every ask must be met.

    What a message tells the model about waiting is not for whoever is asked.
    """
    asks = [finding for finding in findings if finding.effect is Effect.ASK]
    # First what would be done, then every reason to ask: none can crowd out another.
    said = sorted(asks, key=lambda finding: (finding.code is not Code.CONFIRM, finding is not top))
    prompts = dict.fromkeys(finding.message for finding in said if finding.message)
    unknown = any(finding.code is Code.OUTCOME_UNKNOWN for finding in asks)
    return {
        "type": "outcome-unknown" if unknown else "call",
        "prompt": printable_lines(" Also: ".join(prompts)),
        "reasons": [reason for finding in asks for reason in reasons_of(finding)],
        "demands": [fresh(finding.approval) for finding in asks if finding.approval],
        "tool": ctx.call.name,
        "call_id": ctx.call.id,
        "iteration": ctx.call.iteration,
        "arguments": shown(ctx),
    }
