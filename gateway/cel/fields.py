"""What fields, elements and loop variables a value of a type has, and the path by which one is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from gateway.cel.domain import Domain
from gateway.cel.syntax import Access, Index, Literal, Node, Select
from gateway.cel.types import (
    DECIMAL,
    DOUBLE,
    DYN,
    INT,
    NEVER,
    STRING,
    Field,
    ListType,
    MapType,
    ObjectType,
    Type,
    comparable,
)

Path: TypeAlias = tuple[str | int, ...]
SIGNED = frozenset({INT, DOUBLE, DECIMAL})
_MOST_LISTED = 50


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a value of a type has no such field."""

    code: str
    message: str
    help: str = ""
    known: tuple[str, ...] = ()
    """The fields that it has."""


def field_type(type_: Type, name: str, below: Domain | None = None) -> Field | Wrong:
    """The field of a name that a value of a type has; `below` is what the values of a map can be."""
    if type_ in (DYN, NEVER):
        return Field(DYN)
    if isinstance(type_, MapType):
        if comparable(type_.key, STRING):
            return Field(type_.value, optional=type_.free, domain=below)
        return Wrong("cel-type", f"the keys of {type_} are no names, so it has no `{name}`")
    if not isinstance(type_, ObjectType):
        return Wrong("cel-type", f"{type_} has no fields, so no `{name}`")
    if field := type_.fields.get(name):
        return field
    if type_.open:
        return Field(DYN if type_.others is None else type_.others.type, optional=True, domain=type_.others)
    from gateway.diagnostic import shortened, suggest

    near = suggest(name, type_.fields)
    known = ", ".join(f"`{field}`" for field in sorted(type_.fields)[:_MOST_LISTED]) or "none"
    help_ = f"did you mean `{near[0]}`?" if near else f"known: {known}"
    if type_.missing:
        help_ = f"{help_}; {type_.missing}"
    return Wrong("cel-name", f"`{type_}` has no field `{shortened(name)}`", help_, tuple(type_.fields))


def nearest(type_: Type, name: str) -> str:
    """The declared field that was probably meant by a name which only an open object may have."""
    if not isinstance(type_, ObjectType) or name in type_.fields:
        return ""
    from gateway.diagnostic import suggest

    return next(iter(suggest(name, type_.fields)), "")


def element_type(type_: Type, key: Type) -> Type | None:
    """What `value[key]` gives for a key that is not known; None if that is impossible."""
    match type_:
        case ListType(element=element):
            return element if key in (INT, DYN, NEVER) else None
        case MapType(key=own, value=value):
            return value if comparable(own, key) else None
        case ObjectType():
            return DYN if key in (STRING, DYN) else None
    return DYN if type_ in (DYN, NEVER) else None


def loop_types(type_: Type, count: int) -> tuple[Type, ...] | None:
    """The types of a macro's variables; None if there is nothing to go through."""
    match type_:
        case ListType(element=element):
            return (element,) if count == 1 else (INT, element)
        case MapType(key=key, value=value):
            return (key, value)[:count]
        case ObjectType():
            return (STRING, DYN)[:count]
    return (DYN,) * count if type_ in (DYN, NEVER) else None


def path_of(node: Node, root_of: Callable[[Node], tuple[Path, Iterable[Select]] | None]) -> Path | None:
    """The path of a chain of plain steps; `root_of` says what a name, or the names in front, stand for."""
    steps: list[str | int] = []
    while True:
        if root := root_of(node):
            path, rest = root
            return (*path, *(step.field for step in rest), *reversed(steps))
        if isinstance(node, Select) and node.access is Access.PLAIN:
            steps.append(node.field)
        elif (
            isinstance(node, Index)
            and node.access is Access.PLAIN
            and isinstance(node.index, Literal)
            and node.index.value.__class__ in (str, int)
        ):
            steps.append(node.index.value)
        else:
            return None
        node = node.operand
