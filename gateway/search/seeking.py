"""Looks for a request of which something holds, among those that policies are likely to tell apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from gateway.cel.syntax import Binary, BinaryOperator, Literal, Parsed, Select
from gateway.frozen import frozen
from gateway.search.aiming import Aim
from gateway.search.drawing import Artist, Declared, Drawn, moments
from gateway.search.harvest import Pool, conditions, meaning, names_read, nodes, pool_of
from gateway.search.request import CALL_ID, Path, World
from gateway.search.results import looks_at_results, probe_of
from gateway.search.samples import examples_of
from gateway.search.seeing import Known
from gateway.session import SessionError

if TYPE_CHECKING:
    from gateway.plan import AgentPlan, Condition, ToolPlan
    from gateway.policy import TypeText
    from gateway.policy.rules import Example
    from gateway.sources import Assembled

Answer = TypeVar("Answer")
Test = Callable[[World], Answer | None]
"""Says of a request what is looked for, or None; it may raise `SessionError` where there is no such session."""
_NAMES = 24
"""How many names of a kind are tried; the first ones in the order of their text."""


@frozen
class Found:
    """A request, and what was looked for of it."""

    world: World
    answer: Any


class Source:
    """Requests that call one tool, as some policies know it; the same seed gives the same requests.

    `goals` are more conditions to aim at, beside those of the policies.
    """

    def __init__(
        self,
        sides: Sequence[Assembled],
        tool: str,
        now: datetime,
        seed: int = 0,
        *,
        goals: Sequence[Parsed] = (),
    ) -> None:
        self.tool = tool
        self.rng = Random(f"{seed}:{tool}")  # noqa: S311 - the same search each time
        self._plans = [
            (side, side.compiled.engine.tools[tool]) for side in sides if tool in side.compiled.engine.tools
        ]
        plans = [plan for _, plan in self._plans]
        self.pool = _pool(self._plans, goals)
        self._artist = Artist(
            _drawn(tool, self._plans),
            _declared(self._plans, now, names_read(plans, goals)),
            self.pool,
            self.rng,
        )
        self._known = [_known(side, plan) for side, plan in self._plans]
        self._goals = _goals(plans, goals)
        kinds = {looks_at_results(plan) for plan in plans}
        self._result = probe_of(plans) if len(kinds) > 1 else None

    def worlds(self) -> Iterator[World]:
        """Requests without end."""
        rng = self.rng
        while True:
            world = self._artist.world()
            if self._result is not None:
                world.values["result"] = deepcopy(self._result)
            for _ in range(rng.choice((0, 1, 1, 2, 3)) if self._goals.every else 0):
                self._aimed(world, rng.choice(self._goals.every))
            if self._goals.turned and rng.randrange(5):
                for goal in rng.sample(
                    self._goals.turned, k=min(len(self._goals.turned), rng.choice((1, 2, 2)))
                ):
                    self._aimed(world, goal)
            self._artist.grant_resources(world)
            yield world

    def _aimed(self, world: World, goal: _Goal) -> None:
        known = self._known[goal.side]
        Aim(world, self.rng, self.pool, known).at(goal.condition, wanted=self.rng.randrange(2) == 0)

    def find(self, test: Test[Answer], tries: int) -> Found | None:
        """The first request of which the test holds, made as simple as it can be; None after so many."""
        for _, world in zip(range(tries), self.worlds(), strict=False):
            answer = tested(test, world)
            if answer is not None:
                from gateway.search.simpler import simplest

                plain = self._artist.declared.moments[0]
                return simplest(world, test, answer, self._artist.drawn.texts, plain)
        return None


def tested(test: Test[Answer], world: World) -> Answer | None:
    """What the test says; a session that there can't be says nothing."""
    try:
        return test(world)
    except SessionError:
        return None


@frozen
class _Goal:
    side: int
    condition: Parsed


@frozen
class _Goals:
    """Conditions to aim at: all of them, and those that only one of the policies has."""

    every: tuple[_Goal, ...]
    turned: tuple[_Goal, ...]


def _goals(plans: Sequence[ToolPlan], more: Sequence[Parsed]) -> _Goals:
    every: list[_Goal] = []
    by_text: list[dict[str, _Goal]] = []
    for side, plan in enumerate(plans):
        texts: dict[str, _Goal] = {}
        for condition in conditions(plan):
            texts[meaning(condition.parsed)] = _Goal(side, condition.parsed)
        by_text.append(texts)
        every += texts.values()
    turned = [
        goal
        for side, texts in enumerate(by_text)
        for text, goal in texts.items()
        if any(text not in other for at, other in enumerate(by_text) if at != side)
    ]
    return _Goals(tuple(every), (*turned, *(_Goal(0, one) for one in more)))


_Plans = Sequence[tuple["Assembled", "ToolPlan"]]


def _pool(plans: _Plans, goals: Sequence[Parsed]) -> Pool:
    found = [plan for _, plan in plans]
    return pool_of(found, [_lists(side, plan) for side, plan in plans], goals)


def _lists(side: Assembled, plan: ToolPlan) -> Mapping[str, Any]:
    """The named constants that conditions of a tool may read."""
    return side.compiled.engine.lists if "lists" in plan.reads else {}


def _known(side: Assembled, plan: ToolPlan) -> Known:
    roles: dict[str, Path] = {}
    for role, paths in plan.roles.items():
        names = [("args", *path) for path in paths]
        for path in names:
            whole: Path = tuple(step for step in path if step is not None)
            roles.setdefault(role, whole)
    server, slash, name = plan.name.rpartition("/")
    call = {"id": CALL_ID, "tool": name, **({"server": server} if slash else {})}
    constants = {"tool": plan.view, "lists": side.compiled.engine.lists, "call": call}
    return Known(constants, roles)


def _drawn(tool: str, plans: _Plans) -> Drawn:
    inspected: dict[str, tuple[str, ...]] = {}
    for side, plan in plans:
        for one in plan.inspected:
            name = one.path[0] if one.path else None
            if name is not None and len(one.path) == 1:
                texts = examples_of(side, one.kind)
                inspected[name] = tuple(dict.fromkeys((*inspected.get(name, ()), *texts)))
    schemas = tuple(plan.schema for _, plan in plans)
    templates = tuple(_template(plan, each.template.parts) for _, plan in plans for each in plan.resource)
    given = tuple(dict(each.args) for side, _ in plans for each in _given(side, tool))
    return Drawn(tool, schemas, inspected, tuple(dict.fromkeys(templates)), given)


def _given(side: Assembled, tool: str) -> Iterator[Example]:
    """The calls that rules about a tool are shown by."""
    for part in (*side.policy.arguments, *side.policy.rules, *side.policy.limits):
        if part.examples is not None:
            for one in (*part.examples.match, *part.examples.no_match):
                if one.tool == tool or (one.tool is None and part.tools == (tool,)):
                    yield one


def _template(plan: ToolPlan, parts: Iterable[Any]) -> tuple[str | Path, ...]:
    found: list[str | Path] = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif part.root == "args":
            found.append(("args", *part.names))
        else:
            value: Any = plan.view if part.root == "tool" else plan.view.get("config", {})
            for name in part.names:
                value = value.get(name, "") if isinstance(value, Mapping) else ""
            found.append(str(value))
    return tuple(found)


def _declared(plans: _Plans, now: datetime, reads: frozenset[str]) -> Declared:
    tenants: dict[str, None] = {}
    agents: dict[str, list[AgentPlan]] = {}
    permissions: dict[str, None] = {}
    texts: dict[str, set[str]] = {"roles": set(), "permissions": set()}
    facts: dict[Path, str] = {}
    ends: set[datetime] = set()
    capabilities: set[str] = set()
    modes: set[str] = set()
    for side, plan in plans:
        engine = side.compiled.engine
        for agent in engine.agents.values():
            if plan.name in agent.tools or plan.mode is not None:
                agents.setdefault(agent.name, []).append(agent)
            for tenant in sorted(agent.tenants) + [glob.text for glob in agent.tenant_globs]:
                tenants[tenant.replace("*", "acme" if tenant == "*" else "x")] = None
        permissions.update(dict.fromkeys(plan.permissions))
        capabilities.update(plan.requires)
        modes.update(() if plan.mode is None else (plan.mode,))
        for tenant, overrides in engine.catalogue.overrides.items():
            about = [one for one in overrides if one.tool == plan.name]
            if about:
                tenants[tenant] = None
            ends.update(one.until.moment for one in about if one.until is not None)
            for one in about:
                permissions.update(dict.fromkeys(one.values.get("permissions") or ()))
        ends.update(rule.until.moment for rule in plan.rules if rule.until is not None)
        if engine.monitor_until is not None:
            ends.add(engine.monitor_until.moment)
        for condition in conditions(plan):
            _compared(condition, texts)
        for rule in plan.rules:
            tenants.update(dict.fromkeys(glob.text for glob in rule.selector.tenants or () if glob.exact))
        for part, fields in side.policy.settings.types.items():
            for name, type_ in fields.items():
                facts[(*str(part).split("."), name)] = _spelled(type_)
    return Declared(
        tuple(tenants)[:_NAMES],
        {name: _homes(agents[name], tenants) for name in list(agents)[:_NAMES]},
        tuple(permissions),
        tuple(sorted(texts["permissions"] - permissions.keys()))[:_NAMES],
        tuple(sorted(texts["roles"]))[:_NAMES],
        tuple(sorted(capabilities)),
        tuple(sorted(modes)),
        facts,
        moments(now, sorted(ends)),
        reads,
    )


def _homes(agents: Sequence[AgentPlan], tenants: Iterable[str]) -> tuple[str, ...]:
    """Tenants for which the agents are on in some of the policies."""
    named = [tenant for agent in agents for tenant in sorted(agent.tenants)]
    every = dict.fromkeys((*tuple(tenants)[:_NAMES], *named))
    return tuple(name for name in every if any(agent.on_for(name) for agent in agents))[:_NAMES]


def _compared(condition: Condition, texts: Mapping[str, set[str]]) -> None:
    """Note the names that a condition looks for among the roles and permissions of a subject."""
    for node in nodes(condition.parsed):
        if not isinstance(node, Binary) or node.operator is not BinaryOperator.IN:
            continue
        if (
            isinstance(node.left, Literal)
            and isinstance(node.left.value, str)
            and isinstance(node.right, Select)
        ):
            texts.get(node.right.field, set()).add(node.left.value)


def _spelled(type_: TypeText) -> str:
    inside = ", ".join(map(_spelled, type_.parameters))
    return f"{type_.name}({inside})" if inside else type_.name
