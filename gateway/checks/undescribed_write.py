"""A tool that changes something, and can't say what a call would change.

Whoever is asked to confirm a call reads what `describe` makes of its arguments. Without one they read the tool's name,
and say yes to everything.

Bad:

    tools:
      - name: rename_form
        risk: LOW
        permissions: []
        parameters: {type: object, required: [name], properties: {name: {type: string, maxLength: 100}}}

Good:

    tools:
      - name: rename_form
        risk: LOW
        permissions: []
        parameters: {type: object, required: [name], properties: {name: {type: string, maxLength: 100}}}
        describe: "Rename the form to {args.name}"

Every tool above READ_ONLY needs one. Where the name says everything, write `# gateway: ignore[undescribed-write] …` on
its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Confidence, Diagnostic
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool above READ_ONLY that has no `describe`, of its own or from `defaults`."""
    for declared in compiled.declared.values():
        if declared.risk > RiskLevel.READ_ONLY and declared.get("describe") is None:
            yield Diagnostic(
                "",
                f"the tool `{declared.name}` has the risk {declared.risk.value} and no `describe`",
                declared.tool.where.span("name"),
                'say what a call does with its arguments, such as `describe: "Pay {args.amount} to {args.iban}"`',
            )
