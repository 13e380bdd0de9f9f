"""What a tool's `config` says in its schema: `{config.name}` as a whole value, or inside of a description (D1)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gateway.later import later
from gateway.schema.keywords import KeyPath

_REFERENCE = later(r"\{config((?:\.[A-Za-z_][A-Za-z0-9_-]{0,99}){1,8})\}", re.ASCII)
_TEXTS = ("description", "title")
_MISSING: Any = object()


def refers_to_config(schema: object) -> bool:
    """Whether something in a schema is said by the tool's `config`."""
    return next(_references(schema, ()), None) is not None


def configured(
    schema: Mapping[str, Any], config: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[tuple[KeyPath, str], ...]]:
    """The schema with what `config` says, and each reference to what it does not say, with its place."""
    unknown = tuple(
        (path, f"config{name}") for path, name in _references(schema, ()) if _value(config, name) is _MISSING
    )
    filled: dict[str, Any] = _filled(schema, config, in_text=False)
    return filled, unknown


def _references(value: object, path: KeyPath) -> Iterator[tuple[KeyPath, str]]:
    if isinstance(value, str):
        in_text = bool(path) and path[-1] in _TEXTS
        whole = _REFERENCE.fullmatch(value)
        for match in _REFERENCE.finditer(value) if in_text else ([whole] if whole is not None else []):
            yield path, match[1]
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _references(item, (*path, key))
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _references(item, (*path, index))


def _filled(value: Any, config: Mapping[str, Any], *, in_text: bool) -> Any:
    if isinstance(value, str):
        if in_text:
            return _REFERENCE.sub(lambda match: _written(_value(config, match[1])), value)
        whole = _REFERENCE.fullmatch(value)
        found = _MISSING if whole is None else _value(config, whole[1])
        return value if found is _MISSING else found
    if isinstance(value, Mapping):
        return {key: _filled(item, config, in_text=key in _TEXTS) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(item, config, in_text=False) for item in value]
    return value


def _value(config: Mapping[str, Any], name: str) -> Any:
    value: Any = config
    for step in name.split(".")[1:]:
        if not isinstance(value, Mapping) or step not in value:
            return _MISSING
        value = value[step]
    return value


def _written(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
