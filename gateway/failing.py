"""What failures end in: refusals, and results that are not shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gateway.call import MAX_NAME, CallError, ToolCall, new_id
from gateway.codes import PAGES
from gateway.decision import Class, Code, Decision, Effect, Finding, Step
from gateway.diagnostic import printable, printable_lines
from gateway.results.review import Review
from gateway.session import SessionError
from gateway.state import Unavailable

if TYPE_CHECKING:
    from gateway.steps.listing import Listing


def refused_by(error: Exception, call: object) -> Decision:
    """The refusal that an exception ends in."""
    if isinstance(error, Unavailable):
        return failed(Code.STATE_UNAVAILABLE, str(error), _name(call), Step.STATE)
    if isinstance(error, SessionError):
        return failed(error.code, str(error), _name(call), Step.IDENTITY)
    if isinstance(error, CallError):
        return failed(Code.ARGUMENTS_UNREADABLE, str(error), _name(call), Step.ARGUMENTS)
    return failed(Code.POLICY_ERROR, described(error), _name(call), Step.READY)


def failed(code: Code, reason: str, tool: str, step: Step, told: str = "") -> Decision:
    """A refusal that no step could make, because the call never reached them; `told` is what the model reads of why."""
    finding = Finding(Effect.DENY, code, reason, step=step)
    # What a host's session holds, or how the gateway failed, is not for the model.
    why = {
        Code.POLICY_ERROR: "the gateway failed",
        Code.STATE_UNAVAILABLE: "what is remembered between calls can't be read or written",
        Code.NO_IDENTITY: "the conversation's session can't be read",
        Code.CROSS_TENANT: "the conversation's session contradicts itself",
        Code.SESSION_MISMATCH: "the conversation's session contradicts itself",
    }
    message = f"The call was refused: {told or why.get(code, reason)}."
    return Decision(
        id=new_id("d-"),
        effect=Effect.DENY,
        code=code,
        message=printable_lines(f"{message} {PAGES[code].retry}"),
        detail=printable_lines(reason),
        tool=printable(tool[:MAX_NAME]),
        findings=(finding,),
        errors=(reason,),
    )


def nothing_visible(tools: Iterable[str], error: Exception) -> Listing:
    """The list of tools that an exception ends in."""
    from gateway.steps.listing import HiddenTool, Listing

    code, reason = Code.POLICY_ERROR, described(error)
    if isinstance(error, SessionError | Unavailable):
        code = error.code if isinstance(error, SessionError) else Code.STATE_UNAVAILABLE
        reason = str(error)
    return Listing((), tuple(HiddenTool(name, "identity", code, reason) for name in sorted(tools)))


def unshown(error: Exception, call: object, result: object) -> Review:
    """The review that an exception ends in; only its kind is told where it may hold something of the result."""
    from gateway.results.plain import class_name
    from gateway.steps.review import withheld

    code, detail = Code.RESULT_UNRECORDED, class_name(error)
    reason = "the gateway failed"
    if isinstance(error, SessionError | CallError):
        code, detail = Code.RESULT_WITHHELD, str(error)
        what = "the conversation's session" if isinstance(error, SessionError) else "the call"
        reason = f"{what} can't be read"
    elif isinstance(error, Unavailable):
        reason = "what is remembered between calls can't be read or written"
    return withheld(code, reason, detail, _name(call)[:MAX_NAME], "", in_mcp_form=in_mcp_form(result))


def in_mcp_form(result: object) -> bool:
    """Whether a result has MCP's form, so that what stands for it has it too."""
    from gateway.results.form import is_mcp
    from gateway.results.plain import plain

    try:
        return is_mcp(result) or is_mcp(plain(result).value)
    except Exception:  # what could not be read before may not be readable now; then the answer is a text
        return False


def tightening(findings: tuple[Finding, ...]) -> list[Finding]:
    """A host's own findings, as what they are: no rule of the policy lifts them, and none of them grants."""
    if not all(isinstance(f, Finding) and isinstance(f.effect, Effect) for f in findings):
        raise TypeError("a host's own finding is a `Finding` with an `Effect`")
    if any(finding.effect is Effect.ALLOW for finding in findings):
        raise ValueError("a host's own finding can't allow; it only tightens")
    return [replace(finding, kind=Class.OTHER, step=Step.EVALUATION) for finding in findings]


def described(error: Exception) -> str:
    """What an exception says, for the operator."""
    from gateway.results.plain import class_name

    try:
        return f"{class_name(error)}: {error}"[:500]
    except Exception:  # an error that can't even be printed
        return class_name(error)


def _name(call: object) -> str:
    """The tool that a call names, as far as that can be told without running foreign code."""
    name = call.tool if type(call) is ToolCall else call.get("tool") if type(call) is dict else ""
    return name if type(name) is str else ""
