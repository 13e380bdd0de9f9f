"""A hook's work: read the message on stdin, ask the policy, and say the decision in the host's words."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gateway.diagnostic import PolicyError
from gateway.hosts import claude_code
from gateway.hosts.answer import Answer, HostError

MAX_MESSAGE = 64 * 1024 * 1024


def answer(host: str, policies: str) -> Answer:
    """What the host is told; whatever can't be read, loaded or decided is a refusal."""
    if host != "claude-code":
        return claude_code.refusal(f"The gateway does not know the host `{host}`.")
    try:
        message = sys.stdin.buffer.read(MAX_MESSAGE + 1)
        if len(message) > MAX_MESSAGE:
            raise HostError(f"the message is longer than {MAX_MESSAGE} bytes")
        return _claude_code(message, policies)
    except HostError as error:
        return claude_code.refusal(f"The gateway can't read the hook's message: {error}.")
    except PolicyError as error:
        first = error.diagnostics[0]
        place = f" ({first.span.place})" if first.span is not None else ""
        more = f", and {len(error.diagnostics) - 1} more" if len(error.diagnostics) > 1 else ""
        return claude_code.refusal(
            f"The gateway's policy can't be used, so every call is refused: {first.message}{place}{more}. "
            "A person has to run `gatewayctl lint`."
        )


def _claude_code(message: bytes, policies: str) -> Answer:
    request = claude_code.read(message, user=_user(), home=str(Path.home()))
    if isinstance(request, claude_code.Notice):
        return claude_code.notice(request.event)

    from gateway.decision import Effect
    from gateway.policy import UnknownTools
    from gateway.testing.loaded import load

    loaded = load(policies, supports=claude_code.SUPPORTS)
    decisions = [loaded.gateway.before(call, request.session) for call in request.calls]
    said = {UnknownTools.ASK: Effect.ASK, UnknownTools.DENY: Effect.DENY, UnknownTools.ABSTAIN: None}
    return claude_code.answer(request, decisions, unknown_tools=said[loaded.policy.settings.unknown_tools])


def _user() -> str:
    """The operating system's user, not what the environment says about them."""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
