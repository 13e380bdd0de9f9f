"""A list to choose from whose end may be cut off.

A long result is cut, unless the tool says otherwise. Of a text that is bearable; of a list of everything there is to
choose from it is not: what is cut looks as if it did not exist, and a model makes up what it can't see. A tool is taken
for such a list if it reads only, needs no argument, promises a list in `result.arrays` with `shape: known`, and has no
argument to ask for the next page.

Bad:

    tools:
      - {name: list_icons, risk: READ_ONLY, permissions: [], result: {arrays: [icons], shape: known}}

Good:

    tools:
      - {name: list_icons, risk: READ_ONLY, permissions: [], result: {arrays: [icons], shape: known, truncate: false}}

A long list is better read by page: declare `page`, `offset`, `limit` or `cursor`. Where a part of the list is enough,
write `# gateway: ignore[cut-catalogue] …` on the line of `result`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic
from gateway.policy import Shape
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_PAGING = frozenset(
    (
        *(
            "page",
            "pagesize",
            "pagenumber",
            "pageno",
            "pagetoken",
            "perpage",
            "nextpage",
            "nexttoken",
            "top",
            "size",
        ),
        *(
            "offset",
            "limit",
            "cursor",
            "skip",
            "start",
            "after",
            "before",
            "first",
            "last",
            "count",
            "maxresults",
        ),
    )
)


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool that lists everything and neither pages nor says `truncate: false`."""
    for tool in compiled.declared.values():
        result = tool.get("result")
        if result is None or tool.risk is not RiskLevel.READ_ONLY:
            continue
        schema = tool.get("parameters") or {}
        arguments = {name.replace("_", "").replace("-", "").lower() for name in schema.get("properties", {})}
        everything = not schema.get("required") and arguments.isdisjoint(_PAGING)
        if result.arrays and result.shape is Shape.KNOWN and result.truncate and everything:
            yield Diagnostic(
                "",
                f"the list that `{tool.name}` returns may be cut, and what is missing can't be asked for",
                tool.places["result"].key_span("result"),
                "write `truncate: false` beside `shape`, or let it be read by page",
            )
