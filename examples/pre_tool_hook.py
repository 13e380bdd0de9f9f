"""A hook for a program that runs a command before each tool call and takes exit code 2 for a refusal.

The program writes `{"user": …, "permissions": […], "tool": …, "arguments": {…}}` to standard input. Nobody can be
asked here, so what would be asked is refused. Whatever goes wrong is a refusal too. Against hangs and kills
`gatewayctl hook` does more.

Run it with `python examples/pre_tool_hook.py POLICIES < message.json`.
"""

from __future__ import annotations

import json
import sys

from gateway import Effect, Gateway

REFUSED = 2


def main() -> int:
    """The exit code; the reason of a refusal goes to standard error, final arguments to standard output."""
    try:
        message = json.load(sys.stdin)
        user = {"id": message["user"], "tenant": "acme", "authenticated": True}
        session = {
            "id": "hook",
            "tenant": "acme",
            "agent": "assistant",
            "channel": "internal",
            "subject": user | {"permissions": message["permissions"]},
        }
        call = {"tool": message["tool"], "arguments": message["arguments"]}
        decision = Gateway.load(sys.argv[1]).before(call, session)
        if decision.effect is Effect.ALLOW:
            print(json.dumps(decision.arguments))
            return 0
        reason = decision.message
    except Exception as error:  # a hook that dies lets the call pass
        reason = f"The call was refused, because the hook failed: {error}"
    print(reason, file=sys.stderr)
    return REFUSED


if __name__ == "__main__":
    sys.exit(main())
