"""Two arguments of one tool that mean the same.

A rule reads `id`; the model fills in `pk`, the tool takes either, and the rule was about nothing. Where a tool knows
two names for one thing, the schema declares one of them.

Bad:

    tools:
      - name: drop_row
        risk: HIGH
        permissions: ["row:delete"]
        describe: "Drop the row"
        parameters:
          type: object
          minProperties: 1
          properties: {row_id: {type: string, maxLength: 64}, rowId: {type: string, maxLength: 64}}

Good:

    tools:
      - name: drop_row
        risk: HIGH
        permissions: ["row:delete"]
        describe: "Drop the row {args.row_id}"
        parameters:
          type: object
          required: [row_id]
          properties: {row_id: {type: string, maxLength: 64}}

Names are compared in how they are written (`rowId`, `row_id`), and in words for the same thing, such as `id` and `pk`,
`url` and `uri`, `path` and `file_path`. Two that a call must both have are two things. Where they are not the same,
write `# gateway: ignore[twin-argument] …` on the line of the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import Argument, arguments, own_tools
from gateway.diagnostic import Confidence, Diagnostic, Related

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Policy

CONFIDENCE = Confidence.POSSIBLE
_SAME = {
    "pk": "id",
    "identifier": "id",
    "uid": "id",
    "uri": "url",
    "href": "url",
    "filepath": "path",
    "pathname": "path",
    "cmd": "command",
    "pwd": "password",
    "passwd": "password",
    "mail": "email",
    "qty": "quantity",
    "msg": "message",
}
_SAME_WHOLE = {"file path": "path", "email address": "email", "phone number": "phone", "web address": "url"}


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each argument that says the same as one before it beside it."""
    for tool in own_tools(compiled):
        required = frozenset((tool.get("parameters") or {}).get("required", ()))
        first: dict[tuple[object, ...], Argument] = {}
        for argument in arguments(tool):
            if len(argument.path) > 1:
                continue
            other = first.setdefault(_key(argument), argument)
            if other is not argument and not {argument.name, other.name} <= required:
                yield Diagnostic(
                    "",
                    f"`{other.name}` and `{argument.name}` of `{tool.name}` seem to mean the same, "
                    "and a rule that reads one is passed by the other",
                    argument.span,
                    "declare one of them",
                    related=(Related(other.span, "the other one"),),
                )


def _key(argument: Argument) -> tuple[object, ...]:
    kinds = argument.schema.get("type")
    name = tuple(_SAME.get(word, word) for word in argument.words)
    said = _SAME_WHOLE.get(" ".join(name), " ".join(name))
    return said, kinds if isinstance(kinds, str) else None
