"""A hook's work: read the message on stdin, ask the policy, and say the decision in the host's words."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gateway.call import ToolCall
from gateway.decision import Code, Decision, Effect
from gateway.diagnostic import PolicyError
from gateway.hosts import HOSTS
from gateway.hosts.answer import Answer, HostError, Notice
from gateway.session import Session

if TYPE_CHECKING:
    from gateway.runtime import Gateway

MAX_MESSAGE = 64 * 1024 * 1024


def answer(host: str, policies: str) -> Answer:
    """What the host is told; whatever can't be read, loaded or decided is a refusal."""
    module = import_module(HOSTS[host])
    try:
        return _decided(module, _message(), _found(policies))
    except HostError as error:
        return _refused(module, f"The gateway can't answer the hook: {error}.")
    except PolicyError as error:
        first = error.diagnostics[0]
        place = f" ({first.span.place})" if first.span is not None else ""
        more = f", and {len(error.diagnostics) - 1} more" if len(error.diagnostics) > 1 else ""
        return _refused(
            module,
            f"The gateway's policy can't be used, so every call is refused: {first.message}{place}{more}. "
            "A person has to run `gatewayctl lint`.",
        )


def _message() -> bytes:
    """Everything on stdin."""
    if sys.stdin is None:
        raise HostError("stdin is closed")
    try:
        message = sys.stdin.buffer.read(MAX_MESSAGE + 1)
    except OSError as error:
        raise HostError(f"stdin can't be read ({error.strerror})") from None
    if len(message) > MAX_MESSAGE:
        raise HostError(f"the message is longer than {MAX_MESSAGE} bytes")
    return message


def _found(policies: str) -> str:
    """The path of the policies, which must not depend on a directory that is gone."""
    try:
        return os.path.abspath(policies)  # noqa: PTH100  # links are followed where the policies are read
    except OSError:
        raise HostError(
            f"`--policies {policies}` is relative, and the directory that the hook was started in is gone"
        ) from None


def _refused(module: Any, reason: str) -> Answer:
    refusal: Answer = module.refusal(reason)
    return refusal


def _decided(module: Any, message: bytes, policies: str) -> Answer:
    request = module.read(message, user=_user(), home=str(Path.home()))
    if isinstance(request, Notice):
        noted: Answer = module.notice(request.event)
        return noted

    from gateway.policy import UnknownTools
    from gateway.testing.loaded import load

    loaded = load(policies, supports=module.SUPPORTS)
    decisions = [_decision(loaded.gateway, call, request.session) for call in request.calls]
    said = {UnknownTools.ASK: Effect.ASK, UnknownTools.DENY: Effect.DENY, UnknownTools.ABSTAIN: None}
    said_to: Answer = module.answer(
        request, decisions, unknown_tools=said[loaded.policy.settings.unknown_tools]
    )
    return said_to


def _decision(gateway: Gateway, call: ToolCall, session: Session) -> Decision:
    """The decision about a call; the guard and the patterns judge a tool that the catalogue lacks as well."""
    decision = gateway.before(call, session)
    if decision.code is Code.TOOL_NOT_FOUND:
        unlisted = gateway.before_unlisted(call, session)
        if not unlisted.proceeds:
            return unlisted
    return decision


def _user() -> str:
    """The operating system's user, not what the environment says about them."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
