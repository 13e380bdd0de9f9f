"""Reads what a pattern matches: one entry a key of `match` and `unless`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.inspect.classes import NAMES
from gateway.inspect.deed import Does, Extent, Origin
from gateway.inspect.headers import HeaderKind
from gateway.inspect.kind import Kind
from gateway.inspect.pattern import (
    After,
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
    Input,
    Inspected,
    Not,
    Operand,
    Option,
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
from gateway.inspect.sql.kinds import SqlKind
from gateway.inspect.url.kind import UrlKind
from gateway.patterns.nodes import Wrong, items, mapping, member, number, strings, truth, word

if TYPE_CHECKING:
    from yaml import Node

_MOST = 10_000
_CMDLET = re.compile(r"[A-Z][A-Za-z]+-[A-Z]\w+")
# Where the operands begin depends on the subcommand.
_FIRST = ("program", "subcommand")


def condition(node: Node) -> Condition:
    """The condition of a mapping, all of whose keys must hold."""
    fields = mapping(node, tuple(CONDITIONS), "a condition")
    if not fields:
        raise Wrong(node, "pattern-shape", "the condition is empty, so it would always hold")
    ordered = sorted(fields, key=lambda key: _FIRST.index(key) if key in _FIRST else len(_FIRST))
    parts = tuple(CONDITIONS[key](fields[key]) for key in ordered)
    return parts[0] if len(parts) == 1 else AllOf(parts)


def _parts(node: Node) -> tuple[Condition, ...]:
    return tuple(condition(part) for part in items(node))


def _names(node: Node) -> frozenset[str]:
    return frozenset(strings(node))


def _programs(node: Node) -> frozenset[str]:
    """Names of programs; those of PowerShell's are the same in small letters."""
    names = _names(node)
    return names | {name.lower() for name in names if _CMDLET.fullmatch(name)}


def _members(kind: Any, node: Node) -> frozenset[Any]:
    return frozenset(member(kind, item) for item in items(node))


def _classes(fields: Mapping[str, Any]) -> frozenset[str]:
    return (
        frozenset(word(NAMES, item) for item in items(fields["class"])) if "class" in fields else frozenset()
    )


def _texts(fields: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return tuple(strings(fields[key])) if key in fields else ()


def _subcommand(node: Node) -> Condition:
    return Subcommand(tuple(tuple(path.split()) for path in strings(node)))


def _flags(node: Node) -> Condition:
    fields = mapping(node, ("any", "all"), "`flags`")
    return Flags(*(frozenset(_texts(fields, key)) for key in ("any", "all")))


def _option(node: Node) -> Condition:
    fields = mapping(node, ("name", "value", "class"), "`option`")
    if "name" not in fields:
        raise Wrong(node, "pattern-shape", "`option` needs `name`")
    return Option(_names(fields["name"]), _texts(fields, "value"), _classes(fields))


def _operand(node: Node) -> Operand:
    fields = mapping(node, ("class", "prefix", "value", "names", "at", "branch"), "`operand`")
    return Operand(
        classes=_classes(fields),
        prefixes=_texts(fields, "prefix"),
        values=_texts(fields, "value"),
        names=member(Wildness, fields["names"]) if "names" in fields else None,
        at=number(fields["at"]) if "at" in fields else None,
        branches=_texts(fields, "branch"),
    )


def _count(node: Node) -> Condition:
    fields = mapping(node, ("least", "most"), "`count`")
    least, most = (number(fields[key]) if key in fields else None for key in ("least", "most"))
    return Count(least or 0, _MOST if most is None else most)


def _redirected(node: Node) -> Condition:
    fields = mapping(node, ("operator", "class", "to", "operand"), "`redirect`")
    operand = truth(fields["operand"]) if "operand" in fields else None
    return Redirected(frozenset(_texts(fields, "operator")), _classes(fields), _texts(fields, "to"), operand)


def _piped(node: Node) -> Condition:
    fields = mapping(node, ("from", "to"), "`pipe`")
    return Piped(*(frozenset(_texts(fields, key)) for key in ("from", "to")))


def _performs(node: Node) -> Condition:
    fields = mapping(node, ("does", "class", "extent", "origin", "path", "except", "secret"), "`effect`")
    if "does" not in fields:
        raise Wrong(node, "pattern-shape", "`effect` needs `does`")
    return Performs(
        does=_members(Does, fields["does"]),
        classes=_classes(fields),
        extents=_members(Extent, fields["extent"]) if "extent" in fields else frozenset(),
        origins=_members(Origin, fields["origin"]) if "origin" in fields else frozenset(),
        values=_texts(fields, "path"),
        spared=_texts(fields, "except"),
        secret=truth(fields["secret"]) if "secret" in fields else None,
    )


def _environment(node: Node) -> Condition:
    fields = mapping(node, ("name", "value"), "`variable`")
    if "name" not in fields:
        raise Wrong(node, "pattern-shape", "`variable` needs `name`")
    return Environment(_names(fields["name"]), _texts(fields, "value"))


CONDITIONS: Mapping[str, Callable[[Any], Condition]] = MappingProxyType(
    {
        "program": lambda node: Program(_programs(node)),
        "subcommand": _subcommand,
        "flags": _flags,
        "option-beside": lambda node: Beside(_names(node)),
        "option": _option,
        "operand": _operand,
        "every": lambda node: Every(_operand(node)),
        "count": _count,
        "argument": lambda node: Argument(tuple(strings(node))),
        "redirect": _redirected,
        "stdin": lambda node: Stdin(_members(Input, node)),
        "input": lambda node: Fed(tuple(strings(node))),
        "pipe": _piped,
        "effect": _performs,
        "wrapper": lambda node: Within(_names(node)),
        "variable": _environment,
        "sql": lambda node: Sql(_members(SqlKind, node)),
        "url": lambda node: Url(frozenset(member(UrlKind, item).value for item in items(node))),
        "header": lambda node: Header(frozenset(member(HeaderKind, item).value for item in items(node))),
        "inspected": lambda node: Inspected(_members(Kind, node)),
        "after": lambda node: After(condition(node)),
        "all": lambda node: AllOf(_parts(node)),
        "any": lambda node: AnyOf(_parts(node)),
        "not": lambda node: Not(condition(node)),
    }
)
"""What each key of a condition stands for."""

DESCRIBED: Mapping[str, type] = MappingProxyType(
    {
        "program": Program,
        "subcommand": Subcommand,
        "flags": Flags,
        "option": Option,
        "option-beside": Beside,
        "operand": Operand,
        "every": Every,
        "count": Count,
        "argument": Argument,
        "redirect": Redirected,
        "stdin": Stdin,
        "input": Fed,
        "pipe": Piped,
        "effect": Performs,
        "wrapper": Within,
        "variable": Environment,
        "sql": Sql,
        "url": Url,
        "header": Header,
        "inspected": Inspected,
        "after": After,
        "all": AllOf,
        "any": AnyOf,
        "not": Not,
    }
)
"""The condition that each key reads, whose docstring says when it holds."""
