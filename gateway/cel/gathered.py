"""Collections some of whose elements are not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gateway.cel import abstract
from gateway.cel.abstract import FAILS, Known, Outcome, Result, Truths, Unknown, Value, type_of
from gateway.cel.syntax import Access, MacroKind
from gateway.cel.types import DYN, NEVER, ListType, MapType, OptionalType, Type, join
from gateway.cel.values import some


@dataclass(frozen=True, slots=True)
class Item:
    """What is known of an element of a literal, and whether it is put there only if it is present."""

    result: Result
    access: Access

    @property
    def held(self) -> Result:
        """The element itself, where it is present."""
        result = self.result
        if self.access is Access.PLAIN or result.value is None:
            return result
        type_ = type_of(result.value)
        if isinstance(type_, OptionalType):
            return Result(Unknown(type_.value), result.may_error)
        return Result(Unknown(DYN), may_error=True)


def list_of(items: Sequence[Item]) -> Result:
    """A list literal."""
    results = [item.held for item in items]
    values = [result.value for result in results]
    if any(value is None for value in values):
        return FAILS
    may_error = any(result.may_error for result in results)
    known = [value.value for value in values if isinstance(value, Known)]
    if len(known) == len(items):
        return Result(Known(known), may_error)
    return Result(Unknown(ListType(_joined(values))), may_error)


def map_of(keys: Sequence[Result], items: Sequence[Item]) -> Result:
    """A map literal; only keys that are known to be different strings certainly do no harm."""
    results = [item.held for item in items]
    if any(result.value is None for result in (*keys, *results)):
        return FAILS
    names = [key.value.value for key in keys if isinstance(key.value, Known)]
    certain = len(names) == len(keys) and all(name.__class__ is str for name in names)
    certain = certain and len(set(names)) == len(names)
    may_error = not certain or any(result.may_error for result in (*keys, *results))
    values = [result.value.value for result in results if isinstance(result.value, Known)]
    if certain and len(values) == len(results):
        return Result(Known(dict(zip(names, values, strict=True))), may_error)
    key_type = _joined([key.value for key in keys])
    return Result(Unknown(MapType(key_type, _joined([result.value for result in results]))), may_error)


def kept_of(kind: MacroKind, bodies: Sequence[tuple[Truths, Result, Known]]) -> Result:
    """The list or map of the elements that are kept, or may be."""
    possible = [(kept, body, key) for kept, body, key in bodies if kept != abstract.FALSE]
    may_error = any(Outcome.ERROR in kept or body.may_error for kept, body, _ in possible)
    for kept, body, _ in possible:
        if kept == abstract.ERROR or (kept == abstract.TRUE and body.value is None):
            return FAILS
    if all(
        kept & abstract.EITHER == abstract.TRUE and isinstance(body.value, Known)
        for kept, body, _ in possible
    ):
        made = [(key.value, body.value.value) for _, body, key in possible if isinstance(body.value, Known)]
        return Result(Known(dict(made) if kind is MacroKind.MAP else [one for _, one in made]), may_error)
    value = _joined([body.value for _, body, _ in possible])
    if kind is MacroKind.LIST:
        return Result(Unknown(ListType(value)), may_error)
    return Result(Unknown(MapType(_joined([key for _, _, key in possible]), value)), may_error)


def wrapped(body: Result) -> Result:
    """The same as an optional that is present."""
    if isinstance(body.value, Known):
        return Result(Known(some(body.value.value)), body.may_error)
    if body.value is None:
        return body
    return Result(Unknown(OptionalType(body.value.type)), body.may_error)


def _joined(values: Sequence[Value | None]) -> Type:
    type_: Type = NEVER
    for value in values:
        type_ = join(type_, type_of(value))
    return type_
