"""Conditions on what a command does, reads and is given, as functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gateway.inspect.command import Remark
from gateway.inspect.deed import Deed
from gateway.inspect.globs import globs
from gateway.inspect.kind import Kind
from gateway.inspect.match.evidence import Evidence, Held, Test, fits_one, told
from gateway.inspect.match.view import View
from gateway.inspect.pattern import (
    Environment,
    Fed,
    Header,
    Inspected,
    Performs,
    Piped,
    Sql,
    Stdin,
    Url,
    Within,
)
from gateway.inspect.word import certain, shown


def _stdin(condition: Stdin) -> Test:
    kinds = condition.kinds
    return lambda view: None if kinds.isdisjoint(view.command.stdin) else ()


def _fed(condition: Fed) -> Test:
    known = globs(condition.values)

    def test(view: View) -> Held:
        given = view.command.invocation.stdin or ()
        return () if any(known.fit(certain(text)) for text in given) else None

    return test


def _piped(condition: Piped) -> Test:
    before, after = condition.before, condition.after

    def test(view: View) -> Held:
        pipes, invocation = view.command.pipes, view.command.invocation
        if before and before.isdisjoint(pipes.before(invocation)):
            return None
        return None if after and after.isdisjoint(pipes.behind(invocation)) else ()

    return test


def _performs(condition: Performs) -> Test:
    does, values = condition.does, condition.values
    meets = _meeting_deed(condition)

    def test(view: View) -> Held:
        command = view.command
        if command.kind is Kind.PATH and condition.classes:
            # A path that a tool is given is read in more ways than one that a shell takes literally.
            if not any(deed.does in does for deed in command.deeds):
                return None
            if values and not any(view.named(values, deed) for deed in command.deeds):
                return None
            return _remarked(command.remarks, condition.classes)
        hits = [deed for deed in command.deeds if deed.does in does and meets(view, deed)]
        return tuple(Evidence(shown(d.target), d.start, d.end) for d in hits) if hits else None

    return test


def _meeting_deed(condition: Performs) -> Callable[[View, Deed], bool]:
    """What tells whether a deed of the right kind meets each part that is given."""
    extents, origins, secret = condition.extents, condition.origins, condition.secret
    spared, classes, values = condition.spared, condition.classes, condition.values

    def meets(view: View, deed: Deed) -> bool:
        if extents and deed.extent not in extents:
            return False
        if origins and deed.origin not in origins:
            return False
        if secret is not None and deed.secret is not secret:
            return False
        if spared and fits_one(spared, certain(deed.target)):
            return False
        if classes and not view.is_there(classes, deed):
            return False
        return not values or view.named(values, deed)

    return meets


def _within(condition: Within) -> Test:
    names = condition.names
    return lambda view: None if names.isdisjoint(view.command.wrappers) else ()


def _environment(condition: Environment) -> Test:
    names, values = condition.names, condition.values

    def test(view: View) -> Held:
        hits = [
            word
            for name, word in view.command.variables
            if name in names and (not values or fits_one(values, certain(word.value)))
        ]
        return told(hits)

    return test


def _sql(condition: Sql) -> Test:
    kinds = condition.kinds

    def test(view: View) -> Held:
        hits = [f for f in view.command.sql if f.statement.kind in kinds]
        return tuple(Evidence(f.statement.said, f.start, f.end) for f in hits) or None

    return test


def _remark(condition: Url | Header) -> Test:
    kinds = condition.kinds
    return lambda view: _remarked(view.command.remarks, kinds)


def _inspected(condition: Inspected) -> Test:
    kinds = condition.kinds
    return lambda view: () if view.command.kind in kinds else None


def _remarked(remarks: Iterable[Remark], kinds: frozenset[str]) -> Held:
    hits = [one for one in remarks if one.kind in kinds]
    return tuple(Evidence(one.text, one.start, one.end, one.reason) for one in hits) or None


TESTS: Mapping[type, Callable[[Any], Test]] = MappingProxyType(
    {
        Stdin: _stdin,
        Fed: _fed,
        Piped: _piped,
        Performs: _performs,
        Within: _within,
        Environment: _environment,
        Sql: _sql,
        Url: _remark,
        Header: _remark,
        Inspected: _inspected,
    }
)
