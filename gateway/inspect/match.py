"""Whether a pattern's condition holds for a command, and which of its words say so."""

from __future__ import annotations

from gateway.frozen import frozen
from gateway.inspect.command import Command, Found
from gateway.inspect.pattern import (
    AllOf,
    AnyOf,
    Condition,
    Flags,
    Not,
    Operand,
    Pattern,
    Program,
    Sql,
    Subcommand,
    Wildness,
)
from gateway.inspect.place import PathClass, Place, classify
from gateway.inspect.word import Word, certain, marked, shown


@frozen
class Evidence:
    """A part of a command that a condition holds for: its text, and where it stands."""

    text: str
    start: int
    end: int


Held = tuple[Evidence, ...] | None
"""What speaks for a condition; None where it does not hold."""


class Matcher:
    """Tries patterns on one command; what class an operand has is found out once."""

    __slots__ = ("_classes", "_command", "_place")

    def __init__(self, command: Command, place: Place) -> None:
        self._command = command
        self._place = place
        self._classes: dict[str, PathClass] = {}

    def held(self, pattern: Pattern) -> Held:
        """What speaks for the pattern, if it matches and its exception does not."""
        evidence = self._held(pattern.match)
        if evidence is None or (pattern.unless is not None and self._held(pattern.unless) is not None):
            return None
        return evidence

    def _held(self, condition: Condition) -> Held:
        command = self._command
        if isinstance(condition, Program):
            return () if command.program in condition.names else None
        if isinstance(condition, Subcommand):
            return () if command.subcommand in condition.names else None
        if isinstance(condition, Flags):
            return _flags(condition, command)
        if isinstance(condition, Operand):
            hits = tuple(w for w in command.bound.operands if self._operand(condition, w))
            return tuple(Evidence(shown(w.value), w.start, w.end) for w in hits) or None
        if isinstance(condition, Sql):
            return _statements(condition, command.sql)
        if isinstance(condition, Not):
            return () if self._held(condition.part) is None else None
        if isinstance(condition, AnyOf):
            found = [e for part in condition.parts if (e := self._held(part)) is not None]
            return tuple(dict.fromkeys(one for evidence in found for one in evidence)) if found else None
        return self._all(condition)

    def _all(self, condition: AllOf) -> Held:
        made: list[Evidence] = []
        operands: Held = None
        for part in condition.parts:
            evidence = self._held(part)
            if evidence is None:
                return None
            if isinstance(part, Operand):
                operands = evidence
            made += evidence
        # What a command acts on says more than the options beside it.
        return operands or tuple(dict.fromkeys(made))

    def _operand(self, condition: Operand, word: Word) -> bool:
        value = word.value
        if condition.prefixes and not certain(value).startswith(condition.prefixes):
            return False
        if condition.values and certain(value) not in condition.values:
            return False
        if condition.names is not None and (condition.names is Wildness.MANY) is not marked(value):
            return False
        return not condition.classes or self._class(value) in condition.classes

    def _class(self, value: str) -> PathClass:
        found = self._classes.get(value)
        if found is None:
            found = classify(value, self._command.invocation.cwd, self._place)
            self._classes[value] = found
        return found


def _flags(condition: Flags, command: Command) -> Held:
    flags = command.bound.flags
    if not condition.all <= flags.keys():
        return None
    given = [name for name in flags if name in condition.any or name in condition.all]
    if condition.any and condition.any.isdisjoint(given):
        return None
    words = [flags[name][-1] for name in given if flags[name]]
    return tuple(Evidence(shown(w.value), w.start, w.end) for w in words)


def _statements(condition: Sql, sql: tuple[Found, ...]) -> Held:
    hits = [f for f in sql if f.statement.kind in condition.kinds]
    return tuple(Evidence(f.statement.said, f.start, f.end) for f in hits) or None
