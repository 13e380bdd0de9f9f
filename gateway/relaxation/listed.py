"""Schemas that list their values (`enum`, `const`): each value can be held against another schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gateway.schema import SchemaError, Validator, closed


def listed(schema: Mapping[str, Any]) -> list[str] | None:
    """The values of `enum` and `const` as JSON texts."""
    texts = [[_text(value) for value in values] for values in _values(schema)]
    return [text for text in texts[0] if all(text in other for other in texts)] if texts else None


def _values(schema: Mapping[str, Any]) -> list[list[Any]]:
    found = [[schema["const"]]] if "const" in schema else []
    return found + ([schema["enum"]] if "enum" in schema else [])


def _text(value: Any) -> str:
    return json.dumps(_whole(value), sort_keys=True)


def _whole(value: Any) -> Any:
    """The value with `1.0` as `1`, which is the same in JSON."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: _whole(inner) for key, inner in value.items()}
    return [_whole(inner) for inner in value] if isinstance(value, list) else value


def is_among(narrow: Mapping[str, Any], wide: Mapping[str, Any]) -> bool:
    """Whether a schema lists its values, and another one accepts each of them as it is.

    Objects and arrays are not looked into: what is inside of them may have defaults and numbers of its own.
    """
    lists = _values(narrow)
    if not lists or not _fill_alike(narrow, wide):
        return False
    if any(isinstance(value, Mapping | list) for value in lists[0]):
        return False
    try:
        validator = Validator(
            closed({"type": "object", "properties": {"value": wide}, "required": ["value"]})
        )
    except (SchemaError, ValueError):
        return False
    return all(validator.problem({"value": value}) is None for value in lists[0])


def _fill_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether both fill in the same default, and none that stands deeper."""
    texts = [json.dumps(side.get("default"), sort_keys=True, default=str) for side in (one, other)]
    rest = [{key: value for key, value in side.items() if key != "default"} for side in (one, other)]
    alike = texts[0] == texts[1] and ("default" in one) is ("default" in other)
    return alike and not any('"default"' in json.dumps(side, default=str) for side in rest)
