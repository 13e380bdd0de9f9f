"""A server of which everything may be used but what is named.

Its tools are known only when it is asked, and it may have others tomorrow. `tools: ["*"]` with some exclusions, or
with rules that refuse single tools by name, says what was bad yesterday: whatever the server adds is let through.

Bad:

    servers:
      - {name: files, tools: ["*", "!delete_*"], risk: READ_ONLY, permissions: []}

Good:

    servers:
      - {name: files, tools: ["read_*", "list_*"], risk: READ_ONLY, permissions: []}

A server without exclusions that a rule for all of its tools (`files/*`) governs is fine. Where the server is your own,
write `# gateway: ignore[deny-list] …` on the line of its `tools`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy, Server

_EVERY = ("*", "*/*")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each server with all of its tools, less some that are named there or in a deny rule."""
    for server in policy.servers:
        if "*" not in server.tools or _governed(policy, server):
            continue
        named = [text.removeprefix("!") for text in server.tools if text.startswith("!")]
        named += [text for text in _refused(policy, server) if text not in named]
        if named:
            listed = ", ".join(f"`{text}`" for text in named[:3]) + (" and others" if len(named) > 3 else "")
            yield Diagnostic(
                "",
                f"every tool of `{server.name}` may be used but {listed}: what it adds later is let through",
                server.where.span("tools", server.tools.index("*")),
                "list the tools that are meant",
            )


def _governed(policy: Policy, server: Server) -> bool:
    """Whether a rule that refuses or asks is about all of its tools, whatever they are called."""
    every = (*_EVERY, f"{server.name}/*")
    return any(
        rule.effect is not Effect.ALLOW and not rule.monitor and any(text in every for text in rule.tools)
        for rule in policy.rules
    )


def _refused(policy: Policy, server: Server) -> Iterator[str]:
    for rule in policy.rules:
        if rule.effect is Effect.DENY:
            for text in rule.tools:
                if text.startswith(f"{server.name}/"):
                    yield text
