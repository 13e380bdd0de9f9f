"""A tool's name in another spelling than models expect.

Models call tools by their names, and write what they have seen most: small letters, words joined by `_`, an action and
what it is done to. Capital letters, and two ways of joining words in one catalogue, lead to calls of tools that do not
exist.

Bad:

    tools:
      - {name: getInvoice, risk: READ_ONLY, permissions: []}

Good:

    tools:
      - {name: get_invoice, risk: READ_ONLY, permissions: []}

One word in small letters, such as `read`, is fine, and so is `-` where no name has `_`. The names of servers' tools
are theirs to choose. Where a host has fixed the name, write `# gateway: ignore[unclear-name] …` on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each name with capital letters, and each with `-` beside names with `_`."""
    own = [tool for tool in compiled.declared.values() if "/" not in tool.name]
    joined = any("_" in tool.name for tool in own)
    for tool in own:
        capital = tool.name != tool.name.lower()
        if capital or (joined and "-" in tool.name):
            better = _HUMP.sub("_", tool.name).lower()
            better = better.replace("-", "_") if joined else better
            what = "has capital letters" if capital else "joins words by `-`, other names by `_`"
            yield Diagnostic(
                "",
                f"the tool's name `{tool.name}` {what}",
                tool.tool.where.span("name"),
                f"name it `{better}`",
            )
