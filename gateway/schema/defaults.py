"""WithDefaults that a schema gives to arguments which the model left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from gateway.schema.keywords import Schema
from gateway.schema.resolve import resolved

Fill = Callable[[Any], Any]


class WithDefaults:
    """Adds a schema's defaults to arguments, also inside objects and lists that are there.

    It returns the very object that it was given when nothing is missing, and never changes it.
    """

    __slots__ = ("_fill", "_schema")

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._fill = _filler(resolved(schema))

    @property
    def any(self) -> bool:
        """Whether the schema has defaults at all."""
        return self._fill is not None

    def __call__(self, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments with what they lack."""
        fill = self._fill
        if fill is None:
            return arguments
        filled: Mapping[str, Any] = fill(arguments)
        return filled

    def __reduce__(self) -> tuple[type[WithDefaults], tuple[Mapping[str, Any]]]:
        return WithDefaults, (self._schema,)


def _certain(schema: Schema) -> Iterator[Mapping[str, Any]]:
    """The schema and those that always apply with it; what depends on a condition gives no defaults."""
    if isinstance(schema, Mapping):
        yield schema
        for item in schema.get("allOf", ()):
            yield from _certain(item)


def _filler(schema: Schema) -> Fill | None:
    """What fills a value of this schema; None where nothing in it has a default."""
    missing: dict[str, Any] = {}
    inner: dict[str, Fill] = {}
    each: Fill | None = None
    for part in _certain(schema):
        for name, item in part.get("properties", {}).items():
            fill = _filler(item)
            default = _default(item)
            if default and name not in missing:
                missing[name] = default[0] if fill is None else fill(default[0])
            if fill is not None:
                inner[name] = _chained(inner.get(name), fill)
        fill = _filler(part.get("items"))
        if fill is not None and "prefixItems" not in part:
            each = _chained(each, fill)
    if not missing and not inner and each is None:
        return None
    return _combined(missing, inner, each)


def _default(schema: Schema) -> tuple[Any, ...]:
    return next(((part["default"],) for part in _certain(schema) if "default" in part), ())


def _chained(first: Fill | None, second: Fill) -> Fill:
    return second if first is None else lambda value: second(first(value))


def _combined(missing: Mapping[str, Any], inner: Mapping[str, Fill], each: Fill | None) -> Fill:
    def fill(value: Any) -> Any:
        if isinstance(value, Mapping):
            return _filled(value, missing, inner)
        if each is not None and isinstance(value, list):
            items = [each(item) for item in value]
            return value if all(new is old for new, old in zip(items, value, strict=True)) else items
        return value

    return fill


def _filled(value: Mapping[str, Any], missing: Mapping[str, Any], inner: Mapping[str, Fill]) -> Any:
    added: dict[str, Any] = {}
    for name, fill in inner.items():
        if name in value:
            old = value[name]
            new = fill(old)
            if new is not old:
                added[name] = new
    for name, default in missing.items():
        if name not in value:
            # A default is copied, since the host may change what it runs.
            added[name] = deepcopy(default) if isinstance(default, dict | list) else default
    return {**value, **added} if added else value
