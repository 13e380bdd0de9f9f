"""An entry with a wildcard of other programs, which is an ordinary character here.

In `protected_paths`, `protected_branches` and `artifacts` only `*` stands for something else, and in paths `**`. An
entry with `{a,b}`, `[ab]` or `?` is about a file or a branch that has these characters in its name. In permissions
nothing stands for something else: `form:*:{args.code}` is held by nobody.

Bad:

    settings: {protected_paths: ["infra/{prod,stage}"]}

Good:

    settings: {protected_paths: [infra/prod, infra/stage]}

Some files do have such names, `app/[id]/page.tsx` for one: write `# gateway: ignore[literal-wildcard] …` on the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

_WILDCARD = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]|\?")


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each entry that holds one."""
    settings = policy.settings
    for key in ("protected_paths", "protected_branches", "artifacts"):
        for index, text in enumerate(getattr(settings, key)):
            found = _WILDCARD.search(text)
            if found is not None:
                span = settings.where.excerpt(key, index).span(found.start(), found.end())
                message = f"`{found[0]}` is no wildcard here, but part of the name"
                yield Diagnostic("", message, span, "write one entry each, or `*` for any characters")
    for part in (*policy.tools, *policy.defaults):
        for index, template in enumerate(part.resource_permissions):
            if any(isinstance(text, str) and "*" in text for text in template.parts):
                span = part.where.span("resource_permissions", index)
                message = "`*` is no wildcard in a permission, so nobody holds this one"
                yield Diagnostic("", message, span, "name what must be held, one permission each")
