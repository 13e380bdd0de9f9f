"""An agent that is shown many tools at once.

Every tool that a session sees costs attention: the more there are, the more often a model takes one that is merely
near. Above seven this check says how many there are; it is a note, because a large catalogue can be meant.

Bad:

    agents:
      - {name: helper, tools: ["*"], tenants: [acme]}
    tools:
      - {name: tool_a, risk: READ_ONLY, permissions: []}
      - {name: tool_b, risk: READ_ONLY, permissions: []}
      - {name: tool_c, risk: READ_ONLY, permissions: []}
      - {name: tool_d, risk: READ_ONLY, permissions: []}
      - {name: tool_e, risk: READ_ONLY, permissions: []}
      - {name: tool_f, risk: READ_ONLY, permissions: []}
      - {name: tool_g, risk: READ_ONLY, permissions: []}
      - {name: tool_h, risk: READ_ONLY, permissions: []}

Good:

    agents:
      - {name: helper, tools: [tool_a, tool_b], tenants: [acme]}
    tools:
      - {name: tool_a, risk: READ_ONLY, permissions: []}
      - {name: tool_b, risk: READ_ONLY, permissions: []}

Permissions and rules can hide more of them in a session, so the figure is the most that can be seen. To silence it,
write `# gateway: ignore[crowded-agent] …` on the line of the agent's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.shown import shown
from gateway.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

SEVERITY = Severity.NOTE
_MOST = 7


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each agent with more than seven tools."""
    for agent in policy.agents:
        count = len(shown(compiled.engine.agents[agent.name], compiled))
        if count > _MOST:
            yield Diagnostic(
                "",
                f"the agent `{agent.name}` may be shown {count} tools at once",
                agent.where.span("name"),
                "name fewer in `tools`, or make an agent for each kind of work",
            )
