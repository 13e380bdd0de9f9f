"""A tool that does not say how much harm it can do.

A tool without `risk` counts as HIGH, so a person is asked before every call of it, also where it only reads. Rules
that choose tools by their risk meet it as HIGH, too.

Bad:

    tools:
      - {name: search_docs, permissions: []}

Good:

    tools:
      - {name: search_docs, risk: READ_ONLY, permissions: []}

Many tools are given a risk at once by an entry of `defaults`. Where HIGH is meant, write it; to leave it open, write
`# gateway: ignore[undeclared-risk] …` on the line of the name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Confidence, Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool that has no `risk`, of its own or from `defaults`."""
    for declared in compiled.declared.values():
        if declared.get("risk") is None:
            yield Diagnostic(
                "",
                f"the tool `{declared.name}` declares no `risk`, so it counts as HIGH",
                declared.tool.where.span("name"),
                "write one of `READ_ONLY`, `LOW`, `MEDIUM`, `HIGH`, `IRREVERSIBLE`",
            )
