"""Which rules hold for every call that another rule holds for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gateway.checks.cases import MACROS, Case, Cases, follows, loops_within
from gateway.checks.held import Held, held
from gateway.glob import select
from gateway.policy import Rule
from gateway.relaxation.globs import beyond
from gateway.session import Channel

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from gateway.compile import Compiled
    from gateway.policy import Policy


@dataclass(frozen=True)
class Ruled:
    """A rule with the tools, agents and channels that it is about, as sets of bits, and its condition."""

    rule: Rule
    held: Held
    place: int
    tools: int
    agents: int
    channels: int

    @property
    def text(self) -> str:
        """Its condition in canonical spelling."""
        return self.held.text

    @cached_property
    def cases(self) -> Cases:
        """The cases in which it holds; none where they can't be told, or where it never does."""
        found = self.held.cases or ()
        return () if found and self.held.never(found) is not None else found

    @cached_property
    def whole(self) -> frozenset[str]:
        """What it compares that is a whole number."""
        return self.held.whole({name: says for case in self.cases for name, says in case.items()})

    def about(self, other: Ruled) -> bool:
        """Whether it is about every tool and session that another rule is about."""
        if other.tools & ~self.tools or other.agents & ~self.agents or other.channels & ~self.channels:
            return False
        mine, its = self.rule.tenants, other.rule.tenants
        return mine is None or (its is not None and not beyond(mine, its))

    def covers(self, other: Ruled) -> bool:
        """Whether it holds for each call that another rule holds for."""
        return (
            self.about(other)
            and bool(self.cases and other.cases)
            and (follows(other.cases, self.cases, other.whole) or loops_within(other.text, self.text))
        )


def ruled(policy: Policy, compiled: Compiled) -> list[Ruled]:
    """The rules that are in force, in the order in which they are written."""
    bits = {name: 1 << place for place, name in enumerate(compiled.engine.tools)}
    agents = {name: 1 << place for place, name in enumerate(compiled.engine.agents)}
    found: list[Ruled] = []
    for place, one in enumerate(held(policy, compiled)):
        rule = one.part
        if isinstance(rule, Rule):
            of = agents if rule.agents is None else select(rule.agents, agents)
            channels = sum(1 << list(Channel).index(channel) for channel in set(rule.channels or Channel))
            tools = sum(bits[name] for name in one.tools)
            found.append(Ruled(rule, one, place, tools, sum(agents[name] for name in of), channels))
    return found


NEAR = 32
"""To how many rules a rule is compared, at most, of the widest and of those hardly wider than itself, by handle."""


def covered(rules: list[Ruled], may: Callable[[Ruled, Ruled], bool]) -> Iterator[tuple[Ruled, Ruled]]:
    """Each rule with the first other one that covers it and may do so; where very many could, with one of them.

    Comparing each with each would take minutes where a tool has thousands of rules about one argument.
    """
    index: dict[Hashable, list[Ruled]] = {}
    for one in rules:
        for handle in dict.fromkeys(handle for case in one.cases for handle in _handles(case)):
            index.setdefault(handle, []).append(one)
    widest = {handle: _Widest(found) for handle, found in index.items()}
    for one in rules:
        tried = {one.place}
        for other in (
            other for probe in _probes(one.cases) if probe in index for other in widest[probe].near(one)
        ):
            if other.place in tried:
                continue
            tried.add(other.place)
            if other.about(one) and may(one, other) and other.covers(one) and not same(one, other):
                yield one, other
                break


class _Widest:
    """Rules with a handle in common, from those that say the least to those that say the most."""

    def __init__(self, rules: list[Ruled]) -> None:
        self._written = rules
        self._sorted = sorted(rules, key=width) if len(rules) > 2 * NEAR else []
        self._keys = [width(one) for one in self._sorted]

    def near(self, one: Ruled) -> list[Ruled]:
        """Those that are compared to a rule, in the order in which they are written."""
        if not self._sorted:
            return self._written
        at = bisect_right(self._keys, width(one))
        found = {each.place: each for each in (*self._sorted[:NEAR], *self._sorted[max(at - NEAR, 0) : at])}
        return [found[place] for place in sorted(found)]


def width(one: Ruled) -> tuple[int, int, float]:
    """The less, the more calls a rule is likely to hold for: how much its cases say, and how tight the bounds are."""
    bounds = 0.0
    for case in one.cases:
        for says in case.values():
            bounds += (says.low[0] if says.low else 0) - (says.high[0] if says.high else 0)
    return (max(map(len, one.cases), default=0), -len(one.cases), bounds)


def _handles(case: Case) -> list[Hashable]:
    """What is within a case has for certain one of these: a constant for an expression, or an expression."""
    name = min(case, key=lambda name: (case[name].among is None, "args." in name, name), default=None)
    if name is None:
        return [None]
    if any(macro in name for macro in MACROS):
        return [MACROS]
    among = case[name].among
    return [name] if among is None else [(name, value) for value in among]


def _probes(cases: Cases) -> Iterator[Hashable]:
    """The handles of the cases that the first of some cases may be within."""
    yield None
    if any(macro in name for case in cases for name in case for macro in MACROS):
        yield MACROS
    for name, says in cases[0].items() if cases else ():
        yield name
        for value in sorted(says.among or (), key=str)[:1]:
            yield name, value


def same(one: Ruled, other: Ruled) -> bool:
    """Whether two rules do the same to the same calls."""
    mine, its = one.rule, other.rule
    return (
        (one.tools, one.agents, one.channels) == (other.tools, other.agents, other.channels)
        and all(getattr(mine, key) == getattr(its, key) for key in _DOES)
        and demands(mine) == demands(its)
        and one.covers(other)
        and other.covers(one)
    )


def demands(rule: Rule) -> dict[str, Any] | None:
    """Who must agree to a call, and for how long that counts."""
    return None if rule.approval is None else rule.approval.model_dump()


_DOES = ("effect", "monitor", "tenants", "until", "lifts", "response", "context")
