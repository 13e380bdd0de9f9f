"""Two tools that are probably one under two names.

Where `delete_user` and `remove_user` take the same arguments, a rule, a permission or a limit that stands at the one
leaves the other open, and a model that is refused takes the other.

Bad:

    tools:
      - name: delete_user
        description: Delete a user.
        risk: HIGH
        permissions: ["user:delete"]
        describe: "Delete {args.id}"
        parameters: {type: object, required: [id], properties: {id: {type: string, maxLength: 64}}}
      - name: remove_user
        description: Remove a user from the directory.
        risk: HIGH
        permissions: []
        describe: "Remove {args.id}"
        parameters: {type: object, required: [id], properties: {id: {type: string, maxLength: 64}}}

Good:

    tools:
      - name: delete_user
        description: Delete a user.
        risk: HIGH
        permissions: ["user:delete"]
        describe: "Delete {args.id}"
        parameters: {type: object, required: [id], properties: {id: {type: string, maxLength: 64}}}

Names are compared without the order of their words, plurals, and words for the same action; two tools that only read,
for the same permissions, are left alone. Where both are meant, write `# gateway: ignore[alias-tool] …` on the line of
the second name, and let one rule be about both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import own_tools, words
from gateway.diagnostic import Confidence, Diagnostic, Related
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.compile.declared import Declared
    from gateway.policy import Policy

CONFIDENCE = Confidence.POSSIBLE
_SAME_ACTION = (
    ("delete", "remove", "erase", "destroy"),
    ("read", "get", "fetch", "retrieve", "show", "view"),
    ("search", "find", "query", "lookup"),
    ("create", "add", "insert", "make"),
    ("update", "modify", "edit", "change"),
    ("run", "execute", "exec"),
    ("send", "deliver"),
)
_ACTION = {word: same[0] for same in _SAME_ACTION for word in same}


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each tool that has the same arguments as one before it, and a name that says the same."""
    first: dict[tuple[object, ...], Declared] = {}
    for tool in own_tools(compiled):
        schema = tool.get("parameters") or {}
        if tool.get("enabled") is False or not schema.get("properties"):
            continue
        other = first.setdefault(_key(tool), tool)
        if other is not tool and _matters(tool, other):
            yield Diagnostic(
                "",
                f"`{tool.name}` and `{other.name}` take the same arguments and are called alike: "
                "what holds for one may be passed by the other",
                tool.tool.where.span("name"),
                "keep one of them, or say in their descriptions what each is for and let the same rules hold for both",
                related=(Related(other.tool.where.span("name"), "the other one"),),
            )


def _matters(one: Declared, other: Declared) -> bool:
    """Whether it makes a difference which one is called: what only reads, for the same people, is much the same."""
    reads = one.risk is other.risk is RiskLevel.READ_ONLY
    return not reads or set(one.texts("permissions")) != set(other.texts("permissions"))


def _key(tool: Declared) -> tuple[object, ...]:
    server, slash, _ = tool.name.rpartition("/")
    name = tool.name[len(server) + len(slash) :]
    said = sorted(
        _ACTION.get(word, word.removesuffix("s") if len(word) > 4 else word) for word in words(name)
    )
    schema = tool.get("parameters") or {}
    return (server, *said), frozenset(schema.get("properties", ())), frozenset(schema.get("required", ()))
