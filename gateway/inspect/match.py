"""Whether a pattern's condition holds for a command, and which of its words say so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from gateway.frozen import frozen
from gateway.glob import fits
from gateway.inspect.classes import Classes
from gateway.inspect.command import Command
from gateway.inspect.deed import Deed, Does, Extent
from gateway.inspect.globs import globs
from gateway.inspect.kind import Kind
from gateway.inspect.pattern import After as Earlier
from gateway.inspect.pattern import (
    AllOf,
    AnyOf,
    Argument,
    Beside,
    Condition,
    Count,
    Environment,
    Every,
    Fed,
    Flags,
    Header,
    Inspected,
    Not,
    Operand,
    Option,
    Pattern,
    Performs,
    Piped,
    Program,
    Redirected,
    Sql,
    Stdin,
    Subcommand,
    Url,
    Wildness,
    Within,
)
from gateway.inspect.word import Word, certain, holed, marked, shown

# How many commands are looked back at.
_FURTHEST = 200
_EMPTIED = frozenset(("root", "home", "system"))


@frozen
class Evidence:
    """A part of a command that a condition holds for: its text, and where it stands."""

    text: str
    start: int
    end: int
    why: str = ""


Held = tuple[Evidence, ...] | None
"""What speaks for a condition; None where it does not hold."""


class Matcher:
    """Tries patterns on one command of a text; `given` are all of them, of which it is the one at `at`.

    `seen` tells for each condition on earlier commands how many were looked at, and which was the last that met it.
    """

    __slots__ = ("_at", "_classes", "_command", "_given", "_names", "_seen", "_skipped")

    def __init__(
        self,
        command: Command,
        given: tuple[Command, ...],
        at: int,
        classes: Classes,
        seen: dict[int, tuple[int, int]],
    ) -> None:
        self._command = command
        self._given = given
        self._at = at
        self._classes = classes
        self._seen = seen
        self._names: tuple[str, ...] | None = None
        self._skipped = 0

    def held(self, pattern: Pattern) -> Held:
        """What speaks for the pattern, if it matches and its exception does not."""
        self._skipped = 0
        evidence = self._held(pattern.match)
        if evidence is None or (pattern.unless is not None and self._held(pattern.unless) is not None):
            return None
        return evidence

    def _held(self, condition: Condition) -> Held:
        return _TESTS[type(condition)](self, condition)

    def _all(self, condition: AllOf) -> Held:
        made: list[Evidence] = []
        objects: Held = None
        most = 0
        for part in condition.parts:
            evidence: Held = _TESTS[type(part)](self, part)
            if evidence is None:
                return None
            if evidence and (says := _says(part)) >= max(most, 1):
                objects, most = evidence, says
            made += evidence
        # What a command acts on says more than the options beside it.
        return objects or tuple(dict.fromkeys(made))

    def _any(self, condition: AnyOf) -> Held:
        parts = condition.likely(self._command.program)
        found = [e for part in parts if (e := _TESTS[type(part)](self, part)) is not None]
        return tuple(dict.fromkeys(one for evidence in found for one in evidence)) if found else None

    def _not(self, condition: Not) -> Held:
        return () if self._held(condition.part) is None else None

    def _earlier(self, condition: Earlier) -> Held:
        done, last = self._seen.get(id(condition), (0, -_FURTHEST - 1))
        for i in range(done, self._at):
            if Matcher(self._given[i], (), 0, self._classes, {})._held(condition.part) is not None:
                last = i
        self._seen[id(condition)] = max(done, self._at), last
        return () if self._at - last <= _FURTHEST else None

    def _program(self, condition: Program) -> Held:
        return () if self._command.program in condition.names else None

    def _subcommand(self, condition: Subcommand) -> Held:
        names = self._names
        if names is None:
            command = self._command
            names = self._names = tuple(map(command.plain, command.operands))
        for path in condition.paths:
            used = _taken(path, names, self._command.bound.loose)
            if used:
                self._skipped = used
                return ()
        return None

    def _flags(self, condition: Flags) -> Held:
        flags = self._command.bound.flags
        if not condition.all <= flags.keys():
            return None
        given = [name for name in flags if name in condition.any or name in condition.all]
        if condition.any and condition.any.isdisjoint(given):
            return None
        words = [flags[name][-1] for name in given if flags[name]]
        return tuple(Evidence(shown(w.value), w.start, w.end) for w in words)

    def _beside(self, condition: Beside) -> Held:
        given = [words for name, words in self._command.bound.flags.items() if name not in condition.names]
        return tuple(Evidence(shown(w[-1].value), w[-1].start, w[-1].end) for w in given) or None

    def _option(self, condition: Option) -> Held:
        flags = self._command.bound.flags
        words = [word for name in flags if name in condition.names for word in flags[name]]
        hits = [
            w
            for w in words
            if (not condition.values or _fits(condition.values, certain(w.value)))
            and (not condition.classes or self._has(condition.classes, w.value))
        ]
        return _told(hits)

    def _operand(self, condition: Operand) -> Held:
        return _told([w for w in self._operands(condition) if self._meets(condition, w)])

    def _every(self, condition: Every) -> Held:
        words = self._operands(condition.operand)
        return _told(words) if words and all(self._meets(condition.operand, w) for w in words) else None

    def _operands(self, condition: Operand) -> list[Word]:
        words = list(self._command.operands[self._skipped :])
        if condition.at is None:
            return words
        return words[condition.at :][:1] if condition.at >= 0 or len(words) >= -condition.at else []

    def _meets(self, condition: Operand, word: Word) -> bool:
        value = word.value
        text = self._command.plain(word)
        if condition.prefixes and not text.startswith(condition.prefixes):
            return False
        if condition.values and not self._classes.fits(condition.values, text, self._command.cwd):
            return False
        branches = (*condition.branches, *self._classes.branches) if condition.branches else ()
        if branches and not _fits(branches, _branch(certain(value))):
            return False
        if condition.names is not None and (condition.names is Wildness.MANY) is not marked(value):
            return False
        return not condition.classes or self._has(condition.classes, value)

    def _count(self, condition: Count) -> Held:
        number = len(self._command.operands) - self._skipped
        return () if condition.least <= number <= condition.most else None

    def _argument(self, condition: Argument) -> Held:
        words = self._command.words
        return _told([w for w in words if _fits(condition.values, self._command.plain(w))])

    def _redirected(self, condition: Redirected) -> Held:
        given = {word.value for word in self._command.operands}
        hits = [
            each.target
            for each in self._command.redirects
            if (not condition.operators or each.operator in condition.operators)
            and (not condition.classes or self._has(condition.classes, each.target.value))
            and (not condition.values or _fits(condition.values, certain(each.target.value)))
            and (condition.operand is None or (each.target.value in given) is condition.operand)
        ]
        return _told(hits)

    def _stdin(self, condition: Stdin) -> Held:
        return None if condition.kinds.isdisjoint(self._command.stdin) else ()

    def _fed(self, condition: Fed) -> Held:
        given = self._command.invocation.stdin or ()
        return () if any(_fits(condition.values, certain(text)) for text in given) else None

    def _piped(self, condition: Piped) -> Held:
        pipes, invocation = self._command.pipes, self._command.invocation
        if condition.before and condition.before.isdisjoint(pipes.before(invocation)):
            return None
        return None if condition.after and condition.after.isdisjoint(pipes.behind(invocation)) else ()

    def _performs(self, condition: Performs) -> Held:
        if self._command.kind is Kind.PATH and condition.classes:
            return self._remarked(condition)
        does = condition.does
        hits = [deed for deed in self._command.deeds if deed.does in does and self._deed(condition, deed)]
        return tuple(Evidence(shown(d.target), d.start, d.end) for d in hits) or None

    def _remarked(self, condition: Performs) -> Held:
        """A path that a tool is given is read in more ways than one that a shell takes literally."""
        if condition.does.isdisjoint(deed.does for deed in self._command.deeds):
            return None
        if condition.values and not any(self._named(condition.values, deed) for deed in self._command.deeds):
            return None
        hits = [one for one in self._command.remarks if one.kind in condition.classes]
        return tuple(Evidence(one.text, one.start, one.end, one.reason) for one in hits) or None

    def _named(self, patterns: tuple[str, ...], deed: Deed) -> bool:
        return self._classes.fits(patterns, deed.target, deed.cwd)

    def _deed(self, condition: Performs, deed: Deed) -> bool:
        if condition.extents and deed.extent not in condition.extents:
            return False
        if condition.origins and deed.origin not in condition.origins:
            return False
        if condition.secret is not None and deed.secret is not condition.secret:
            return False
        if condition.spared and _fits(condition.spared, certain(deed.target)):
            return False
        if condition.classes and not self._is_there(condition, deed):
            return False
        return not condition.values or self._named(condition.values, deed)

    def _is_there(self, condition: Performs, deed: Deed) -> bool:
        """Whether what is done is done to a path of one of the classes."""
        found = self._classes.of(deed.target, deed.cwd)
        whole = deed.does is Does.META and deed.extent is Extent.TREE
        if deed.does is not Does.DELETE and not whole:
            if holed(deed.target[:1]):
                # Only what is removed gets worse where the part that can't be known is empty.
                found -= _EMPTIED
            if "outside" in found and self._classes.scratch(deed.target, deed.cwd):
                # Files may be put where temporary files belong, but not all of those removed.
                found = found - {"outside"} | {"tmp"}
        return not condition.classes.isdisjoint(found)

    def _within(self, condition: Within) -> Held:
        return None if condition.names.isdisjoint(self._command.wrappers) else ()

    def _environment(self, condition: Environment) -> Held:
        hits = [
            word
            for name, word in self._command.variables
            if name in condition.names
            and (not condition.values or _fits(condition.values, certain(word.value)))
        ]
        return _told(hits)

    def _sql(self, condition: Sql) -> Held:
        hits = [f for f in self._command.sql if f.statement.kind in condition.kinds]
        return tuple(Evidence(f.statement.said, f.start, f.end) for f in hits) or None

    def _url(self, condition: Url) -> Held:
        hits = [one for one in self._command.remarks if one.kind in condition.kinds]
        return tuple(Evidence(one.text, one.start, one.end, one.reason) for one in hits) or None

    def _header(self, condition: Header) -> Held:
        hits = [one for one in self._command.remarks if one.kind in condition.kinds]
        return tuple(Evidence(one.text, one.start, one.end, one.reason) for one in hits) or None

    def _inspected(self, condition: Inspected) -> Held:
        return () if self._command.kind in condition.kinds else None

    def _has(self, classes: frozenset[str], value: str) -> bool:
        return not classes.isdisjoint(self._classes.of(value, self._command.cwd))


def _says(condition: Condition) -> int:
    """How well what speaks for a condition tells what a command acts on: by what it does to it, or by its words."""
    if isinstance(condition, Performs):
        return 2
    if isinstance(condition, AnyOf):
        return min(map(_says, condition.parts))
    if isinstance(condition, AllOf):
        return max(map(_says, condition.parts))
    return 1 if isinstance(condition, Operand | Every | Sql | Url) else 0


def _told(words: list[Word]) -> Held:
    return tuple(Evidence(shown(w.value), w.start, w.end) for w in words) or None


def _fits(patterns: tuple[str, ...], value: str) -> bool:
    """Whether a value fits one of the patterns, and none of those that begin with `!`."""
    return globs(patterns).fit(value)


def _branch(refspec: str) -> str:
    """The branch or tag that a refspec such as `+HEAD:refs/heads/main` changes."""
    name = refspec.removeprefix("+").rpartition(":")[2]
    return name.removeprefix("refs/").removeprefix("heads/").removeprefix("tags/")


def _taken(path: tuple[str, ...], names: tuple[str, ...], loose: frozenset[int]) -> int:
    """How many operands a path of subcommands takes, where it fits; 0 where it does not.

    A word behind an option that is not known may be the option's value, so it may be passed over.
    """
    at, last = 0, len(names)
    for name in path:
        while at < last and at in loose and not _is(name, names[at]):
            at += 1
        if at >= last or not _is(name, names[at]):
            return 0
        at += 1
    return at


def _is(name: str, word: str) -> bool:
    return name == word or ("*" in name and fits(name, word))


_TESTS: Mapping[type, Callable[[Matcher, Any], Held]] = MappingProxyType(
    {
        AllOf: Matcher._all,
        AnyOf: Matcher._any,
        Not: Matcher._not,
        Earlier: Matcher._earlier,
        Program: Matcher._program,
        Subcommand: Matcher._subcommand,
        Flags: Matcher._flags,
        Beside: Matcher._beside,
        Option: Matcher._option,
        Operand: Matcher._operand,
        Every: Matcher._every,
        Count: Matcher._count,
        Argument: Matcher._argument,
        Redirected: Matcher._redirected,
        Stdin: Matcher._stdin,
        Fed: Matcher._fed,
        Piped: Matcher._piped,
        Performs: Matcher._performs,
        Within: Matcher._within,
        Environment: Matcher._environment,
        Sql: Matcher._sql,
        Url: Matcher._url,
        Header: Matcher._header,
        Inspected: Matcher._inspected,
    }
)
