"""A hook's work: ask the policy about a host's message, and say what it decides in the host's words."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.cache import Cache, user_cache
from gateway.call import ToolCall
from gateway.decision import Code, Decision, Effect
from gateway.diagnostic import PolicyError, printable
from gateway.hosts import HOSTS
from gateway.hosts.answer import Answer, Finished, HostError, Notice, Prompt
from gateway.session import Session
from gatewayctl.local import os_user

if TYPE_CHECKING:
    from gateway.record import Recorder
    from gateway.runtime import Gateway
    from gatewayctl.supervisor import Hook

_UNKNOWN: Mapping[str, Effect | None] = MappingProxyType(
    {"ask": Effect.ASK, "deny": Effect.DENY, "abstain": None}
)
_OFF = frozenset({"off", "0", "false", "no"})
_ON = frozenset({"on", ""})


def answer(hook: Hook, message: bytes) -> Answer:
    """What the host is told; whatever can't be read, loaded or decided gets the strictest answer."""
    module = import_module(HOSTS[hook.host])
    setting = os.environ.get("GATEWAY_CACHE", "")
    cache = None if setting.strip().lower() in _OFF else user_cache()
    said = _answer(module, message, hook, cache)
    notes = "".join(f"{note}\n" for note in cache.notes) if cache is not None else ""
    if cache is not None and setting.strip().lower() not in _ON:
        notes += (
            f"GATEWAY_CACHE is `on` or `off`, not `{printable(setting)[:80]}`: compiled policies are kept\n"
        )
    return replace(said, stderr=said.stderr + notes) if notes else said


def _answer(module: Any, message: bytes, hook: Hook, cache: Cache | None) -> Answer:
    try:
        return _answered(module, message, hook, cache)
    except HostError as error:
        return _failed(module, message, f"The gateway can't answer the hook `{hook.host}`: {error}.")
    except PolicyError as error:
        first = error.diagnostics[0]
        place = f" ({first.span.place})" if first.span is not None else ""
        more = f", and {len(error.diagnostics) - 1} more" if len(error.diagnostics) > 1 else ""
        return _failed(
            module,
            message,
            f"The gateway's policy can't be used, so every call is refused: {first.message}{place}{more}. "
            f"A person has to mend it{f': {first.help}' if first.help else ''}.",
        )


def _found(option: str, path: str | None) -> str | None:
    """The path of an option, which must not depend on a directory that is gone."""
    try:
        return None if path is None else os.path.abspath(path)  # noqa: PTH100  # links are followed when read
    except OSError:
        raise HostError(
            f"`{option} {path}` is relative, and the directory that the hook was started in is gone"
        ) from None


def _recorder(log: str | None) -> Recorder | None:
    """What keeps the log; one that can't be used refuses every call."""
    if log is None:
        return None
    from gateway.record import Unrecorded
    from gateway.recorders.file import FileRecorder

    try:
        return FileRecorder(_found("--log", log) or "")
    except Unrecorded as error:
        raise HostError(f"its log can't be used: {error}") from None


def _failed(module: Any, message: bytes, reason: str) -> Answer:
    said: Answer = module.failure(message, reason)
    return said


def _answered(module: Any, message: bytes, hook: Hook, cache: Cache | None) -> Answer:
    told: Answer
    asked = module.read(message, user=os_user(), home=str(Path.home()))
    if isinstance(asked, Notice):
        told = module.notice(asked.event)
        return told

    from gateway.runtime import Gateway

    gateway = Gateway.load(
        _found("--policies", hook.policies) or "",
        user=_found("--user", hook.user),
        project=_found("--project", hook.project),
        audit=_found("--audit", hook.audit),
        supports=module.SUPPORTS,
        cache=cache,
        recorder=_recorder(hook.log),
    )
    unknown = _UNKNOWN[gateway.manifest.unknown_tools]
    if isinstance(asked, Finished):
        request = asked.request
        told = module.reviewed(asked, gateway.after(request.calls[0], request.session, asked.result))
        return told
    decisions = [_decision(gateway, call, asked.session) for call in asked.calls]
    if isinstance(asked, Prompt):
        told = module.prompted(decisions, unknown_tools=unknown)
    else:
        told = module.answer(asked, decisions, unknown_tools=unknown)
    return _with_note(told, decisions, asked.session)


def _with_note(told: Answer, decisions: Sequence[Decision], session: Session) -> Answer:
    """The answer with a note to whoever installed the hook, where its agent is not the policy's.

    Some programs show their model what a refusal writes to standard error, so the note tells nothing of the policy.
    """
    if all(decision.code is not Code.AGENT_DISABLED for decision in decisions):
        return told
    note = (
        f"The hook asks as the agent `{session.agent}` of the tenant `{session.tenant}`: the policy needs an agent "
        "of that name, with that tenant among its `tenants`"
    )
    return replace(told, stderr=f"{told.stderr}{note}\n")


def _decision(gateway: Gateway, call: ToolCall, session: Session) -> Decision:
    """The decision about a call; the guard and the patterns judge a tool that the catalogue lacks as well."""
    decision = gateway.before(call, session)
    if decision.code is Code.TOOL_NOT_FOUND:
        unlisted = gateway.before_unlisted(call, session)
        if not unlisted.proceeds:
            return unlisted
    return decision
