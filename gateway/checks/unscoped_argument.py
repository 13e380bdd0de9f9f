"""An argument that says whose things are meant, and that nothing holds to the person who asks.

A model fills in whatever identity a page or a mail suggests. Where the argument `user_id` is free, every user's agent
reads every user's things. Force it, ask for a permission that is made from it, or refuse what is not the subject's.

Bad:

    tools:
      - name: read_inbox
        risk: READ_ONLY
        permissions: ["mail:read"]
        parameters: {type: object, required: [user_id], properties: {user_id: {type: string, maxLength: 64}}}

Good:

    tools:
      - name: read_inbox
        risk: READ_ONLY
        permissions: ["mail:read"]
        parameters: {type: object, required: [user_id], properties: {user_id: {type: string, maxLength: 64}}}
    arguments:
      - {id: own-inbox, tools: [read_inbox], set: {user_id: subject.id}}

An argument is meant that is called after a user, an owner, a member, an employee or a tenant, or has `x-role: owner`;
not one of a tool that is called after the same, such as `find_user`. Where every holder of the tool's permissions may
see everybody's, write `# gateway: ignore[unscoped-argument] …` on the argument's line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.checks.reading import Argument, Reads, arguments, forced, own_tools, words
from gateway.diagnostic import Confidence, Diagnostic

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.plan import ToolPlan
    from gateway.policy import Policy

CONFIDENCE = Confidence.POSSIBLE
_WHOSE = frozenset(("user", "owner", "member", "employee", "tenant"))
_ENDS = frozenset(("id", "ids", "name", "key"))
_HOSTED = frozenset(("repo", "repository", "repo_name"))
"""Beside these the owner is a part of a name, as in `octo/shop`."""
_INSTEAD = frozenset(("on behalf of", "act as", "run as", "as user", "impersonate"))


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each such argument that is neither forced, nor part of a permission, nor read by a rule that refuses or asks."""
    reads = Reads(policy)
    for tool in own_tools(compiled):
        plan = compiled.engine.tools[tool.name]
        named = {argument.name for argument in arguments(tool)}
        for argument in arguments(tool):
            owned = argument.role == "owner"
            if not owned and not (argument.is_text and _whose(argument) and named.isdisjoint(_HOSTED)):
                continue
            read = reads.of(plan)
            held = argument.path[0] in forced(plan) | _permitted(plan) | read
            if not held and not (owned and "roles.owner" in read):
                yield Diagnostic(
                    "",
                    f"`{argument.name}` of `{tool.name}` says whose things are meant, and is not held to the subject",
                    argument.span,
                    "force it in `arguments`, name it in `resource_permissions`, or refuse others by a rule",
                )


def _permitted(plan: ToolPlan) -> frozenset[str]:
    """The arguments that permissions are made from."""
    return frozenset(
        placeholder.names[0]
        for resource in plan.resource
        for placeholder in resource.template.placeholders
        if placeholder.root == "args" and placeholder.names
    )


def _whose(argument: Argument) -> bool:
    name = argument.words
    if " ".join(name) in _INSTEAD:
        return True
    if len(name) not in (1, 2) or name[0] not in _WHOSE or (len(name) == 2 and name[1] not in _ENDS):
        return False
    of_tool = {word.removesuffix("s") for word in words(argument.tool.name)}
    return name[0] not in of_tool
