"""An argument for a password or a key that is not marked as sensitive.

What is marked `x-sensitive: true` is shown to nobody: not to whoever is asked, not in the decision log, and it is
blanked out of results. A password without the mark stands in all of them.

Bad:

    tools:
      - name: add_account
        risk: LOW
        permissions: ["account:create"]
        describe: "Add the account {args.login}"
        parameters:
          type: object
          required: [login, password]
          properties: {login: {type: string, maxLength: 50}, password: {type: string, maxLength: 200}}

Good:

    tools:
      - name: add_account
        risk: LOW
        permissions: ["account:create"]
        describe: "Add the account {args.login}"
        parameters:
          type: object
          required: [login, password]
          properties: {login: {type: string, maxLength: 50}, password: {type: string, x-sensitive: true}}

Better still the host knows the secret, and the model never sees it. Where the name means something else, such as a
token that asks for the next page, write `# gateway: ignore[unmarked-secret] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import SECRET, arguments, own_tools
from gateway.diagnostic import Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such argument that may be a text."""
    for tool in own_tools(compiled):
        marked = compiled.engine.tools[tool.name].sensitive
        for argument in arguments(tool):
            if (
                " ".join(argument.words) in SECRET
                and argument.is_text
                and not any(argument.path[: len(path)] == path for path in marked)
                and (None,) not in marked
            ):
                yield Diagnostic(
                    "",
                    f"`{argument.name}` of `{tool.name}` is a secret by its name, and is shown to everybody who asks",
                    argument.span,
                    "add `x-sensitive: true` to its schema",
                )
