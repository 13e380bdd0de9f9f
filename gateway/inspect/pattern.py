"""What a dangerous text looks like in normal form: conditions, and the pattern that they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from gateway.decision import Effect
from gateway.frozen import frozen
from gateway.inspect.deed import Does, Extent, Origin
from gateway.inspect.kind import Kind
from gateway.inspect.sql.kinds import SqlKind


class PatternSeverity(Enum):
    """How bad it is when a matched command runs."""

    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


@frozen
class Program:
    """One of these programs."""

    names: frozenset[str]


@frozen
class Subcommand:
    """One of these paths of subcommands, such as `ec2 terminate-*`: the first operands, word by word."""

    paths: tuple[tuple[str, ...], ...]


@frozen
class Flags:
    """At least one of `any`, where given, and each of `all`, whatever their spelling."""

    any: frozenset[str]
    all: frozenset[str]


@frozen
class Beside:
    """There is an option that is none of these, which only look or say how to."""

    names: frozenset[str]


@frozen
class Option:
    """Some value of one of these options fits one of the patterns, or has one of the classes."""

    names: frozenset[str]
    values: tuple[str, ...]
    classes: frozenset[str]


class Wildness(Enum):
    """Whether an operand names one thing, or many through a pattern or an unknown part."""

    ONE = "one"
    MANY = "many"


@frozen
class Operand:
    """Some operand meets every part that is given; `at` is its index behind the subcommand's words, -1 the last.

    `branches` are compared with the branch or tag that a word for `git push` or `git fetch` would change.
    """

    classes: frozenset[str]
    prefixes: tuple[str, ...]
    values: tuple[str, ...]
    names: Wildness | None
    at: int | None
    branches: tuple[str, ...] = ()


@frozen
class Every:
    """There is an operand, and every one meets the part."""

    operand: Operand


@frozen
class Count:
    """The number of operands."""

    least: int
    most: int


@frozen
class Argument:
    """Some word of the command, option or operand, fits one of these patterns."""

    values: tuple[str, ...]


@frozen
class Redirected:
    """A redirection with one of these operators, to a file with one of these classes or that fits a pattern.

    `operand` says whether the file is an operand of the command as well, so that it is empty before it is read.
    """

    operators: frozenset[str]
    classes: frozenset[str]
    values: tuple[str, ...]
    operand: bool | None


class Input(Enum):
    """What a command reads from its standard input."""

    NONE = "none"
    EMPTY = "empty"
    LITERAL = "literal"
    NETWORK = "network"
    DECODED = "decoded"
    SECRET = "secret"  # noqa: S105
    UNKNOWN = "unknown"


@frozen
class Stdin:
    """The input is one of these."""

    kinds: frozenset[Input]


@frozen
class Fed:
    """What the command reads from its standard input, as far as it is known, fits one of these patterns."""

    values: tuple[str, ...]


@frozen
class Piped:
    """One of these programs stands anywhere before the command in its pipe, or behind it."""

    before: frozenset[str]
    after: frozenset[str]


@frozen
class Performs:
    """A deed that meets every part that is given, and whose target fits none of the patterns in `spared`."""

    does: frozenset[Does]
    classes: frozenset[str]
    extents: frozenset[Extent]
    origins: frozenset[Origin]
    values: tuple[str, ...]
    spared: tuple[str, ...]
    secret: bool | None


@frozen
class Within:
    """One of these wrappers runs the command: `sudo`, `ssh`, `docker`, `xargs`."""

    names: frozenset[str]


@frozen
class Environment:
    """The command is given one of these variables, with a value that fits a pattern where some are given."""

    names: frozenset[str]
    values: tuple[str, ...]


@frozen
class Sql:
    """A statement of one of these kinds stands in the SQL that the program is given."""

    kinds: frozenset[SqlKind]


@frozen
class Url:
    """An address of one of these kinds."""

    kinds: frozenset[str]


@frozen
class Header:
    """A header of one of these kinds."""

    kinds: frozenset[str]


@frozen
class Inspected:
    """The argument is inspected as one of these."""

    kinds: frozenset[Kind]


@frozen
class After:
    """The part holds for a command that stands earlier in the same text."""

    part: Condition


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


def programs(part: Condition) -> frozenset[str] | None:
    """The programs that a part asks for; None where it holds for others too."""
    if isinstance(part, Program):
        return part.names
    if isinstance(part, AllOf):
        return next((one.names for one in part.parts if isinstance(one, Program)), None)
    return None


Condition = (
    Program
    | Subcommand
    | Flags
    | Beside
    | Option
    | Operand
    | Every
    | Count
    | Argument
    | Redirected
    | Stdin
    | Fed
    | Piped
    | Performs
    | Within
    | Environment
    | Sql
    | Url
    | Header
    | Inspected
    | After
    | AllOf
    | AnyOf
    | Not
)


@frozen
class Example:
    """A text that a pattern must match or leave alone, what it is inspected as, and whether a path is written.

    `more` is what else is said of the kind, such as that the addresses of a URL's host are looked up.
    """

    text: str
    kind: Kind = Kind.SHELL
    writes: bool = False
    more: str = ""


@frozen
class Pattern:
    """One dangerous text: when it matches, what happens, why, and what to do instead.

    `{what}` in the reason stands for the operands, deeds or statements that matched.
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
    matches: tuple[Example, ...]
    misses: tuple[Example, ...]


def parts(condition: Condition) -> Iterator[Condition]:
    """A condition and all that stand in it."""
    yield condition
    if isinstance(condition, AllOf | AnyOf):
        for one in condition.parts:
            yield from parts(one)
    elif isinstance(condition, Not | After):
        yield from parts(condition.part)
    elif isinstance(condition, Every):
        yield condition.operand


def branches(condition: Condition) -> tuple[Condition, ...]:
    """The conditions of which one must hold."""
    return condition.parts if isinstance(condition, AnyOf) else (condition,)


def kinds_of(condition: Condition) -> frozenset[Kind]:
    """The kinds of arguments that a condition names; none of most, which are about commands of any kind."""
    if isinstance(condition, Inspected):
        return condition.kinds
    if isinstance(condition, AllOf | AnyOf):
        return frozenset[Kind]().union(*map(kinds_of, condition.parts))
    return frozenset()
