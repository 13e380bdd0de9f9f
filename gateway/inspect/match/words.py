"""Conditions on the program, its options and operands, as functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from gateway.glob import fits
from gateway.inspect.globs import globs
from gateway.inspect.match.evidence import Evidence, Held, Test, fits_one, told
from gateway.inspect.match.view import View
from gateway.inspect.pattern import (
    Argument,
    Beside,
    Count,
    Every,
    Flags,
    Operand,
    Option,
    Program,
    Redirected,
    Subcommand,
    Wildness,
)
from gateway.inspect.word import Word, certain, marked, shown


def _program(condition: Program) -> Test:
    names = condition.names
    return lambda view: () if view.command.program in names else None


def _subcommand(condition: Subcommand) -> Test:
    paths = condition.paths
    first = frozenset(path[0] for path in paths)
    plain = not any("*" in name for name in first)

    def test(view: View) -> Held:
        names, loose = view.names, view.command.bound.loose
        if plain and not loose and (not names or names[0] not in first):
            return None
        for path in paths:
            used = _taken(path, names, loose)
            if used:
                view.skipped = used
                return ()
        return None

    return test


def _flags(condition: Flags) -> Test:
    every, some = condition.all, condition.any

    def test(view: View) -> Held:
        flags = view.command.bound.flags
        given = flags.keys()
        if not every <= given or (some and some.isdisjoint(given)):
            return None
        words = [flags[name][-1] for name in flags if (name in some or name in every) and flags[name]]
        return tuple(Evidence(shown(w.value), w.start, w.end) for w in words)

    return test


def _beside(condition: Beside) -> Test:
    def test(view: View) -> Held:
        given = [words for name, words in view.command.bound.flags.items() if name not in condition.names]
        return tuple(Evidence(shown(w[-1].value), w[-1].start, w[-1].end) for w in given) or None

    return test


def _option(condition: Option) -> Test:
    names, values, classes = condition.names, condition.values, condition.classes

    def test(view: View) -> Held:
        flags = view.command.bound.flags
        if names.isdisjoint(flags):
            return None
        words = [word for name in flags if name in names for word in flags[name]]
        hits = [
            w
            for w in words
            if (not values or fits_one(values, certain(w.value)))
            and (not classes or view.has(classes, w.value))
        ]
        return told(hits)

    return test


def _operand(condition: Operand) -> Test:
    meets = _meeting(condition)
    return lambda view: told([w for w in view.operands(condition.at) if meets(view, w)])


def _every(condition: Every) -> Test:
    meets = _meeting(condition.operand)

    def test(view: View) -> Held:
        words = view.operands(condition.operand.at)
        return told(words) if words and all(meets(view, w) for w in words) else None

    return test


def _meeting(condition: Operand) -> Callable[[View, Word], bool]:
    """What tells whether a word meets each part that is given."""
    prefixes, values, classes = condition.prefixes, condition.values, condition.classes
    branches, names = condition.branches, condition.names
    many = names is Wildness.MANY

    def meets(view: View, word: Word) -> bool:
        value = word.value
        text = view.command.plain(word)
        if prefixes and not text.startswith(prefixes):
            return False
        if values and not view.classes.fits(values, text, view.command.cwd):
            return False
        if branches and not fits_one((*branches, *view.classes.branches), _branch(certain(value))):
            return False
        if names is not None and many is not marked(value):
            return False
        return not classes or view.has(classes, value)

    return meets


def _count(condition: Count) -> Test:
    least, most = condition.least, condition.most
    return lambda view: () if least <= len(view.command.operands) - view.skipped <= most else None


def _argument(condition: Argument) -> Test:
    known = globs(condition.values)

    def test(view: View) -> Held:
        command = view.command
        return told([w for w in command.words if known.fit(command.plain(w))])

    return test


def _redirected(condition: Redirected) -> Test:
    operators, classes, values = condition.operators, condition.classes, condition.values

    def test(view: View) -> Held:
        redirects = view.command.redirects
        if not redirects:
            return None
        given = {word.value for word in view.command.operands}
        hits = [
            each.target
            for each in redirects
            if (not operators or each.operator in operators)
            and (not classes or view.has(classes, each.target.value))
            and (not values or fits_one(values, certain(each.target.value)))
            and (condition.operand is None or (each.target.value in given) is condition.operand)
        ]
        return told(hits)

    return test


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


TESTS: Mapping[type, Callable[[Any], Test]] = MappingProxyType(
    {
        Program: _program,
        Subcommand: _subcommand,
        Flags: _flags,
        Beside: _beside,
        Option: _option,
        Operand: _operand,
        Every: _every,
        Count: _count,
        Argument: _argument,
        Redirected: _redirected,
    }
)
