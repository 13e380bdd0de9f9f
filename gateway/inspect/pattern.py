"""What a dangerous command looks like in normal form: conditions, and the pattern that they belong to."""

from __future__ import annotations

from enum import Enum

from gateway.decision import Effect
from gateway.frozen import frozen
from gateway.inspect.place import PathClass
from gateway.inspect.sql import SqlKind


class PatternSeverity(Enum):
    """How bad it is when a matched command runs."""

    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Wildness(Enum):
    """Whether an operand names one thing, or many through a pattern or an unknown part."""

    ONE = "one"
    MANY = "many"


@frozen
class Program:
    """One of these programs."""

    names: frozenset[str]


@frozen
class Subcommand:
    """One of these subcommands."""

    names: frozenset[str]


@frozen
class Flags:
    """At least one of `any`, where given, and each of `all`, whatever their spelling."""

    any: frozenset[str]
    all: frozenset[str]


@frozen
class Operand:
    """Some operand meets every part that is given."""

    classes: frozenset[PathClass]
    prefixes: tuple[str, ...]
    values: frozenset[str]
    names: Wildness | None


@frozen
class Sql:
    """A statement of one of these kinds stands in the SQL that the program is given."""

    kinds: frozenset[SqlKind]


@frozen
class AllOf:
    """Each part holds."""

    parts: tuple[Condition, ...]


@frozen
class AnyOf:
    """At least one part holds."""

    parts: tuple[Condition, ...]


@frozen
class Not:
    """The part does not hold."""

    part: Condition


Condition = Program | Subcommand | Flags | Operand | Sql | AllOf | AnyOf | Not


@frozen
class Pattern:
    """One dangerous command: when it matches, what happens, why, and what to do instead.

    `{what}` in the reason stands for the operands or statements that matched.
    """

    id: str
    pack: str
    title: str
    severity: PatternSeverity
    effect: Effect
    match: Condition
    unless: Condition | None
    reason: str
    alternative: str
    matches: tuple[str, ...]
    misses: tuple[str, ...]


def programs(condition: Condition) -> frozenset[str]:
    """The programs that a condition names."""
    if isinstance(condition, Program):
        return condition.names
    if isinstance(condition, AllOf | AnyOf):
        return frozenset().union(*(programs(part) for part in condition.parts))
    return frozenset()


def kinds(condition: Condition) -> frozenset[SqlKind]:
    """The kinds of SQL statements that a condition names."""
    if isinstance(condition, Sql):
        return condition.kinds
    if isinstance(condition, AllOf | AnyOf):
        return frozenset().union(*(kinds(part) for part in condition.parts))
    return frozenset()
