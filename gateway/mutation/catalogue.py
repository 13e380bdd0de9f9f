"""The mutants of settings, agents, tools and overrides: more that may be called, by more, with less asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gateway.cel import plan
from gateway.compile.management import bound_by
from gateway.glob import Glob
from gateway.mutation.conditioned import widened
from gateway.mutation.expressions import variants
from gateway.mutation.mutant import Mutant, World, about
from gateway.plan import AgentPlan, Condition, ToolPlan
from gateway.risk import RiskLevel

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.policy import Agent, Tool

_LEVELS = tuple(sorted(RiskLevel, key=lambda level: level.severity))


def settings(world: World) -> Iterator[Mutant]:
    """The next `confirm_from` above and below, where a tool lies between."""
    engine, written = world.engine, world.loaded.policy.settings
    if not written.given("confirm_from"):
        return
    place = written.where.span("confirm_from")
    for step in (1, -1):
        at = _LEVELS.index(engine.confirm_from) + step
        if not 0 < at < len(_LEVELS):
            continue
        level = _LEVELS[at]
        between = {
            name
            for name, tool in engine.tools.items()
            if (tool.risk >= level) is not (tool.risk >= engine.confirm_from)
        }
        if between:
            text = f"`confirm_from` is `{level.value}`"
            yield Mutant(
                f"settings/confirm_from:{level.value}",
                place,
                text,
                lambda to=level: engine.varied(confirm_from=to),  # type: ignore[misc]
                about(between),
            )


def agents(world: World) -> Iterator[Mutant]:
    """An agent that may use more tools, or fewer, for other tenants, in more steps."""
    for agent in world.loaded.policy.agents:
        planned = world.engine.agents[agent.name]
        yield from _bound(world, agent, planned)
        yield from _tenants(world, agent, planned)
        if agent.max_steps is not None:
            yield _agent(
                world, agent, "max_steps/remove", ("max_steps",), "`max_steps` is not there", max_steps=None
            )


def _agent(
    world: World, agent: Agent, what: str, key: tuple[str | int, ...], change: str, **values: Any
) -> Mutant:
    planned = world.engine.agents[agent.name]
    reach = frozenset({("agents", agent.name)})
    if "tools" in values:
        reach = about(planned.tools ^ values["tools"])
        values["view"] = {**planned.view, "tools": sorted(values["tools"])}

    def make() -> Engine:
        return world.engine.varied(agents={**world.engine.agents, agent.name: replace(planned, **values)})

    steps = agent.max_steps + 1 if agent.max_steps is not None and "max_steps" in values else 1
    place = agent.where.span(*key)
    return Mutant(f"agent/{agent.name}/{what}", place, change, make, reach, times=steps)


def _bound(world: World, agent: Agent, planned: AgentPlan) -> Iterator[Mutant]:
    known, patterns = world.loaded.compiled.declared, agent.tools
    # Tools that follow a mode are nobody's to be bound to.
    modes = frozenset(name for name, tool in world.engine.tools.items() if tool.mode is not None)
    seen = {planned.tools - modes}
    for index, pattern in enumerate(patterns):
        rest, wider = patterns[:index] + patterns[index + 1 :], widened(pattern)
        changes: list[tuple[str, str, tuple[str, ...]]] = []
        if any(not one.startswith("!") for one in rest):
            changes.append((f"tools/-{pattern}", f"`{pattern}` is left out of `tools`", rest))
        if wider is not None:
            text = f"`tools` has `{wider}` in place of `{pattern}`"
            changes.append((f"tools/{pattern}:{wider}", text, (*rest[:index], wider, *rest[index:])))
        for what, text, changed in changes:
            tools = bound_by(changed, known)
            if tools - modes in seen or _above(world, agent, tools):
                continue
            seen.add(tools - modes)
            yield _agent(world, agent, what, ("tools", index), text, tools=tools)


def _above(world: World, agent: Agent, tools: frozenset[str]) -> bool:
    """Whether a tool is above what the agent's `max_risk` promises: such a policy is not loaded."""
    most = agent.max_risk
    return most is not None and any(world.engine.tools[name].risk > most for name in tools)


def _tenants(world: World, agent: Agent, planned: AgentPlan) -> Iterator[Mutant]:
    if agent.tenants and "*" not in agent.tenants:
        every = (*planned.tenant_globs, Glob("*"))
        yield _agent(world, agent, "tenants:*", ("tenants",), "it is on for every tenant", tenant_globs=every)
    for index, tenant in enumerate(agent.tenants):
        globs = tuple(one for one in planned.tenant_globs if one.text != tenant)
        text = f"it is not on for `{tenant}`"
        yield _agent(
            world,
            agent,
            f"tenants/-{tenant}",
            ("tenants", index),
            text,
            tenants=planned.tenants - {tenant},
            tenant_globs=globs,
        )


def tools(world: World) -> Iterator[Mutant]:
    """A tool with less asked of whoever calls it."""
    for tool in world.loaded.policy.tools:
        planned = world.engine.tools[tool.name]
        yield from _tool(world, tool, planned, closed=tool.name not in world.open)


def _tool(world: World, tool: Tool, planned: ToolPlan, *, closed: bool) -> Iterator[Mutant]:
    def mutant(what: str, change: str, **values: Any) -> Mutant:
        key = what.partition("/")[0].partition(":")[0]
        place = tool.where.span(key if tool.given(key) else "name")
        reach = about([tool.name]) | {("reviewed", tool.name)}
        return Mutant(
            f"tool/{tool.name}/{what}",
            place,
            change,
            lambda: world.with_tools({tool.name: replace(planned, **values)}),
            reach,
        )

    if not planned.enabled:
        yield mutant("enabled/remove", "it is not switched off", enabled=True)
    if not planned.switch_on:
        yield mutant("switch/remove", "it needs no switch", switch_on=True)
    if closed:
        return  # nobody can call it, whatever else it says
    lower = _lower(planned.risk, world.engine.confirm_from)
    if lower is not None:
        view = {**planned.view, "risk": lower.value}
        yield mutant(f"risk:{lower.value}", f"`risk` is `{lower.value}`", risk=lower, view=view)
    for permission in planned.permissions:
        rest = tuple(one for one in planned.permissions if one != permission)
        yield mutant(
            f"permissions/-{permission}",
            f"the permission `{permission}` is not needed",
            permissions=rest,
            permission_set=frozenset(rest),
        )
    for index, resource in enumerate(planned.resource):
        rest_of = planned.resource[:index] + planned.resource[index + 1 :]
        text = resource.template.text
        yield mutant(f"resource_permissions/-{text}", f"`{text}` is not needed", resource=rest_of)
    if planned.channels is not None:
        yield mutant("channels/remove", "it can be called from every channel", channels=None)
    for requirement in planned.requires:
        rest = tuple(one for one in planned.requires if one != requirement)
        yield mutant(f"requires/-{requirement}", f"`{requirement}` is not required", requires=rest)
    for one in planned.inspected:
        if (tool.inspect or {}).get(one.argument) == one.kind:
            kept = tuple(each for each in planned.inspected if each is not one)
            yield mutant(f"inspect/-{one.argument}", f"`{one.argument}` is not inspected", inspected=kept)
    condition = planned.read_only_when
    if condition is not None:
        yield mutant("read_only_when/remove", "it never counts as reading", read_only_when=None)
        for variant in variants(condition.parsed):
            program = plan(variant.parsed, condition.environment)
            new = Condition(variant.parsed, program, condition.environment, condition.reads)
            yield mutant(f"read_only_when/{variant.id}", variant.change, read_only_when=new)


def _lower(risk: RiskLevel, confirm_from: RiskLevel) -> RiskLevel | None:
    """The highest lower level that makes a difference: below what is confirmed, or that of reading."""
    if risk is RiskLevel.READ_ONLY:
        return None
    return _LEVELS[_LEVELS.index(confirm_from) - 1] if risk >= confirm_from else RiskLevel.READ_ONLY


def overrides(world: World) -> Iterator[Mutant]:
    """An override that is not there."""
    known = world.engine.catalogue.overrides
    for override in world.loaded.policy.overrides:
        place = override.where.span().place
        gone = [one for one in known.get(override.tenant, ()) if one.place == place]
        if not gone:
            continue
        rest = {**known, override.tenant: tuple(one for one in known[override.tenant] if one not in gone)}
        names = ",".join(override.tools)
        yield Mutant(
            f"override/{override.tenant}/{names}/remove",
            override.where.span("tenant"),
            "the override is not there",
            lambda left=rest: world.with_overrides(left),  # type: ignore[misc]
            about({one.tool for one in gone}),
        )
