"""A tool that changes something, and that does not say what becomes of a call that fails.

A call may be cut off between its beginning and its end. Whether it may run again (`idempotent`), by what one can tell
that it was done before (`idempotency_key`), how long it may take (`timeout`) and what its result looks like (`result`)
is known to whoever writes the tool, and guessed by everybody else.

Bad:

    tools:
      - {name: book_room, risk: HIGH, permissions: ["room:book"], describe: Book the room}

Good:

    tools:
      - name: book_room
        risk: HIGH
        permissions: ["room:book"]
        describe: Book the room
        timeout: 30s
        idempotent: false
        result: {shape: known}

`idempotent: false` is an answer as well: a call whose outcome is unknown is then never repeated unasked. An entry of
`defaults` can give all of it to many tools. Tools of HIGH and IRREVERSIBLE are looked at, but for those that are off
and those of servers. Where a host answers for all of it, write `# gateway: ignore[undeclared-outcome] …` on the line of
the name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import own_tools
from gateway.diagnostic import Diagnostic, Severity
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

SEVERITY = Severity.NOTE


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool from HIGH on that leaves one of these open, with all that it leaves open."""
    for tool in own_tools(compiled):
        off = tool.get("enabled") is False or "/" in tool.name
        if off or tool.get("risk") is None or tool.risk < RiskLevel.HIGH:
            continue
        told = tool.get("idempotent") is not None or tool.get("idempotency_key") is not None
        lacks = [] if told else ["`idempotent` or `idempotency_key`"]
        lacks += [f"`{key}`" for key in ("timeout", "result") if tool.get(key) is None]
        if lacks:
            yield Diagnostic(
                "",
                f"the tool `{tool.name}` does not say what becomes of a call that is cut off: it has no {_or(lacks)}",
                tool.tool.where.span("name"),
                "write whether a call may run again, how long it may take, and what it returns",
            )


def _or(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', no '.join(items[:-1])} and no {items[-1]}"
