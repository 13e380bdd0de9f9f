"""A tool that changes something, and that nothing in the policy looks at.

It needs no permission, no rule refuses or asks about any of its calls, no limit counts them, nothing in its arguments
is forced or inspected, and its risk is below `confirm_from`, so nobody is asked. Every signed-in user's agent that is
bound to it can call it as it likes.

Bad:

    settings: {confirm_from: HIGH}
    tools:
      - {name: clear_cart, risk: LOW, permissions: []}

Good:

    settings: {confirm_from: HIGH}
    tools:
      - {name: clear_cart, risk: LOW, permissions: ["shop:cart:update"]}

Where that is meant, write `# gateway: ignore[ungoverned-tool] …` on the line of its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.decision import Effect
from gateway.diagnostic import Diagnostic
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.plan import ToolPlan
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool that is on, above READ_ONLY and below `confirm_from`, and free of everything else."""
    for name, tool in compiled.engine.tools.items():
        if RiskLevel.READ_ONLY < tool.risk < compiled.engine.confirm_from and not _governed(tool):
            yield Diagnostic(
                "",
                f"nothing governs `{name}`: no permission, no rule, no limit, no inspected argument, no confirmation",
                compiled.declared[name].tool.where.span("name"),
                "add `permissions`, a rule or a limit, or lower `confirm_from`",
            )


def _governed(tool: ToolPlan) -> bool:
    off = not (tool.enabled and tool.switch_on)
    ruled = bool(tool.limits) or any(rule.effect is not Effect.ALLOW for rule in tool.rules)
    inner = tool.wraps is not None
    return off or ruled or inner or bool(tool.permissions or tool.resource or tool.forced or tool.inspected)
