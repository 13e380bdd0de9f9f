"""What rules, limits and entries have in common: a condition, the sessions that they are about, and their tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gateway.cel import BOOL, Environment, Outcome, Parsed, Program, check, plan
from gateway.compile.conditions import possible
from gateway.decision import Effect
from gateway.glob import Glob, select_governed
from gateway.mutation.expressions import variants
from gateway.mutation.mutant import Mutant, Part, World, about, with_section
from gateway.plan import EVERY_SESSION, Condition, RulePlan, Selector
from gateway.steps.rules import finding_of

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.policy import Condition as Written

_CONDITIONS = ("when", "unless")


class Changing:
    """Makes the mutants of one part of the policy."""

    def __init__(self, world: World, section: str, kind: str, written: Written) -> None:
        self.world = world
        self.section = section
        self.name = written.id
        self.head = f"{kind}/{written.id}"
        self.written = written
        self.times = 1
        """How often a call has to come before its changes can show."""
        self.seen: set[frozenset[str]] = set()
        """What it has been about, so that no two mutants are the same."""
        self.plans: Mapping[str, Any] = world.plans(section, written.id)
        self.reach: frozenset[Part] = frozenset({("condition", self.name)}) | frozenset(
            ("listed", tool) for tool in self.plans
        )
        if section == "results":
            # A wrapped call's result is reviewed as one of the tool that wraps it: its entries are asked there.
            asked: Part = ("condition", self.name)
            self.reach = frozenset((asked, *(("reviewed", tool) for tool in self.plans)))

    def mutant(
        self,
        what: str,
        key: tuple[str | int, ...],
        change: str,
        make: Callable[[], Engine],
        reach: frozenset[Part] | None = None,
    ) -> Mutant:
        """A mutant of the part; `key` leads to what of it is changed."""
        rule = self.name if self.section == "rules" else ""
        place = self.written.where.span(*key)
        return Mutant(f"{self.head}/{what}", place, change, make, reach or self.reach, rule, self.times)

    def each(self, change: Callable[[Any], Any | None]) -> Callable[[], Engine]:
        """The engine with the part changed alike for each of its tools."""
        return lambda: self.world.with_part(self.section, self.name, lambda _, one: change(one))

    def setting(self, **values: Any) -> Callable[[], Engine]:
        """The engine with some values of the part set for each of its tools."""
        return self.each(lambda one: with_values(one, **values))

    @property
    def some(self) -> Any:
        """The part as it applies to one of its tools."""
        return next(iter(self.plans.values()))

    def common(self) -> Iterator[Mutant]:
        """The mutants that every part has."""
        if not self.plans:
            return
        yield self.mutant("remove", ("id",), f"`{self.name}` is not there", self.each(lambda _: None))
        yield from self._conditions()
        yield from self._sessions()
        yield from self._tools()

    def _conditions(self) -> Iterator[Mutant]:
        first = self.some
        for key in _CONDITIONS:
            condition: Condition | None = getattr(first, key)
            if condition is None:
                continue
            text = f"`{key}` is not there"
            yield self.mutant(f"{key}/remove", (key,), text, self.setting(**{key: None}))
            for variant in variants(condition.parsed):
                if variant.id.startswith("let-") and key == "unless" and first.when is not None:
                    continue  # a name that both conditions may read is changed for both, once
                made = self._condition(key, variant.id, variant.parsed)
                rule = self.name if self.section == "rules" else ""
                head = self.head if variant.id.startswith("let-") else f"{self.head}/{key}"
                yield Mutant(
                    f"{head}/{variant.id}", variant.place, variant.change, made, self.reach, rule, self.times
                )

    def _condition(self, key: str, variant: str, parsed: Parsed) -> Callable[[], Engine]:
        """The engine with another condition; parts that both conditions read are changed in both."""

        def make() -> Engine:
            programs: dict[tuple[int, int], Program] = {}

            def program(one: Condition, new: Parsed) -> Condition:
                # Where tools share one program they share the new one.
                known = (id(one.program), id(new))
                if known not in programs:
                    programs[known] = plan(new, one.environment)
                return Condition(new, programs[known], one.environment, one.reads)

            def change(one: Any) -> Any:
                made: dict[str, Any] = {key: program(getattr(one, key), parsed)}
                other = one.unless if key == "when" else None
                if variant.startswith("let-") and other is not None:
                    same = next((each.parsed for each in variants(other.parsed) if each.id == variant), None)
                    if same is not None:
                        made["unless"] = program(other, same)
                return with_values(one, **made)

            return self.world.with_part(self.section, self.name, lambda _, one: change(one))

        return make

    def _sessions(self) -> Iterator[Mutant]:
        written = self.written
        for key in ("tenants", "agents", "channels"):
            values = getattr(written, key)
            if values is None or getattr(self.some.selector, key) is None:
                continue
            if key == "tenants" and self._for_every_tenant():
                continue
            text = f"`{key}` is not there"
            yield self.mutant(f"{key}/remove", (key,), text, self.setting(selector=self._selector(key, None)))
            for index, value in enumerate(values if len(values) > 1 else ()):
                rest = values[:index] + values[index + 1 :]
                name = getattr(value, "value", value)
                yield self.mutant(
                    f"{key}/-{name}",
                    (key, index),
                    f"`{name}` is left out of `{key}`",
                    self.setting(selector=self._selector(key, rest)),
                )

    def _for_every_tenant(self) -> bool:
        """Whether all tenants that an agent is on for are those that it names: without them it is the same."""
        agents = self.world.engine.agents.values()
        globs = self.some.selector.tenants
        return not any(agent.tenant_globs for agent in agents) and all(
            any(glob.matches(tenant) for glob in globs) for agent in agents for tenant in agent.tenants
        )

    def _selector(self, key: str, values: tuple[Any, ...] | None) -> Selector:
        """The sessions that it is about, with other values under a key."""
        made: Any = values
        if values is not None:
            made = frozenset(values) if key == "channels" else tuple(Glob(value) for value in values)
        parts: dict[str, Any] = {key: made}
        selector: Selector = replace(self.some.selector, **parts)
        return EVERY_SESSION if selector == EVERY_SESSION else selector

    def _tools(self) -> Iterator[Mutant]:
        known = self.world.loaded.compiled.declared
        patterns = self.written.tools
        self.seen = {frozenset(self.plans)}
        for index, pattern in enumerate(patterns):
            rest = patterns[:index] + patterns[index + 1 :]
            if any(not one.startswith("!") for one in rest):
                text = f"`{pattern}` is left out of `tools`"
                yield from self._about(f"tools/-{pattern}", ("tools", index), text, rest)
            wider = widened(pattern)
            if wider is not None:
                text = f"`tools` has `{wider}` in place of `{pattern}`"
                more = (*patterns[:index], wider, *patterns[index + 1 :])
                yield from self._about(f"tools/{pattern}:{wider}", ("tools", index), text, more)
        if self.written.risk is not None and select_governed(patterns, known) != frozenset(self.plans):
            yield from self._about("risk/remove", ("risk",), "`risk` is not there", patterns, risky=False)

    def _about(
        self,
        what: str,
        key: tuple[str | int, ...],
        change: str,
        patterns: tuple[str, ...],
        *,
        risky: bool = True,
    ) -> Iterator[Mutant]:
        """A mutant that is about other tools, if any of them can have it."""
        declared, risk = self.world.loaded.compiled.declared, self.written.risk
        names = select_governed(patterns, declared)
        if risky and risk is not None:
            names = frozenset(name for name in names if risk.holds(declared[name].risk))
        lost = frozenset(self.plans) - names
        gained = {
            name: new
            for name in sorted((names & self.world.open) - self.plans.keys())
            if (new := self._for(name)) is not None
        }
        tools = frozenset({*self.plans.keys() - lost, *gained})
        if tools in self.seen:
            return
        self.seen.add(tools)
        changed = {name: self._without(name) for name in sorted(lost)}
        for name, new in gained.items():
            tool = self.world.engine.tools[name]
            plans = sorted((*getattr(tool, self.section), new), key=lambda one: one.id)
            reads = frozenset().union(*(one.reads for one in (new.when, new.unless) if one is not None))
            with_it = with_section(tool, self.section, plans)
            changed[name] = replace(with_it, reads=tool.reads | reads, result_reads=tool.result_reads | reads)
        touched = frozenset(changed)
        reach = about(touched)
        if self.section == "results":
            reach = frozenset(("reviewed", name) for name in touched)
        yield self.mutant(what, key, change, lambda: self.world.with_tools(changed), reach)

    def _without(self, name: str) -> Any:
        tool = self.world.engine.tools[name]
        kept = [one for one in getattr(tool, self.section) if one.id != self.name]
        return with_section(tool, self.section, kept)

    def _for(self, name: str) -> Any | None:
        """The part as it would apply to another tool; None where its conditions mean nothing there."""
        typed = self.world.loaded.compiled.typed
        some = self.some
        made: dict[str, Any] = {}
        if self.section == "forced":
            return None  # what is set differs from tool to tool
        for key in _CONDITIONS:
            condition: Condition | None = getattr(some, key)
            if condition is not None:
                environment: Environment = typed[name].environment
                if check(condition.parsed, environment, expects=BOOL).diagnostics:
                    return None
                program = plan(condition.parsed, environment)
                made[key] = Condition(condition.parsed, program, environment, condition.reads)
        moved = with_values(some, **made)
        outcomes = possible(moved.when, moved.unless, typed[name].known)
        counts = (
            Outcome.TRUE in outcomes
            if getattr(some, "effect", None) is Effect.ALLOW
            else outcomes != {Outcome.FALSE}
        )
        return moved if counts else None


def widened(pattern: str) -> str | None:
    """A pattern for more tools: all with the same beginning, or all of them."""
    if pattern.startswith("!") or pattern in ("*", "*/*"):
        return None
    head, slash, name = pattern.rpartition("/")
    if "*" in name:
        return f"{head}{slash}*"
    first, line, _ = name.partition("_")
    return f"{head}{slash}{first}_*" if line else f"{head}{slash}*"


def with_values(one: Any, **changes: Any) -> Any:
    """A plan with other values, and with what is worked out from them."""
    new = replace(one, **changes)
    if not isinstance(new, RulePlan):
        return new
    alone = new.unless is None and new.until is None and new.selector == EVERY_SESSION
    only = new.when.program if new.when is not None and alone else None
    new = replace(new, only_when=only)
    return replace(new, finding=None if new.effect is Effect.ALLOW else finding_of(new))
