"""What the conditions of one decision may take together: many that are dear each would add up to seconds.

Where a tool's conditions are certainly small, as they are for the arguments of most calls, nothing is counted. What
that depends on is the call and its session alone, so that a decision is the same however often it was made before.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from gateway.call import MAX_ITEMS, MAX_TEXT
from gateway.cel.budget import MAX_STEPS, Purse
from gateway.cel.costs.plain import plain_steps
from gateway.frozen import frozen

if TYPE_CHECKING:
    from gateway.cel.costs.bound import Limit
    from gateway.cel.environment import Environment
    from gateway.cel.reads import Read
    from gateway.plan import Condition, ToolPlan
    from gateway.steps.deciding import Deciding

DECISION_STEPS = 3 * MAX_STEPS
"""How many steps the conditions of a decision may take that are not certainly small."""

_RUNGS = (
    (2 * MAX_TEXT, 2 * MAX_ITEMS),
    (2**20, 2**14),
    (2**17, 2**12),
    (2**14, 2**10),
    (2**12, 2**8),
    (2**10, 2**6),
)
"""Characters and elements of a value, within which the conditions of a tool may be certainly small."""
_CONSTANT = frozenset({"lists", "now"})
"""Variables of which the policy says all."""


@frozen
class Work:
    """Where all conditions of a tool together take no more than one may: `always`, or for values within a rung.

    `arguments` are the arguments that have to be looked at for that, None for all of them; `others` are variables.
    """

    always: bool
    rung: tuple[int, int] | None = None
    arguments: tuple[str, ...] | None = ()
    others: frozenset[str] = frozenset()

    def small_for(self, variables: Mapping[str, Any]) -> bool:
        """Whether the conditions are certainly small for the variables that they read, as these are now."""
        rung = self.rung
        if self.always or rung is None:
            return self.always
        if not all(fits(variables[name], rung) for name in self.others if name in variables):
            return False
        arguments = variables.get("args", {})
        if self.arguments is None:
            return fits(arguments, rung)
        return all(fits(arguments[name], rung) for name in self.arguments if name in arguments)


SMALL = Work(always=True)
"""The work of a tool without conditions."""


class Bounds:
    """What conditions take at most, worked out once for all tools that agree in what a condition reads."""

    def __init__(self) -> None:
        self._reads: dict[int, tuple[Condition, Read]] = {}
        self._found: dict[tuple[int, Hashable], tuple[Environment, float]] = {}

    def of(self, condition: Condition) -> float:
        """The steps that a condition takes at most, whatever the call holds."""
        from gateway.cel.costs.bound import bound
        from gateway.cel.reads import read_of

        name = id(condition.parsed)
        known = self._reads.get(name)
        if known is None:
            # What has a name here is kept beside it, so that nothing else gets its name.
            known = self._reads[name] = (condition, read_of((condition.parsed,)))
        key = (name, known[1].alike(condition.environment))
        found = self._found.get(key)
        if found is None:
            steps = bound(condition.parsed, condition.environment, limits(condition.reads)).steps
            found = self._found[key] = (condition.environment, steps)
        return found[1]


def work_of(tool: ToolPlan, known: Bounds | None = None) -> Work:
    """The work of a tool's rules and limits and of its `read_only_when`; what was worked out before is `known`."""
    if not tool.rules and not tool.limits and tool.read_only_when is None:
        return SMALL
    every = [tool.read_only_when, *(rule.when for rule in tool.rules), *(rule.unless for rule in tool.rules)]
    for limit in tool.limits:
        every += limit.conditions
    as_called = not tool.forced and tool.wraps is None and not tool.defaults.any
    left, rate = MAX_STEPS, 0.0
    growing, dear = [], []
    for condition in every:
        if condition is not None:
            plain = plain_steps(condition.parsed)
            if plain is None:
                dear.append(condition)
                continue
            left -= plain.steps
            rate += plain.characters
            if plain.characters:
                growing.append(condition)
    if left < 0 or not (dear or growing):
        return Work(left >= 0)
    if not dear:
        for rung in _RUNGS[:3]:
            if rate * rung[0] <= left:
                return _within(rung, growing, as_called=as_called)
    for condition in growing:
        plain = plain_steps(condition.parsed)
        left += plain.steps if plain is not None else 0
    return _work(left, dear + growing, known or Bounds(), as_called=as_called)


def _work(left: int, conditions: list[Condition], known: Bounds, *, as_called: bool) -> Work:
    """The work of conditions that have to be looked into, where so many steps are left."""
    from gateway.cel.costs.bound import bound

    dear = []
    for condition in conditions:
        steps = known.of(condition)
        if steps <= MAX_STEPS:
            left -= int(steps)
        else:
            dear.append(condition)
    if left < 0 or not dear:
        return Work(left >= 0)
    reads = frozenset[str]().union(*(condition.reads for condition in dear))
    for rung in _RUNGS:
        most = limits(reads, *rung)
        if sum(bound(one.parsed, one.environment, most).steps for one in dear) <= left:
            return _within(rung, dear, as_called=as_called)
    return Work(always=False)


def _within(rung: tuple[int, int], conditions: list[Condition], *, as_called: bool) -> Work:
    """The work of conditions that are small within a rung; arguments that are used `as_called` are within the first."""
    from gateway.cel.costs.reading import arguments_read

    reads = frozenset[str]().union(*(condition.reads for condition in conditions)) - _CONSTANT
    if rung is _RUNGS[0] and as_called and reads <= {"args"}:
        return SMALL
    names: dict[str, None] = {}
    whole = False
    for condition in conditions:
        more, all_of_them = arguments_read(condition.parsed)
        names.update(dict.fromkeys(more))
        whole = whole or all_of_them
    return Work(False, rung, None if whole else tuple(names), reads - {"args"})


_SETS = {"subject": frozenset({"roles", "permissions"}), "session": frozenset({"capabilities"})}
_FITTING = frozenset({"args", "roles", "lists"})
"""Variables that have passed the tool's schema, or are the policy's own."""


def limits(
    names: Iterable[str], characters: float = float("inf"), items: float = float("inf")
) -> Mapping[str, Limit]:
    """What is known of variables of which each has so many characters and elements."""
    from gateway.cel.costs.bound import Limit

    return {
        name: Limit(
            inf if name in _CONSTANT else characters,
            inf if name in _CONSTANT else items,
            plain=name in _FITTING,
            sets=_SETS.get(name, frozenset()),
        )
        for name in names
    }


def fits(value: Any, rung: tuple[int, int]) -> bool:
    """Whether a value has no more than so many characters, and elements and entries, at every depth.

    Classes of hosts that are none of JSON's are not looked into: they do not fit.
    """
    characters, items = rung
    pending = [value]
    while pending:
        current = pending.pop()
        kind = type(current)
        if kind in _SMALL:
            continue
        if kind is str or kind is bytes:
            characters -= len(current)
        elif kind in _LISTS or isinstance(current, Mapping):
            items -= len(current)
            if items < 0:
                return False
            pending.extend(current)
            if kind not in _LISTS:
                pending.extend(current.values())
        else:
            return False
    return characters >= 0 and items >= 0


_SMALL = frozenset({int, float, bool, type(None)})
_LISTS = frozenset({list, tuple, set, frozenset})


def purse_of(ctx: Deciding) -> Purse:
    """The steps that are left to a decision, the calls that are wrapped in its call included."""
    if ctx.purse is None:
        ctx.purse = Purse(DECISION_STEPS)
    return ctx.purse


def counted(ctx: Deciding, variables: Mapping[str, Any]) -> Purse | None:
    """What the conditions of the call are paid for from; None where they are certainly small."""
    if ctx.counts is None:
        work = ctx.engine.work(ctx.tool)
        ctx.counts = not work.always and not work.small_for(variables)
    return purse_of(ctx) if ctx.counts else None
