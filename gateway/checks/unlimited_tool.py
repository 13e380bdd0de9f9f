"""A tool that sends or pays, of which some calls are let run without a person and without a limit.

What names a recipient or an amount (`x-role: recipient`, `x-role: money`) does harm by being called often, each time
with arguments that look right. Where each call is confirmed, a person counts. Where an allow rule takes that back, or
the tool's risk is below `confirm_from`, nothing does.

Bad:

    tools:
      - name: send_mail
        risk: LOW
        permissions: []
        parameters: {type: object, required: [to], properties: {to: {type: string, x-role: recipient}}}

Good:

    tools:
      - name: send_mail
        risk: LOW
        permissions: []
        parameters: {type: object, required: [to], properties: {to: {type: string, x-role: recipient}}}
    limits:
      - {id: mails, tools: [send_mail], per: subject, rate: 20/h}

Where the program behind the tool has a limit of its own, write `# gateway: ignore[unlimited-tool] …` on the line of
its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.decision import Code, Effect
from gateway.diagnostic import Confidence, Diagnostic
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.plan import ToolPlan
    from gateway.policy import Policy

CONFIDENCE = Confidence.POSSIBLE
_ROLES = {"recipient": "sends to whom the model names", "money": "moves money"}


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such tool that is on, and some of whose calls nobody confirms."""
    for name, tool in compiled.engine.tools.items():
        does = next((words for role, words in _ROLES.items() if tool.roles.get(role)), None)
        if does is None or tool.risk is RiskLevel.READ_ONLY or not (tool.enabled and tool.switch_on):
            continue
        if name in compiled.declared and _unconfirmed(tool, compiled) and not _limited(tool):
            yield Diagnostic(
                "",
                f"`{name}` {does}, and nothing limits how often",
                compiled.declared[name].tool.where.span("name"),
                "add a limit, such as `per: subject, rate: 20/h`",
            )


def _unconfirmed(tool: ToolPlan, compiled: Compiled) -> bool:
    granted = any(rule.effect is Effect.ALLOW and not rule.monitored for rule in tool.rules)
    return granted or tool.risk < compiled.engine.confirm_from


def _limited(tool: ToolPlan) -> bool:
    """Whether a limit is in force that counts calls or what they spend."""
    return any(limit.code in (Code.RATE_LIMIT, Code.BUDGET) and not limit.monitored for limit in tool.limits)
