"""The tools that a gateway itself carries out, to manage a tenant's tools; a policy has them if an agent names them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from gateway.call import PREFIX
from gateway.glob import select
from gateway.load import load_text

if TYPE_CHECKING:
    from gateway.compile.report import Report
    from gateway.policy import Policy, Tool


def bound_by(patterns: Iterable[str], tools: Iterable[str]) -> frozenset[str]:
    """The tools that an agent's list names; management only by a pattern that asks for it, and not for any server's."""
    asking = [pattern for pattern in patterns if pattern.startswith((PREFIX, "!"))]
    managing = {name for name in select(asking, tools) if name.startswith(PREFIX)}
    return frozenset(name for name in select(patterns, tools) if not name.startswith(PREFIX)) | managing


def check_reserved(policy: Policy, report: Report) -> None:
    """Report tools that a policy declares in the place of those that a gateway carries out itself."""
    for tool in policy.tools:
        if tool.name.startswith(PREFIX):
            said = f"`{tool.name}` is a name of the gateway's own tools"
            report.error("reserved-name", said, tool.where.span("name"), "choose another name")


def with_management(policy: Policy) -> Policy:
    """The policy with the management tools, if an agent is bound to some of them."""
    if not any(_asked_for(agent.tools) for agent in policy.agents):
        return policy
    return replace(policy, tools=(*policy.tools, *management_tools()))


def _asked_for(patterns: Iterable[str]) -> bool:
    return any(pattern.startswith(PREFIX) for pattern in patterns)


@cache
def management_tools() -> tuple[Tool, ...]:
    """The management tools as a policy would declare them."""
    from importlib.resources import files

    text = files("gateway.compile").joinpath("management.yaml").read_text("utf-8")
    return load_text(text, "management.yaml").tools
