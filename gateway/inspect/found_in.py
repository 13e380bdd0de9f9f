"""In which kinds of arguments a pattern can be found at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from gateway.inspect.kind import Kind
from gateway.inspect.pattern import (
    AllOf,
    AnyOf,
    Beside,
    Condition,
    Count,
    Header,
    Inspected,
    Not,
    Pattern,
    Performs,
    Sql,
    Stdin,
    Url,
    kinds_of,
)

_EVERY = frozenset(Kind)
_CODE = frozenset((Kind.SHELL, Kind.GIT, Kind.PYTHON))
"""What runs commands, each of which may run one of the others."""


def found_in(pattern: Pattern) -> frozenset[Kind]:
    """The kinds of arguments that a pattern may match; at least all that it does match."""
    kinds = _kinds(pattern.match)
    # Against a path only those are held that are written for paths.
    return kinds if Kind.PATH in kinds_of(pattern.match) else kinds - {Kind.PATH}


def _kinds(condition: Condition) -> frozenset[Kind]:
    """Where a condition may hold; most of them ask for a program or its words, which only commands have."""
    known = _KINDS.get(type(condition))
    return _CODE if known is None else known(condition)


def _inspected(condition: Inspected) -> frozenset[Kind]:
    return condition.kinds if _CODE.isdisjoint(condition.kinds) else condition.kinds | _CODE


def _all(condition: AllOf) -> frozenset[Kind]:
    return _EVERY.intersection(*map(_kinds, condition.parts))


def _any(condition: AnyOf) -> frozenset[Kind]:
    return frozenset[Kind]().union(*map(_kinds, condition.parts))


_KINDS: Mapping[type, Callable[[Any], frozenset[Kind]]] = MappingProxyType(
    {
        Inspected: _inspected,
        AllOf: _all,
        AnyOf: _any,
        Url: lambda _: _CODE | {Kind.URL},
        Header: lambda _: frozenset((Kind.HEADERS,)),
        Sql: lambda _: _CODE | {Kind.SQL},
        Performs: lambda _: _CODE | {Kind.PATH},
        # These may hold for a text that is no command.
        **dict.fromkeys((Not, Stdin, Beside, Count), lambda _: _EVERY),
    }
)
