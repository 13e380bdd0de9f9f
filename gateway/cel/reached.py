"""Fields and elements of values that are not known, or only in part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gateway.cel import access
from gateway.cel.abstract import (
    ANY_TRUTH,
    ANYTHING,
    EITHER,
    ERROR,
    FAILS,
    Known,
    Partial,
    Result,
    Value,
    known,
    of_truths,
    type_of,
    unknown,
)
from gateway.cel.conform import converter
from gateway.cel.domain import Domain
from gateway.cel.fields import Wrong, element_type, field_type
from gateway.cel.syntax import Access
from gateway.cel.types import BOOL, DYN, Field, ListType, MapType, ObjectType, OptionalType, Type
from gateway.cel.values import CelError


def entered(value: Any, declared: Type, domain: Domain | None = None) -> Value:
    """What is known of a variable, or of a field, as a value of its declared type."""
    if isinstance(value, Partial):
        return Partial(value.fields, declared)
    convert = converter(declared, domain)
    return Known(value if convert is None else convert(value))


def _computed(run: Callable[[], Any], may_error: bool) -> Result:
    try:
        return Result(Known(run()), may_error)
    except CelError:
        return FAILS


def field(operand: Result, name: str, kind: Access) -> Result:
    """`operand.name`, or `operand.?name`."""
    value = operand.value
    if value is None:
        return FAILS
    if isinstance(value, Known):
        step = access.field if kind is Access.PLAIN else access.optional_field
        return _computed(lambda: step(value.value, name), operand.may_error)
    if isinstance(value, Partial) and name in value.fields and kind is Access.PLAIN:
        declared = field_type(value.type, name)
        inner = Field(DYN) if isinstance(declared, Wrong) else declared
        return Result(entered(value.fields[name], inner.type, inner.domain), operand.may_error)
    type_ = value.type
    optional = kind is Access.OPTIONAL or isinstance(type_, OptionalType)
    held = type_.value if isinstance(type_, OptionalType) else type_
    found = field_type(held, name)
    if isinstance(found, Wrong):
        return ANYTHING
    if optional:
        return unknown(OptionalType(found.type), may_error=operand.may_error or not _has_fields(held))
    certain = isinstance(held, ObjectType) and name in held.fields and not found.optional
    return unknown(found.type, may_error=operand.may_error or not certain)


def _has_fields(type_: Type) -> bool:
    return isinstance(type_, ObjectType | MapType)


def has(operand: Result, name: str) -> Result:
    """`has(operand.name)`."""
    value = operand.value
    if value is None:
        return FAILS
    errors = ERROR if operand.may_error else frozenset()
    if isinstance(value, Known):
        return _computed(lambda: access.has_field(value.value, name), operand.may_error)
    if isinstance(value, Partial) and name in value.fields:
        return Result(Known(True), operand.may_error)
    type_ = value.type
    if isinstance(type_, ObjectType):
        declared = type_.fields.get(name)
        if declared is not None and not declared.optional:
            return Result(Known(True), operand.may_error)
        return of_truths(EITHER | errors)
    held = type_.value if isinstance(type_, OptionalType) else type_
    return of_truths(EITHER | errors if _has_fields(held) else ANY_TRUTH)


def index(operand: Result, key: Result, kind: Access) -> Result:
    """`operand[key]`, or `operand[?key]`."""
    value, at = operand.value, key.value
    if value is None or at is None:
        return FAILS
    may_error = operand.may_error or key.may_error
    if isinstance(value, Known) and isinstance(at, Known):
        step = access.element if kind is Access.PLAIN else access.optional_element
        return _computed(lambda: step(value.value, at.value), may_error)
    type_ = type_of(value)
    if isinstance(at, Known) and isinstance(at.value, str) and isinstance(type_, ObjectType):
        found = field(Result(value), at.value, kind)
        return Result(found.value, found.may_error or may_error)
    held = type_.value if isinstance(type_, OptionalType) else type_
    element = element_type(held, type_of(at))
    if element is None:
        return ANYTHING
    if kind is Access.OPTIONAL or isinstance(type_, OptionalType):
        return unknown(OptionalType(element), may_error=True)
    return unknown(element, may_error=True)


def contained(element: Result, range_: Result) -> Result:
    """`element in range`, one of which is not known."""
    value, inside = element.value, range_.value
    named = isinstance(value, Known) and isinstance(value.value, str)
    if named and isinstance(value, Known) and isinstance(inside, Partial) and value.value in inside.fields:
        return known(True)
    type_ = type_of(inside)
    return unknown(BOOL, may_error=not isinstance(type_, ListType | MapType | ObjectType))
