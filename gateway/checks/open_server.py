"""A server that may change its tools, or add some, and nobody is asked.

A server says itself what its tools do. Without `pinned` a tool that was looked at once can become another one
overnight; with `tools: ["*"]` every tool that it adds is let in, and where the risk is READ_ONLY it runs unasked.

Bad:

    servers:
      - {name: github, tools: ["*"], risk: READ_ONLY, permissions: []}

Good:

    servers:
      - {name: github, tools: ["get_*", "list_*"], risk: READ_ONLY, permissions: [], pinned: true}

With a risk above READ_ONLY, or without one, `"*"` is left alone. An agent that is bound to `"*/*"` gets the tools of
servers that are added for other agents as well. Where the server is your own and is changed with the
policy, write `# gateway: ignore[open-server] …` on the line that the finding points at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each server without `pinned`, each that lets everything in to run unasked, and each agent that takes all."""
    for server in policy.servers:
        if not server.pinned:
            yield Diagnostic(
                "",
                f"a tool of the server `{server.name}` that changes is used as before",
                server.where.span("name"),
                "add `pinned: true`, so that a change is looked at first",
            )
        elif "*" in server.tools and server.risk is RiskLevel.READ_ONLY:
            yield Diagnostic(
                "",
                f"whatever tool `{server.name}` adds is let in as one that only reads",
                server.where.span("tools", server.tools.index("*")),
                "name what it may add, such as `get_*`, or give it a risk",
            )
    for agent in policy.agents if policy.servers else ():
        if "*/*" in agent.tools:
            yield Diagnostic(
                "",
                f"the agent `{agent.name}` gets whatever tool any server offers",
                agent.where.span("tools", agent.tools.index("*/*")),
                "name the servers, such as `github/*`",
            )
