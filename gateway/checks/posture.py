"""A setting that weakens protection, named so that nobody forgets it.

Each of these can be right: confirmation from HIGH on, a pack that is off, a switch that is on, a rule on trial. They
are notes and fail nothing. The same list stands in the manifest of a loaded gateway.

Bad:

    settings: {confirm_from: IRREVERSIBLE}

Good:

    settings: {confirm_from: LOW}

To silence one, write `# gateway: ignore[posture] …` on its line, and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Confidence, Diagnostic, Severity

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN
SEVERITY = Severity.NOTE


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each weakness of the manifest's posture."""
    for weakness in compiled.posture:
        yield Diagnostic("", weakness.message, weakness.span)
