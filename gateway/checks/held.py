"""The parts of a policy that have a condition, with the tools for which they are in force and their cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from gateway.checks.cases import Case, Cases, Says, cases, contradiction, joined, opposite_cases, value_of
from gateway.checks.failing_condition import is_plain

if TYPE_CHECKING:
    from gateway.cel import Environment, Parsed
    from gateway.cel.domain import Domain
    from gateway.compile import Compiled
    from gateway.diagnostic import Span
    from gateway.plan import Condition as PlannedCondition
    from gateway.plan import ForcedPlan, LimitPlan, ResultPlan, RulePlan
    from gateway.policy import Condition, Part, Policy


@dataclass(frozen=True, slots=True)
class Held:
    """A part, the tools for which it may hold, what their conditions know, and its condition in canonical spelling."""

    part: Condition
    tools: tuple[str, ...]
    environments: tuple[Environment, ...]
    text: str
    conditions: tuple[tuple[PlannedCondition, Mapping[str, Any]], ...]
    """`when` and `unless` as they are held against calls of some tool, and what is known there."""

    @property
    def place(self) -> Span:
        """Where its condition stands."""
        return _place(self.part)

    @property
    def cases(self) -> Cases | None:
        """The cases in which its condition is true."""
        return cases(self.text)

    @property
    def opposite(self) -> Cases | None:
        """The cases in which its condition is false."""
        return opposite_cases(self.text)

    @property
    def may_fail(self) -> bool:
        """Whether its condition is an error for some call, which counts against the call but for allow rules."""
        from gateway.cel import outcomes

        return any(
            not is_plain(one) and outcomes(one.parsed, one.environment, known).may_error
            for one, known in self.conditions
        )

    def whole(self, names: Mapping[str, Any]) -> frozenset[str]:
        """Which of some expressions are whole numbers for every tool."""
        return frozenset(
            name for name in names if all(_is_whole(name, environment) for environment in self.environments)
        )

    def never(self, found: Cases) -> tuple[str, Says] | None:
        """Why none of some cases can be, of whichever tool: the expression that contradicts itself."""
        why: tuple[str, Says] | None = None
        for environment in self.environments:
            for case in found:
                why = _contradiction(case, environment)
                if why is None:
                    return None
        return why


def held(policy: Policy, compiled: Compiled) -> Iterator[Held]:
    """Every part that is in force for some tool; one that folding proves constant was told when it was loaded."""
    tools: dict[str, list[str]] = {}
    environments: dict[str, dict[int, Environment]] = {}
    conditions: dict[str, dict[tuple[int, int], tuple[PlannedCondition, Mapping[str, Any]]]] = {}
    for name, tool in compiled.engine.tools.items():
        plans: tuple[RulePlan | ForcedPlan | LimitPlan | ResultPlan, ...]
        plans = (*tool.forced, *tool.rules, *tool.limits, *tool.results)
        for plan in plans:
            tools.setdefault(plan.id, []).append(name)
            for condition in (plan.when, plan.unless):
                if condition is not None:
                    environment = condition.environment
                    environments.setdefault(plan.id, {}).setdefault(id(environment), environment)
                    key = id(condition.parsed), id(environment)
                    typed = compiled.typed.get(name)
                    read = condition, {} if typed is None else typed.known
                    conditions.setdefault(plan.id, {}).setdefault(key, read)
    lists = lists_of(policy)
    told = {one.span for one in compiled.engine.unready}
    for part in (*policy.arguments, *policy.rules, *policy.limits, *policy.results):
        if part.id in tools and _place(part) not in told:
            known = tuple(environments.get(part.id, {}).values())
            planned = tuple(conditions.get(part.id, {}).values())
            yield Held(part, tuple(tools[part.id]), known, canonical(part, lists), planned)


def _place(part: Condition) -> Span:
    return part.where.span("when" if part.when is not None else "unless" if part.unless is not None else "id")


def canonical(part: Condition, lists: Mapping[str, tuple[Any, ...]]) -> str:
    """`(when) && !(unless)` in one spelling, with the lists that it reads written out."""
    texts = (part.when or "", part.unless or "", *part.let.values())
    read = tuple((name, values) for name, values in lists.items() if any(name in text for text in texts))
    return _canonical(part.when, part.unless, tuple(part.let.items()), read)


@lru_cache(maxsize=4096)
def _canonical(
    when: str | None,
    unless: str | None,
    let: tuple[tuple[str, str], ...],
    lists: tuple[tuple[str, tuple[Any, ...]], ...],
) -> str:
    from gateway.cel import bind, parse
    from gateway.diagnostic import Excerpt

    parts = [] if when is None else [f"({when}\n)"]
    parts += [] if unless is None else [f"!({unless}\n)"]
    return spelled_again(bind(parse(Excerpt.whole(" && ".join(parts) or "true")), _names(let)), dict(lists))


def names_of(part: Part) -> Mapping[str, Parsed]:
    """What the names of a part's `let` stand for."""
    return _names(tuple(getattr(part, "let", {}).items()))


def _names(let: tuple[tuple[str, str], ...]) -> Mapping[str, Parsed]:
    from gateway.cel import bind, parse
    from gateway.diagnostic import Excerpt

    names: dict[str, Parsed] = {}
    for name, text in let:
        names[name] = bind(parse(Excerpt.whole(text)), dict(names))
    return names


def lists_of(policy: Policy) -> Mapping[str, tuple[Any, ...]]:
    """The constants of a policy, by name."""
    return {name: tuple(named.values) for name, named in policy.lists.items()}


def spelled_again(parsed: Parsed, lists: Mapping[str, tuple[Any, ...]]) -> str:
    """An expression in one spelling; empty where it is too long for one."""
    from gateway.cel import parse
    from gateway.diagnostic import Excerpt
    from gateway.relaxation.spelled import Unspellable, spelled

    try:
        # Names that were written out may make a chain inside a chain: spelled once more it is one.
        return spelled(parse(Excerpt.whole(spelled(parsed, lists))))
    except Unspellable:
        return ""


def _contradiction(case: Case, environment: Environment) -> tuple[str, Says] | None:
    """An expression of which a case and what is declared together say what no value is."""
    whole = frozenset(name for name in case if _is_whole(name, environment))
    declared = {name: says for name in case if (says := _declared(name, environment)) is not None}
    return contradiction(case, whole) or contradiction(joined(case, declared), whole)


def _is_whole(name: str, environment: Environment) -> bool:
    domain = _domain(name, environment)
    return domain is not None and bool(domain.forms) and domain.forms.keys() <= {"int", "uint"}


def _declared(name: str, environment: Environment) -> Says | None:
    """What schemas and settings say of an expression."""
    domain = _domain(name, environment)
    if domain is None or not domain.forms:
        return None
    if (listed := domain.listed) is not None:
        values = [value_of(value) for value in listed]
        return Says(among=frozenset(one for one in values if one is not None)) if None not in values else None
    if not domain.forms.keys() <= {"int", "uint", "double"}:
        return None
    ranges = [form.range for form in domain.forms.values()]
    lows = [(one.low, one.low_open) for one in ranges if one.low is not None]
    highs = [(one.high, not one.high_open) for one in ranges if one.high is not None]
    low = min(lows) if len(lows) == len(ranges) else None
    high = max(highs) if len(highs) == len(ranges) else None
    return Says(low=low, high=None if high is None else (high[0], not high[1]))


def _domain(name: str, environment: Environment) -> Domain | None:
    """What is known of a path such as `args.amount`, or of its size."""
    from gateway.cel.domain import of_type, sizes
    from gateway.cel.types import ObjectType

    if name.startswith("size(") and name.endswith(")"):
        inside = _domain(name[len("size(") : -1], environment)
        return None if inside is None else sizes(inside)
    if name.endswith(".size()"):
        inside = _domain(name.removesuffix(".size()"), environment)
        return None if inside is None else sizes(inside)
    first, *rest = name.split(".")
    type_ = environment.variables.get(first)
    domain = None
    for key in rest:
        field = type_.fields.get(key) if isinstance(type_, ObjectType) else None
        if field is None:
            return None
        type_, domain = field.type, field.domain or of_type(field.type)
    return domain
