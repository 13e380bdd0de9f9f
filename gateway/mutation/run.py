"""Each mutant is put to the cases that reach what was changed; those that no case notices survive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from gateway.cel import Outcome
from gateway.compile.examples import example_variables, tool_of
from gateway.diagnostic import Diagnostic, Severity, suggest
from gateway.mutation.killing import killing
from gateway.mutation.mutant import Mutant, Part
from gateway.mutation.mutants import mutants
from gateway.runtime import Gateway
from gateway.steps.outcome import holds
from gateway.testing.compare import ask, differences
from gateway.testing.coverage import reached
from gateway.testing.loaded import list_as_pinned

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.plan import RulePlan
    from gateway.policy import Example
    from gateway.testing.case import Case
    from gateway.testing.form import EquivalentPart
    from gateway.testing.loaded import Loaded


@dataclass(frozen=True, slots=True)
class Survivor:
    """A change of the policy that no case notices, and how many cases reach what was changed."""

    mutant: Mutant
    reached: int
    case: str | None = None
    """A case that would notice it, as a line of a test file; None where none was found."""
    searched: bool = True
    """Whether a case was looked for."""

    @property
    def finding(self) -> Diagnostic:
        """The change, where it is made."""
        return Diagnostic(
            "unnoticed-change",
            f"{self.mutant.change}, and no case notices ({self.mutant.id})",
            self.mutant.place,
            f"add a case that would: {self.case}" if self.case is not None else "add a case that would",
            severity=Severity.WARNING,
        )


@dataclass(frozen=True, slots=True)
class Survivors:
    """What came of all mutants."""

    tried: int
    survived: tuple[Survivor, ...]
    equivalent: int
    """How many survive and are marked, with a reason, as making no difference."""
    unused: tuple[Diagnostic, ...]
    """Marks of mutants that are noticed, or that there are none of."""

    @property
    def noticed(self) -> int:
        """How many mutants some case notices."""
        return self.tried - len(self.survived) - self.equivalent


_MOST_SEARCHED = 100


def survivors(
    loaded: Loaded,
    cases: Sequence[Case],
    marks: Iterable[EquivalentPart] = (),
    *,
    rule: str | None = None,
    limit: int | None = None,
    searched: int = _MOST_SEARCHED,
) -> Survivors:
    """The mutants that none of the cases notices; every case must pass on the policy itself.

    `rule` names a rule, or another part by its id or name, to which it is confined; `limit` is how many are tried, and
    `searched` for how many of those that survive a case is looked for.
    """
    chosen = (one for one in mutants(loaded) if rule is None or rule in _names(one))
    by_part = _by_part(cases)
    equivalent = {mark.mutant: mark for mark in marks}
    left: list[Survivor] = []
    tried, marked, ids = 0, set[str](), set[str]()
    for mutant in islice(chosen, limit):
        tried += 1
        ids.add(mutant.id)
        reaching = cases if mutant.reach is None else _reaching(mutant.reach, by_part, cases)
        if _noticed(mutant, loaded, reaching):
            continue
        if mutant.id in equivalent:
            marked.add(mutant.id)
        else:
            looked = len(left) < searched
            case = killing(mutant, loaded) if looked else None
            left.append(Survivor(mutant, len(reaching), case, looked))
    whole = rule is None and limit is None
    unused = [
        _unused(mark, ids)
        for name, mark in equivalent.items()
        if name not in marked and (whole or name in ids)
    ]
    return Survivors(tried, tuple(left), len(marked), tuple(unused))


def _names(mutant: Mutant) -> tuple[str, ...]:
    return tuple(mutant.id.split("/")[:2])


def _by_part(cases: Sequence[Case]) -> dict[Part, set[int]]:
    found: dict[Part, set[int]] = {}
    for index, case in enumerate(cases):
        for kind, name, _ in reached(case):
            found.setdefault((kind, name), set()).add(index)
    return found


def _reaching(reach: Iterable[Part], by_part: dict[Part, set[int]], cases: Sequence[Case]) -> Sequence[Case]:
    indices = set[int]().union(*(by_part.get(part, ()) for part in reach))
    return [cases[index] for index in sorted(indices)]


def _noticed(mutant: Mutant, loaded: Loaded, cases: Iterable[Case]) -> bool:
    """Whether some case, or some example of the rule, comes to something else."""
    engine = mutant.make()
    if mutant.rule and _examples_differ(mutant.rule, loaded, engine):
        return True
    gateway = Gateway(engine, loaded.gateway.manifest, clock=loaded.clock)
    list_as_pinned(gateway, loaded.policy)
    return any(next(differences(case.expected, ask(case, gateway)), None) is not None for case in cases)


def _examples_differ(name: str, loaded: Loaded, engine: Engine) -> bool:
    rule = next(one for one in loaded.policy.rules if one.id == name)
    if rule.examples is None:
        return False
    plans = {tool.name: one for tool in engine.tools.values() for one in tool.rules if one.id == name}
    return any(
        _differs(example, plans, loaded, wanted)
        for examples, wanted in ((rule.examples.match, Outcome.TRUE), (rule.examples.no_match, Outcome.FALSE))
        for example in examples
    )


def _differs(example: Example, plans: dict[str, RulePlan], loaded: Loaded, wanted: Outcome) -> bool:
    typed = loaded.compiled.typed
    name = tool_of(example, plans, typed)
    if name is None or typed[name].misread:
        return False
    arguments = typed[name].defaults(dict(example.args))
    variables = example_variables(example, name, arguments, typed[name])
    return holds(plans[name], variables)[0] is not wanted


def _unused(mark: EquivalentPart, ids: Iterable[str]) -> Diagnostic:
    known = mark.mutant in ids
    near = [] if known else suggest(mark.mutant, ids)
    why = "a case notices it" if known else "there is no such mutant"
    return Diagnostic(
        "unused-mark",
        f"the mark of `{mark.mutant}` is of no use: {why}",
        mark.where.span("mutant"),
        f"did you mean `{near[0]}`?" if near else "remove it",
    )
