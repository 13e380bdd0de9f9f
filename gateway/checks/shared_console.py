"""Management bound to an agent that has other tools.

Whoever may call `gateway/override` can also repeat the digest that confirms what it relaxes. An agent with tools of its
own reads what these return, and can be talked into it by that. Give people a console of their own.

Bad:

    agents:
      - {name: helpdesk, tools: [pay, "gateway/*"], tenants: [acme]}

Good:

    agents:
      - {name: helpdesk, tools: [pay, gateway/list], tenants: [acme]}
      - {name: console, tools: ["gateway/*"], tenants: [acme]}

Actions that only look (`gateway/list`, `gateway/audit`) are no concern of this check. To silence it, write
`# gateway: ignore[shared-console] …` on the line of the agent's name, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.call import PREFIX
from gateway.diagnostic import Diagnostic
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each agent that may change tools and has others beside."""
    tools = compiled.engine.tools
    for agent in policy.agents:
        bound = compiled.engine.agents[agent.name].tools
        changing = [
            name
            for name in sorted(bound)
            if name.startswith(PREFIX) and tools[name].risk is not RiskLevel.READ_ONLY
        ]
        if changing and any(not name.startswith(PREFIX) for name in bound):
            yield Diagnostic(
                "",
                f"the agent `{agent.name}` has `{changing[0]}` beside other tools, whose results could talk it into "
                "changing what protects it",
                agent.where.span("name"),
                "bind management to an agent of its own, for people at a console",
            )
