"""A tool that no agent may use.

A tool is there for an agent whose `tools` name it, or for a mode. One that neither names is refused to everybody, and
the rules about it are never asked.

Bad:

    agents:
      - {name: clerk, tools: ["form_*"], tenants: [acme]}
    tools:
      - {name: form_list, risk: READ_ONLY, permissions: []}
      - {name: list_menus, risk: READ_ONLY, permissions: []}

Good:

    agents:
      - {name: clerk, tools: ["form_*", list_menus], tenants: [acme]}
    tools:
      - {name: form_list, risk: READ_ONLY, permissions: []}
      - {name: list_menus, risk: READ_ONLY, permissions: []}

A tool that is off, of itself or by its switch, needs no agent yet. To keep one for later, write
`# gateway: ignore[unbound-tool] …` on the line of its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import own_tools
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool that is on and that no agent is bound to; none where there are no agents at all."""
    bound = frozenset[str]().union(*(agent.tools for agent in compiled.engine.agents.values()))
    for tool in own_tools(compiled) if policy.agents else ():
        plan = compiled.engine.tools[tool.name]
        if plan.enabled and plan.switch_on and plan.mode is None and tool.name not in bound:
            yield Diagnostic(
                "",
                f"no agent may use `{tool.name}`",
                tool.tool.where.span("name"),
                "name it in an agent's `tools`, or write `enabled: false`",
            )
