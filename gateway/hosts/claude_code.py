"""Claude Code: its messages before and after a tool runs as calls, and what was decided as its answers.

A refusal is said three times, because each alone is lost somewhere: as JSON on stdout, as text on stderr and
as exit code 2. After the call an exit code changes nothing, and what is shown must have the shape of the tool's own
result; where that shape is not known, the turn ends instead. Events that only watch the conversation get an empty
answer with a note to the user. Any other event is refused, as is everything that can't be read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gateway.call import MAX_TEXT, normal_arguments, same
from gateway.decision import Basis, Code, Decision, Effect, Obligation, Step
from gateway.diagnostic import printable
from gateway.hosts.answer import Answer, Finished, HostError, Notice, Prompt, Request
from gateway.hosts.claude_code_output import withheld
from gateway.hosts.claude_code_tools import calls, given_back
from gateway.hosts.local import local_session
from gateway.hosts.outline import top_texts
from gateway.session import SessionError

if TYPE_CHECKING:
    from gateway.results.review import Review

SUPPORTS = frozenset({Obligation.FINAL_ARGUMENTS})
"""What Claude Code can be obliged to do."""

EVENT = "PreToolUse"
AFTER = "PostToolUse"
PROMPT = "UserPromptSubmit"
WATCHING = frozenset(
    {
        "ConfigChange",
        "Notification",
        "PermissionDenied",
        "PostCompact",
        "PostToolBatch",
        "PostToolUseFailure",
        "PreCompact",
        "SessionEnd",
        "SessionStart",
        "Setup",
        "Stop",
        "SubagentStart",
        "SubagentStop",
    }
)
"""Events in which no tool is about to run, so that an empty answer lets nothing pass."""

_NEEDED: Mapping[str, tuple[str, ...]] = {
    EVENT: ("session_id", "cwd", "tool_name", "tool_input"),
    AFTER: ("session_id", "cwd", "tool_name", "tool_input", "tool_response"),
    PROMPT: ("session_id", "cwd", "prompt"),
}
"""What a message of each event must have."""

_BLOCKED = 2
_GRANTS = {
    Basis.RULE: "An allow rule of the policy grants this call.",
    Basis.APPROVAL: "A person has approved this call.",
}


def read(message: bytes, *, user: str, home: str | None) -> Request | Finished | Prompt | Notice:
    """What a hook's message asks; `HostError` for anything but a whole message of a known event.

    `user` is the operating system's user, who is behind whatever the agent does.
    """
    fields = _object(message)
    event = _text(fields, "hook_event_name")
    if event in WATCHING:
        return Notice(event)
    if event not in (EVENT, AFTER, PROMPT):
        raise HostError(
            f"`hook_event_name` is `{EVENT}`, `{AFTER}` or `{PROMPT}`, not `{event[:80]}`: register the hook for "
            "those events only"
        )
    missing = [f"`{key}`" for key in _NEEDED[event] if key not in fields]
    if missing:
        raise HostError(f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing in `{event}`")
    cwd = _text(fields, "cwd")
    try:
        session = local_session(id=_text(fields, "session_id"), user=user, cwd=cwd, home=home)
    except SessionError as error:
        raise HostError(f"the message makes no session: {error}") from None
    if event == PROMPT:
        prompt = fields.get("prompt")
        if not isinstance(prompt, str):
            raise HostError("`prompt` must be a text")
        from gateway.hosts.claude_code_prompt import mentioned

        return Prompt(mentioned(prompt, cwd, home), session)
    tool = _text(fields, "tool_name")
    given = fields.get("tool_input")
    if not isinstance(given, dict):
        raise HostError("`tool_input` must be an object")
    if event == EVENT:
        _bounded(given)
    called = calls(tool, given, _optional(fields, "tool_use_id"), _server(fields))
    request = Request(tool, given, called, session)
    if event == EVENT:
        return request
    return Finished(request, fields["tool_response"])


def answer(request: Request, decisions: Sequence[Decision], *, unknown_tools: Effect | None) -> Answer:
    """The answer for the strictest of the decisions, one for each of the request's calls.

    `unknown_tools` is said of a tool that the policy does not know: ask, deny, or nothing for None. Silence
    is no grant: the agent's own permissions stay in force. Only an allow rule, or an approval, is passed on.
    """
    if len(decisions) != len(request.calls) or not decisions:
        raise HostError("there is one decision for each call")
    decision = max(decisions, key=lambda each: each.effect.strictness)
    reason = _reason(decision)
    if _unknown(decision):
        if unknown_tools is Effect.ASK:
            name = printable(request.calls[0].name[:80])
            words = f"The policy does not know the tool `{name}`. [{decision.id}]"
            return _printed({"permissionDecision": "ask", "permissionDecisionReason": words})
        return refusal(reason) if unknown_tools is not None else Answer("{}\n")
    if decision.effect in (Effect.DENY, Effect.RESPOND):
        return refusal(reason)
    fields: dict[str, Any] = {}
    if decision.effect is Effect.ASK:
        fields |= {"permissionDecision": "ask", "permissionDecisionReason": reason}
    elif all(each.basis is not Basis.DEFAULT for each in decisions):
        fields |= {"permissionDecision": "allow", "permissionDecisionReason": reason}
    final = tuple(each.arguments for each in decisions if each.arguments is not None)
    if len(final) != len(decisions):
        raise HostError("a decision to go on has no final arguments")
    if any(
        # The normal form of a number is no change that a policy made.
        not same(_plain(ran), _plain(normal_arguments(asked.arguments)))
        for ran, asked in zip(final, request.calls, strict=True)
    ):
        fields["updatedInput"] = given_back(request.tool, request.given, final)
    context = dict.fromkeys(text for each in decisions for text in each.context)
    if context:
        fields["additionalContext"] = "\n".join(context)
    return _printed(fields) if fields else Answer("{}\n")


def reviewed(finished: Finished, review: Review) -> Answer:
    """The answer after a call: nothing, or what is shown to the model in place of the tool's own result.

    The program bounds results itself, and takes none that is cut for one of its own shape.
    """
    if review.withheld:
        words = _signed(review.message, review.code.value, review.id)
        return _withheld(finished.request.tool, finished.result, words)
    if review.full == finished.result:
        return Answer("{}\n")
    return Answer(f"{json.dumps(_after(review.full, review.message))}\n")


def prompted(decisions: Sequence[Decision], *, unknown_tools: Effect | None) -> Answer:
    """The answer to a prompt: it is blocked where a file that it mentions may not be read, or not unasked."""
    for decision in sorted(decisions, key=lambda each: -each.effect.strictness):
        if _unknown(decision) and unknown_tools is None:
            continue
        if not decision.proceeds:
            words = "A file that the prompt mentions with `@` is read without a question, so the prompt is blocked: "
            return _blocked(words + _reason(decision))
    return Answer("{}\n")


def failure(message: bytes, reason: str) -> Answer:
    """The strictest answer to a message about which nothing could be decided, whatever is wrong with it."""
    texts = top_texts(message)
    events, tools = set(texts.get("hook_event_name", ())), texts.get("tool_name", ())
    words = _printed_lines(reason)
    if events == {AFTER}:
        return _withheld(tools[0] if len(tools) == 1 else "", None, words)
    return _blocked(words) if events == {PROMPT} else refusal(words)


def notice(event: str) -> Answer:
    """The answer to an event in which nothing is decided: a note to the user, and nothing else."""
    words = f"gatewayctl decides in {EVENT}, {AFTER} and {PROMPT} only; it did nothing in {event}"
    return Answer(f"{json.dumps({'systemMessage': words})}\n", f"{words}\n")


def refusal(reason: str) -> Answer:
    """A refusal that holds even where only one of its three parts is understood."""
    words = _printed_lines(reason)
    said = _printed({"permissionDecision": "deny", "permissionDecisionReason": words})
    return Answer(said.stdout, f"{words}\n", _BLOCKED)


def _printed_lines(reason: str) -> str:
    return "\n".join(map(printable, reason.strip().splitlines())) or "The gateway refused this call."


def _blocked(reason: str) -> Answer:
    """A prompt that is not sent to the model."""
    words = _printed_lines(reason)
    return Answer(f"{json.dumps({'decision': 'block', 'reason': words})}\n", f"{words}\n", _BLOCKED)


def _withheld(tool: str, result: Any, words: str) -> Answer:
    """A result that the model must not see; where it may be seen all the same, the turn ends before it is."""
    output, known = withheld(tool, result, words)
    stop = {} if known else {"continue": False, "stopReason": words}
    return Answer(f"{json.dumps({**_after(output), **stop})}\n", f"{words}\n")


def _after(output: Any, context: str = "") -> dict[str, Any]:
    """An output in place of the tool's own, and what the model reads beside it."""
    fields = {"hookEventName": AFTER, "updatedToolOutput": output}
    return {"hookSpecificOutput": {**fields, **({"additionalContext": context} if context else {})}}


def _unknown(decision: Decision) -> bool:
    """Whether the catalogue lacks the tool itself; an unknown tool inside a known one is a refusal like any other."""
    return any(f.code is Code.TOOL_NOT_FOUND and f.step is Step.TOOL for f in decision.findings)


def _printed(fields: Mapping[str, Any]) -> Answer:
    return Answer(f"{json.dumps({'hookSpecificOutput': {'hookEventName': EVENT, **fields}})}\n")


def _reason(decision: Decision) -> str:
    """What is said to the model, or to the person who is asked."""
    words = (
        (decision.message if decision.approval is None else decision.approval["prompt"]).strip()
        or _GRANTS.get(decision.basis)
        or f"The gateway's answer is {decision.effect.value}."
    )
    if decision.effect is Effect.RESPOND and decision.response is not None:
        response = decision.response
        words += f" {response if isinstance(response, str) else json.dumps(response, default=str)}"
    # Patterns have names that everybody may look up; those of rules are the policy's own.
    pattern = f" {decision.rule}" if decision.code is Code.PATTERN and decision.rule else ""
    return _signed(words, decision.outside_code + pattern, decision.id)


def _signed(words: str, code: str, decided: str) -> str:
    return f"{words} [{code} {decided}]"


def _plain(arguments: Mapping[str, Any] | str) -> Any:
    return arguments if isinstance(arguments, str | dict) else dict(arguments)


def _object(message: bytes) -> dict[str, Any]:
    try:
        text = message.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_pairs)
    except HostError:
        raise
    except RecursionError:
        raise HostError("the message is nested too deep") from None
    except ValueError as error:
        what = "empty" if not message.strip() else f"not JSON ({str(error)[:120]})"
        raise HostError(f"the message on stdin is {what}") from None
    if not isinstance(value, dict):
        raise HostError("the message on stdin must be an object")
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise HostError("a key stands twice in the same object of the message")
    return result


def _text(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str) or not value:
        raise HostError(f"`{key}` must be a text that is not empty")
    return value


def _bounded(given: Mapping[str, Any]) -> None:
    for key, value in given.items():
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise HostError(
                f"`{key[:80]}` holds {len(value)} characters and at most {MAX_TEXT} can be checked: make the "
                "file in several smaller steps"
            )


def _optional(fields: Mapping[str, Any], key: str) -> str:
    value = fields.get(key, "")
    if not isinstance(value, str):
        raise HostError(f"`{key}` must be a text")
    return value


def _server(fields: Mapping[str, Any]) -> str | None:
    server = fields.get("mcp_server")
    name = server.get("name") if isinstance(server, dict) else None
    return name if isinstance(name, str) and name else None
