"""What loosens the policy for something that can't be undone, and never ends.

An allow rule that takes back the question before an IRREVERSIBLE call, or an override that makes such a tool milder for
one tenant, is made for an occasion. Without `until` it is still there years later.

Bad:

    tools:
      - {name: purge_archive, risk: IRREVERSIBLE, permissions: []}
    rules:
      - {id: rehearsal, tools: [purge_archive], when: session.dry_run, effect: allow}

Good:

    tools:
      - {name: purge_archive, risk: IRREVERSIBLE, permissions: []}
    rules:
      - {id: rehearsal, tools: [purge_archive], when: session.dry_run, effect: allow, until: 2099-01-31}

Where it shall hold for ever, write `# gateway: ignore[endless-relaxation] …` on the line of the id, or of the
override's tenant, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.compile.names import governed
from gateway.decision import Effect
from gateway.diagnostic import Confidence, Diagnostic
from gateway.glob import select
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.compile.declared import Declared
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN
_HELP = "add `until` with the last day on which it is needed"


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each allow rule and each loosening override without `until` that is about an IRREVERSIBLE tool."""
    tools = compiled.declared
    for rule in policy.rules:
        if rule.effect is Effect.ALLOW and rule.until is None and not rule.monitor:
            named = _listed(name for name in governed(rule, tools) if _irreversible(tools[name]))
            if named:
                message = f"the allow rule `{rule.id}` never ends, and {named} can't be undone"
                yield Diagnostic("", message, rule.where.span("id"), _HELP)
    for override in policy.overrides:
        if override.until is None:
            named = _listed(
                relaxation.tool
                for relaxation in (each.confirmed for each in compiled.relaxations)
                if relaxation.tenant == override.tenant
                and relaxation.tool in select(override.tools, tools)
                and _irreversible(tools[relaxation.tool])
            )
            if named:
                message = (
                    f"the override of tenant `{override.tenant}` never ends, and {named} can't be undone"
                )
                yield Diagnostic("", message, override.where.span("tenant"), _HELP)


def _irreversible(tool: Declared) -> bool:
    return tool.risk is RiskLevel.IRREVERSIBLE


def _listed(names: Iterator[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
