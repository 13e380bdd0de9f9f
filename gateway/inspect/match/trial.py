"""Tries patterns: their conditions made into functions, each when it is first tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gateway.inspect.match import deeds, words
from gateway.inspect.match.evidence import Evidence, Held, Test
from gateway.inspect.match.view import View
from gateway.inspect.pattern import (
    After,
    AllOf,
    AnyOf,
    Condition,
    Every,
    Not,
    Operand,
    Pattern,
    Performs,
    Sql,
    Url,
    branches,
    programs,
)

# How many commands are looked back at.
_FURTHEST = 200


class Trial:
    """A pattern whose conditions are made into functions, each when it is first tried."""

    __slots__ = ("_made", "_unless", "branches", "pattern")

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self.branches = branches(pattern.match)
        self._made: list[Test | None] = [None] * len(self.branches)
        self._unless: Test | None = None

    def held(self, view: View, among: Iterable[int]) -> Held:
        """What speaks for the pattern by some of its branches, if one holds and its exception does not."""
        found: list[tuple[Evidence, ...]] = []
        for at in among:
            test = self._made[at]
            if test is None:
                test = self._made[at] = test_of(self.branches[at])
            view.skipped = 0
            evidence = test(view)
            if evidence is None:
                continue
            if self._is_excepted(view):
                return None
            found.append(evidence)
        if () in found:
            found = [one for one in found if _objects(one, view)]
            return _united(found) if found else ()
        return _united(found) if found else None

    def _is_excepted(self, view: View) -> bool:
        """Whether the exception holds, which starts from the operands that the branch before it left."""
        if self.pattern.unless is None:
            return False
        if self._unless is None:
            self._unless = test_of(self.pattern.unless)
        return self._unless(view) is not None


def test_of(condition: Condition) -> Test:
    """A condition as a function."""
    return _MADE[type(condition)](condition)


def _objects(evidence: tuple[Evidence, ...], view: View) -> bool:
    """Whether it tells what a command acts on, rather than an option or the verb, of which the whole says more."""
    verb = next(((word.start, word.end) for word in view.command.operands[:1]), None)
    return any(not one.text.startswith("-") and (one.start, one.end) != verb for one in evidence)


def _united(found: list[tuple[Evidence, ...]]) -> Held:
    if len(found) == 1:
        return found[0]
    return tuple(dict.fromkeys(one for evidence in found for one in evidence))


def _all(condition: AllOf) -> Test:
    parts = tuple((test_of(part), _says(part)) for part in condition.parts)

    def test(view: View) -> Held:
        made: tuple[Evidence, ...] = ()
        objects: Held = None
        most = 1
        for part, says in parts:
            evidence = part(view)
            if evidence is None:
                return None
            if evidence:
                if says >= most:
                    objects, most = evidence, says
                made += evidence
        # What a command acts on says more than the options beside it.
        return objects or (tuple(dict.fromkeys(made)) if made else ())

    return test


def _any(condition: AnyOf) -> Test:
    wanted = [(programs(part), part) for part in condition.parts]
    by_program: dict[str, tuple[Test, ...]] = {}
    made: dict[int, Test] = {}

    def likely(program: str) -> tuple[Test, ...]:
        """The parts that do not ask for another program."""
        found = []
        for at, (names, part) in enumerate(wanted):
            if names is None or program in names:
                known = made.get(at)
                if known is None:
                    known = made[at] = test_of(part)
                found.append(known)
        return tuple(found)

    named = frozenset().union(*(names for names, _ in wanted if names is not None))

    def test(view: View) -> Held:
        program = view.command.program
        if program not in named:
            program = ""
        tests = by_program.get(program)
        if tests is None:
            tests = by_program[program] = likely(program)
        found, skipped = [], view.skipped
        used = skipped
        for part in tests:
            view.skipped = skipped
            evidence = part(view)
            if evidence is not None:
                found.append(evidence)
                used = view.skipped
        view.skipped = used
        return _united(found) if found else None

    return test


def _not(condition: Not) -> Test:
    part = test_of(condition.part)
    return lambda view: () if part(view) is None else None


def _earlier(condition: After) -> Test:
    part = test_of(condition.part)
    key = id(condition)

    def test(view: View) -> Held:
        done, last = view.seen.get(key, (0, -_FURTHEST - 1))
        for at in range(done, view.at):
            if part(View(view.given[at], (), 0, view.classes, {})) is not None:
                last = at
        view.seen[key] = max(done, view.at), last
        return () if view.at - last <= _FURTHEST else None

    return test


def _says(condition: Condition) -> int:
    """How well what speaks for a condition tells what a command acts on: by what it does to it, or by its words."""
    if isinstance(condition, Performs):
        return 2
    if isinstance(condition, AnyOf):
        return min(map(_says, condition.parts))
    if isinstance(condition, AllOf):
        return max(map(_says, condition.parts))
    return 1 if isinstance(condition, Operand | Every | Sql | Url) else 0


_MADE: Mapping[type, Callable[[Any], Test]] = MappingProxyType(
    {AllOf: _all, AnyOf: _any, Not: _not, After: _earlier, **words.TESTS, **deeds.TESTS}
)
