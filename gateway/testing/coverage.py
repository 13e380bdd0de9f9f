"""How much of a policy its cases reach, and what they leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gateway.call import ToolCall
from gateway.compile.examples import example_variables, tool_of
from gateway.plan import RulePlan
from gateway.results.review import Review
from gateway.session import Session
from gateway.steps.listing import Listing
from gateway.steps.outcome import holds, watch
from gateway.testing.compare import ask
from gateway.testing.expected import ExpectedList, ExpectedReview
from gateway.testing.targets import Target, by_tool, targets
from gateway.testing.watcher import Reached, Watcher

if TYPE_CHECKING:
    from gateway.testing.case import Case
    from gateway.testing.loaded import Loaded


@dataclass(frozen=True, slots=True)
class Coverage:
    """The targets of a policy, each with whether some case reaches it."""

    covered: tuple[Target, ...]
    gaps: tuple[Target, ...]
    errors: dict[str, int] = field(default_factory=dict)
    """In how many cases the condition of a rule, limit or entry could not be evaluated."""

    @property
    def percent(self) -> float:
        """How much of what counts is reached; a policy with nothing in it is covered."""
        covered, total = self.count()
        return 100.0 if total == 0 else 100.0 * covered / total

    def count(self, kind: str | None = None) -> tuple[int, int]:
        """How many targets are reached, out of how many: of a kind, or of all that count."""
        covered = sum(_is(one, kind) for one in self.covered)
        return covered, covered + sum(_is(one, kind) for one in self.gaps)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of targets that there are."""
        found = {one.kind for one in (*self.covered, *self.gaps)}
        return tuple(kind for kind in _KINDS if kind in found)


_KINDS = ("rules", "tools", "permissions", "arguments", "limits", "results", "overrides", "patterns")


def _is(target: Target, kind: str | None) -> bool:
    return target.counts if kind is None else target.kind == kind


def coverage(loaded: Loaded, cases: Iterable[Case]) -> Coverage:
    """What the cases of a policy, and the examples in its rules, reach of it."""
    every = [*(reached(case) for case in cases), *example_reached(loaded)]
    together = frozenset[Reached]().union(*every)
    errors = Counter(
        name for one in every for kind, name, what in one if (kind, what) == ("condition", "error")
    )
    covered: list[Target] = []
    gaps: list[Target] = []
    for target in targets(loaded):
        (gaps if together.isdisjoint(target.by) else covered).append(target)
    return Coverage(tuple(covered), tuple(gaps), dict(sorted(errors.items())))


def reached(case: Case) -> frozenset[Reached]:
    """What a case reaches of its policy: it is decided as always, and watched."""
    watcher, loaded = Watcher(), case.loaded
    if isinstance(case.expected, ExpectedReview):
        watcher.reviewed(ToolCall.of(case.call or {}).name, _watched_review(case, watcher))
        watcher.reached.add(_asked(case))
        return frozenset(watcher.reached)
    answer = ask(case, loaded.gateway, watcher)
    if isinstance(answer, Listing) and isinstance(case.expected, ExpectedList):
        session = Session.of(case.session)
        loaded.clock.now = case.now
        try:
            tools = loaded.compiled.engine.catalogue.tools_of(session.tenant, loaded.clock())
        finally:
            loaded.clock.now = None
        watcher.listed(case.expected, answer, tools, session)
    watcher.reached.add(_asked(case))
    return frozenset(watcher.reached)


def _asked(case: Case) -> Reached:
    return ("agents", str(case.session.get("agent")), "asked")


def _watched_review(case: Case, watcher: Watcher) -> Review:
    loaded = case.loaded
    loaded.clock.now = case.now
    try:
        return loaded.gateway.anew().watched_review(case.call or {}, case.session, case.result, watcher)
    finally:
        loaded.clock.now = None


def example_reached(loaded: Loaded) -> Sequence[frozenset[Reached]]:
    """What the examples in rules reach, each for itself."""
    found: list[frozenset[Reached]] = []
    typed = loaded.compiled.typed
    for rule in loaded.policy.rules:
        if rule.examples is None:
            continue
        plans = by_tool(loaded, "rules", rule.id)
        for example in (*rule.examples.match, *rule.examples.no_match):
            name = tool_of(example, plans, typed)
            plan = None if name is None else plans[name]
            if name is None or not isinstance(plan, RulePlan) or typed[name].misread:
                continue
            arguments = typed[name].defaults(dict(example.args))
            variables = example_variables(example, name, arguments, typed[name])
            watcher = Watcher()
            watcher.evaluated(rule.id, holds(plan, variables)[0], watch(plan, variables))
            found.append(frozenset(watcher.reached))
    return found
