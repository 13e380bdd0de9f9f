"""Fields, keys and elements of values: plain, optional, and through optionals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gateway.cel.operators import KEYS, NUMBERS, has_key
from gateway.cel.values import (
    NONE,
    CelError,
    ErrorKind,
    Kind,
    OptionalValue,
    adopt,
    kind_of,
    no_overload,
    some,
)


def field(value: Any, name: str) -> Any:
    """`value.name`; of an optional it is an optional again."""
    if isinstance(value, OptionalValue):
        return _inside(value, lambda held: optional_field(held, name))
    if has_field(value, name):
        return value[name]
    raise CelError(ErrorKind.NO_SUCH_KEY, f"no field `{name}`")


def optional_field(value: Any, name: str) -> OptionalValue:
    """`value.?name`."""
    if isinstance(value, OptionalValue):
        return _inside(value, lambda held: optional_field(held, name))
    return some(value[name]) if has_field(value, name) else NONE


def has_field(value: Any, name: str) -> bool:
    """`has(value.name)`; nothing but a map has fields."""
    if value.__class__ is dict or isinstance(value, Mapping):
        return name in value
    if isinstance(value, OptionalValue):
        return value.present and has_field(value.value, name)
    raise CelError(ErrorKind.NO_SUCH_OVERLOAD, f"{kind_of(value).value} has no fields, so no `{name}`")


def element(value: Any, key: Any) -> Any:
    """`value[key]`; of an optional it is an optional again."""
    if isinstance(value, OptionalValue):
        return _inside(value, lambda held: optional_element(held, key))
    if kind_of(value) is Kind.MAP:
        return _at_key(value, key)
    return _at_place(value, key)


def optional_element(value: Any, key: Any) -> OptionalValue:
    """`value[?key]`."""
    if isinstance(value, OptionalValue):
        return _inside(value, lambda held: optional_element(held, key))
    if kind_of(value) is Kind.MAP:
        return some(_at_key(value, key)) if has_key(value, key) else NONE
    try:
        return some(_at_place(value, key))
    except CelError as error:
        if error.kind is ErrorKind.NO_SUCH_KEY:
            return NONE
        raise


def _inside(value: OptionalValue, step: Callable[[Any], OptionalValue]) -> OptionalValue:
    return step(value.value) if value.present else NONE


def _at_place(value: Any, index: Any) -> Any:
    place = kind_of(index)
    if kind_of(value) is not Kind.LIST or place not in NUMBERS:
        raise no_overload("[]", value, index)
    if place is Kind.DOUBLE and not float(index).is_integer():
        raise no_overload("[]", value, index)
    if not 0 <= index < len(value):
        raise CelError(ErrorKind.NO_SUCH_KEY, f"index {int(index)} is beyond a list of {len(value)}")
    return adopt(value)[int(index)]


def _at_key(value: Mapping[Any, Any], key: Any) -> Any:
    if kind_of(key) not in KEYS and key.__class__ is not float:
        raise no_overload("[]", value, key)
    if has_key(value, key):
        return value[key]
    raise CelError(ErrorKind.NO_SUCH_KEY, f"no key {written(key)}")


def written(value: Any) -> str:
    """A value for a message: short, in CEL's notation."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    text = repr(value[:_LONGEST] if isinstance(value, str | bytes) else value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def quoted(text: str) -> str:
    """A text for a message: short, and in backticks as all that a user wrote."""
    shown = repr(text[:_LONGEST])[1:-1]
    return f"`{shown}`" if len(text) <= _LONGEST else f"`{shown}…`"


_LONGEST = 80
