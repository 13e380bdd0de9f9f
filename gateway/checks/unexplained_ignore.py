"""A comment that silences a check and does not say why.

Whoever reads the policy next can't tell whether it is meant or was in a hurry.

Bad:

    tools:
      - {name: pay, permissions: []} # gateway: ignore[undeclared-risk]

Good:

    tools:
      - {name: pay, permissions: []} # gateway: ignore[undeclared-risk] HIGH is right while it is new

To silence it, write `# gateway: ignore[unexplained-ignore] …` alone on the line above, and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gateway.checks.ignores import Ignores
from gateway.diagnostic import Confidence, Diagnostic

CONFIDENCE = Confidence.CERTAIN


def check_ignores(ignores: Ignores, known: Sequence[str]) -> Iterator[Diagnostic]:
    """Each comment without a reason."""
    for ignore in ignores.every:
        if not ignore.reason:
            yield Diagnostic(
                "unexplained-ignore",
                "the comment does not say why",
                next(iter(ignore.names.values()), ignore.span),
                "write the reason behind the bracket: `# gateway: ignore[CHECK] the reason`",
            )
