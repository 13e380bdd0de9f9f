"""A pattern with `*` that nothing has a name for.

An exact name that nothing has is an error. A pattern is not, because it may be meant for tools that come later;
more often it is a typing error, and the rule, the binding or the default says nothing without a word.

Bad, where the tools are `form_create` and `form_delete`:

    rules:
      - {id: no-forms, tools: ["forms_*"], effect: deny, message: Forms are closed.}

Good:

    rules:
      - {id: no-forms, tools: ["form_*"], effect: deny, message: Forms are closed.}

Patterns for the tools of a declared server, such as `github/get_*`, are fine: its tools are known only when it is
asked. To keep a pattern for tools that come later, write `# gateway: ignore[unmatched-glob] …` on its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gateway.diagnostic import Confidence, Diagnostic
from gateway.glob import Glob
from gateway.policy import Result

if TYPE_CHECKING:
    from gateway.compile import Compiled
    from gateway.policy import Part, Policy

CONFIDENCE = Confidence.CERTAIN


def check(policy: Policy, compiled: Compiled) -> Iterator[Diagnostic]:
    """Each pattern of a list of tools, agents or tenants that matches none."""
    tools = frozenset(compiled.engine.tools)
    agents = frozenset(compiled.engine.agents)
    servers = frozenset(server.name for server in policy.servers)
    tenants = [Glob(text) for agent in policy.agents for text in agent.tenants]
    governed = (*policy.arguments, *policy.rules, *policy.limits)
    for agent in policy.agents:
        yield from _tools(agent, agent.tools, tools, servers)
    for defaults in policy.defaults:
        yield from _tools(defaults, defaults.tools, tools, servers)
    for override in policy.overrides:
        yield from _tools(override, override.tools, tools, servers)
    for condition in (*governed, *policy.results):
        # What is redacted is so for tools that the catalogue lacks, too.
        if not isinstance(condition, Result):
            yield from _tools(condition, condition.tools, tools, servers)
        for index, text in enumerate(condition.agents or ()):
            if "*" in text and not any(Glob(text).matches(name) for name in agents):
                yield _unmatched(condition, "agents", index, text, "agent")
        for index, text in enumerate(condition.tenants or ()):
            if "*" in text and not any(_overlap(text, glob) for glob in tenants):
                yield _unmatched(condition, "tenants", index, text, "tenant that an agent is on for")


def _tools(
    part: Part, patterns: Iterable[str], tools: frozenset[str], servers: frozenset[str]
) -> Iterator[Diagnostic]:
    for index, text in enumerate(patterns):
        bare = text.removeprefix("!")
        if "*" not in bare or bare in ("*", "*/*") or any(Glob(bare).matches(name) for name in tools):
            continue
        server, slash, _ = bare.partition("/")
        if not slash or not any(Glob(server).matches(name) for name in servers):
            yield _unmatched(part, "tools", index, text, "tool")


def _overlap(text: str, glob: Glob) -> bool:
    """Whether a name may fit both; two patterns with stars are given the benefit of the doubt."""
    return not glob.exact or Glob(text).matches(glob.text)


def _unmatched(part: Part, key: str, index: int, text: str, what: str) -> Diagnostic:
    return Diagnostic(
        "", f"`{text}` matches no {what}", part.where.span(key, index), "correct the pattern, or remove it"
    )
