"""Two groups that are probably one, misspelt.

A group is whatever text stands in `group`, so a slip makes a second group with one tool in it, and whoever lists the
tools by group finds some of them missing. Groups are compared without case, separators and a plural `s`; in long words
one wrong letter is seen, too.

Bad:

    tools:
      - {name: form_list, group: form-design, risk: READ_ONLY, permissions: []}
      - {name: form_get, group: form-design, risk: READ_ONLY, permissions: []}
      - {name: form_copy, group: Form Designs, risk: LOW, permissions: []}

Good:

    tools:
      - {name: form_list, group: form-design, risk: READ_ONLY, permissions: []}
      - {name: form_get, group: form-design, risk: READ_ONLY, permissions: []}
      - {name: form_copy, group: form-design, risk: LOW, permissions: []}

Where both are meant, write `# gateway: ignore[near-duplicate-group] …` on the line of the rarer one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.likeness import misspelt
from gateway.diagnostic import Diagnostic, Related, Span, shortened

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each group that is like one that has more tools, or as many and stands before it."""
    uses: Counter[str] = Counter()
    first: dict[str, Span] = {}
    declared = [(tool.get("group"), tool.places.get("group")) for tool in compiled.declared.values()]
    for group, where in (*declared, *((override.group, override.where) for override in policy.overrides)):
        if group and where is not None:
            uses[group] += 1
            first.setdefault(group, where.span("group"))
    for doubtful, likely in misspelt(uses):
        yield Diagnostic(
            "",
            f"the group `{shortened(doubtful)}` is probably meant to be `{shortened(likely)}`",
            first[doubtful],
            f"write `{shortened(likely)}`, or names that can be told apart",
            related=(Related(first[likely], f"`{shortened(likely)}` stands here"),),
        )
