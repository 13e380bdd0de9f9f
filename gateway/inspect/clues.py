"""Clues: what a pattern needs to see before it can match, and what a command shows, so that few patterns are tried."""

from __future__ import annotations

from collections.abc import Iterable

from gateway.inspect.classes import Classes
from gateway.inspect.command import Command
from gateway.inspect.kind import Kind
from gateway.inspect.pattern import (
    AllOf,
    AnyOf,
    Condition,
    Environment,
    Flags,
    Header,
    Option,
    Performs,
    Program,
    Redirected,
    Sql,
    Subcommand,
    Url,
    Within,
)

# How often commands show a clue, roughly: of what a condition needs, the rarest is looked for.
_COMMON = frozenset(
    """
    awk bash cat cd cp curl docker echo find git grep head kubectl ls make mkdir mv node npm pip psql python python3 rm
    sed sh sudo tail tar terraform xargs
    """.split()  # noqa: SIM905
)
_START = 4
_OFTEN, _SELDOM, _RARELY = 40, 8, 2


def clues(condition: Condition) -> frozenset[str] | None:
    """What a text must show, at least one of it, before the condition can hold; None where it may show nothing."""
    if isinstance(condition, AllOf):
        found = [shown for part in condition.parts if (shown := clues(part)) is not None]
        return min(found, key=_frequency) if found else None
    if isinstance(condition, AnyOf):
        each = [clues(part) for part in condition.parts]
        known = [shown for shown in each if shown is not None]
        return frozenset().union(*known) if len(known) == len(each) else None
    return _needed(condition)


def _needed(condition: Condition) -> frozenset[str] | None:
    if isinstance(condition, Program):
        return _each("program", condition.names)
    if isinstance(condition, Subcommand):
        first = [path[0] for path in condition.paths]
        return None if any("*" in name for name in first) else _each("word", first)
    if isinstance(condition, Flags):
        return _each("flag", sorted(condition.all)[:1] or condition.any)
    if isinstance(condition, Option):
        return _each("flag", condition.names)
    if isinstance(condition, Performs):
        ends = [f" {name}" for name in condition.classes] or [""]
        does = frozenset(f"does {does.value}{end}" for does in condition.does for end in ends)
        parts = [part(value) for value in condition.values if not value.startswith("!")]
        return _each("part", parts) if parts and all(parts) else does
    if isinstance(condition, Sql):
        return _each("sql", (kind.value for kind in condition.kinds))
    if isinstance(condition, Url):
        return _each("url", condition.kinds)
    if isinstance(condition, Header):
        return _each("header", condition.kinds)
    if isinstance(condition, Redirected):
        return frozenset(("redirect",))
    if isinstance(condition, Environment):
        return _each("variable", condition.names)
    return _each("within", condition.names) if isinstance(condition, Within) else None


def _each(kind: str, names: Iterable[str]) -> frozenset[str]:
    return frozenset(f"{kind} {name}" for name in names)


def _frequency(shown: frozenset[str]) -> int:
    return sum(map(_frequency_of, shown))


def _frequency_of(clue: str) -> int:
    kind, _, name = clue.partition(" ")
    if kind in ("does", "redirect") or (kind == "program" and name in _COMMON):
        return _OFTEN
    return _SELDOM if kind in ("flag", "word") else _RARELY


def part(pattern: str) -> str:
    """How the longest component begins that each path has which fits a pattern; none where it has none for certain."""
    known = (each.partition("*") for each in pattern.split("/"))
    starts = [start for start, star, _ in known if not star or len(start) >= _START]
    return max(starts, key=len, default="")[:_START]


def shown(command: Command, classes: Classes) -> set[str]:
    """All that a command shows of what patterns need to see."""
    made = {f"program {command.program}"}
    add = made.add
    for deed in command.deeds:
        does = f"does {deed.does.value}"
        add(does)
        found = classes.of(deed.target, deed.cwd)
        if command.kind is Kind.PATH:
            found = frozenset(each.kind for each in command.remarks)
        for name in found:
            add(f"{does} {name}")
        if "outside" in found:
            # A directory for temporary files lies outside, but what is put there does not.
            add(f"{does} tmp")
        for form in classes.forms(deed.target, deed.cwd):
            for each in form.split("/"):
                add(f"part {each[:_START]}")
    for found_one in command.sql:
        add(f"sql {found_one.statement.kind.value}")
    if command.kind is not Kind.PATH:
        word = "header" if command.kind is Kind.HEADERS else "url"
        for remark in command.remarks:
            add(f"{word} {remark.kind}")
    for name, _ in command.variables:
        add(f"variable {name}")
    for name in command.wrappers:
        add(f"within {name}")
    for name in command.bound.flags:
        add(f"flag {name}")
    for at, operand in enumerate(command.operands):
        add(f"word {command.plain(operand)}")
        if at not in command.bound.loose:
            break
    if command.redirects:
        add("redirect")
    return made
