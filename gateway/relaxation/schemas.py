"""Two JSON schemas of a tool's arguments: whether the new one accepts more, less, or neither for sure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from types import MappingProxyType
from typing import Any

from gateway.relaxation.change import Judged, named, other, relaxed, tightened
from gateway.relaxation.listed import is_among, listed
from gateway.schema import ArgumentType, argument_type, resolved
from gateway.schema.fields import JSON_TYPES
from gateway.schema.keywords import Schema, types_of

_SHOWN = frozenset(
    {"title", "description", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema"}
)
_ELSEWHERE = frozenset({"x-sensitive", "x-role"})
"""Marks that have items of their own."""
_COMBINING = frozenset(
    {
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "dependentSchemas",
        "patternProperties",
        "prefixItems",
    }
)
_MOST_TOLD = 3
_LONGEST = 240


@dataclass(slots=True)
class _Found:
    """What the new schema opens and narrows, what is unclear, and whether only words differ."""

    opened: list[str] = field(default_factory=list)
    narrowed: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    shown: bool = False


def judge_schemas(old: Mapping[str, Any], new: Mapping[str, Any]) -> Judged | None:
    """The verdict on a tool's schema; closed objects are those that do not say `additionalProperties: true`."""
    found = _Found()
    _compare(resolved(old), resolved(new), "the arguments", found)
    if found.opened:
        return relaxed(_told(found.opened))
    if not found.unclear and found.narrowed and _doubles_differ(argument_type(old), argument_type(new)):
        found.unclear.append("other numbers are read as fractions in conditions")
    if found.unclear:
        return other(_told(found.unclear), enforced=True)
    if found.narrowed:
        return tightened(_told(found.narrowed))
    return other("only what the schema shows differs", enforced=False) if found.shown else None


def schema_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Judged, ...]:
    """Each difference by itself, but for words that are only shown."""
    found = _Found()
    _compare(resolved(old), resolved(new), "the arguments", found)
    return (
        *(relaxed(_cut(reason)) for reason in found.opened),
        *(tightened(_cut(reason)) for reason in found.narrowed),
        *(other(_cut(reason), enforced=True) for reason in found.unclear),
    )


def _told(reasons: list[str]) -> str:
    more = len(reasons) - _MOST_TOLD
    return "; ".join(map(_cut, reasons[:_MOST_TOLD])) + (f"; and {more} more" if more > 0 else "")


def _cut(reason: str) -> str:
    return reason if len(reason) <= _LONGEST else f"{reason[:_LONGEST]}…"


def _compare(old: Schema, new: Schema, name: str, found: _Found) -> None:
    if _equal(old, new):
        return
    old, new = ({} if schema is True else schema for schema in (old, new))
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        if old is False:
            found.opened.append(f"{name} may be given")
        else:
            found.narrowed.append(f"{name} can't be given")
        return
    for key in dict.fromkeys((*old, *new)):
        if key in _KEYWORDS or key in _COMBINING or key in _ELSEWHERE or _equal(old.get(key), new.get(key)):
            continue
        if key in _SHOWN:
            found.shown = True
        else:
            found.unclear.append(f"{name}: `{key}` differs")
    if is_among(new, old):
        if not is_among(old, new):
            found.narrowed.append(f"{name} may only have the listed values")
        return
    if any(not _equal(old.get(key), new.get(key)) for key in _COMBINING):
        found.unclear.append(f"{name}: combined schemas differ")
    for judge in _JUDGES:
        judge(old, new, name, found)


def _equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same; `1` is not `true`."""
    return one is other or json.dumps(one, sort_keys=True, default=str) == json.dumps(
        other, sort_keys=True, default=str
    )


def _types(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    before, after = _all_types(old), _all_types(new)
    if _COMBINING & new.keys():
        after &= argument_type(new).types  # what its alternatives leave
    if after - before:
        found.opened.append(f"{name} may be of type {' or '.join(sorted(after - before))}")
    elif before - after:
        found.narrowed.append(f"{name} can't be of type {' or '.join(sorted(before - after))}")


def _all_types(schema: Mapping[str, Any]) -> frozenset[str]:
    types = types_of(schema) or JSON_TYPES
    return types | {"integer"} if "number" in types else types


def _values(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    before, after = listed(old), listed(new)
    if before is None or after is None:
        if before is not None:
            found.opened.append(f"{name} may have other values than listed")
        elif after is not None:
            found.narrowed.append(f"{name} may only have listed values")
        return
    gained = [value for value in after if value not in before]
    lost = [value for value in before if value not in after]
    if gained:
        found.opened.append(f"{name} may be {named(gained)}")
    elif lost:
        found.narrowed.append(f"{name} can't be {named(lost)}")


_Bound = tuple[float, bool]
_BOUNDS = (
    ("maximum", "exclusiveMaximum", 1),
    ("minimum", "exclusiveMinimum", -1),
    ("maxLength", "", 1),
    ("minLength", "", -1),
    ("maxItems", "", 1),
    ("minItems", "", -1),
    ("maxProperties", "", 1),
    ("minProperties", "", -1),
)


def _bounds(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    for key, exclusive, sign in _BOUNDS:
        before, after = (_bound(side, key, exclusive, sign) for side in (old, new))
        if types_of(new) == {"integer"}:
            before, after = map(_whole, (before, after))
        if before == after:
            continue
        if after is None or (before is not None and after > before):
            found.opened.append(f"{name}: `{key}` is {_instead(before, after, sign)}")
        else:
            found.narrowed.append(f"{name}: `{key}` is {_instead(before, after, sign)}")


def _bound(schema: Mapping[str, Any], key: str, exclusive: str, sign: int) -> _Bound | None:
    """The bound, the larger the more is accepted; one that is left out is less than one that is not."""
    bounds = [(sign * schema[key], True)] if key in schema else []
    bounds += [(sign * schema[exclusive], False)] if exclusive and exclusive in schema else []
    if key in _AT_LEAST_NOTHING and bounds and bounds[0][0] == 0:
        return None
    return min(bounds, default=None)


def _whole(bound: _Bound | None) -> _Bound | None:
    """The bound as whole numbers see it: below 5, which is left out, is 4 and below."""
    if bound is None:
        return None
    value, included = bound
    return (floor(value) if included else ceil(value) - 1, True)


_AT_LEAST_NOTHING = frozenset({"minLength", "minItems", "minProperties"})


def _instead(before: _Bound | None, after: _Bound | None, sign: int) -> str:
    return f"{_number(after, sign)} instead of {_number(before, sign)}"


def _number(bound: _Bound | None, sign: int) -> str:
    if bound is None:
        return "not set"
    return f"{sign * bound[0]}{'' if bound[1] else ', which is left out'}"


def _conditions(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    for key in ("pattern", "format", "multipleOf"):
        before, after = old.get(key), new.get(key)
        if _equal(before, after):
            continue
        if after is None:
            found.opened.append(f"{name}: `{key}` is not set instead of {named([before])}")
        elif before is None:
            found.narrowed.append(f"{name}: `{key}` is {named([after])} instead of not set")
        else:
            found.unclear.append(f"{name}: `{key}` is {named([after])} instead of {named([before])}")
    if bool(old.get("uniqueItems")) is not bool(new.get("uniqueItems")):
        if old.get("uniqueItems"):
            found.opened.append(f"{name} may hold an item twice")
        else:
            found.narrowed.append(f"{name} can't hold an item twice")


def _required(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    before, after = set(old.get("required", ())), set(new.get("required", ()))
    for key in sorted(before - after):
        found.opened.append(f"`{key}` is no longer required")
    for key in sorted(after - before):
        found.narrowed.append(f"`{key}` is required")


def _properties(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    before, after = old.get("properties", {}), new.get("properties", {})
    for key in dict.fromkeys((*before, *after)):
        if key in before and key in after:
            _compare(before[key], after[key], f"`{key}`", found)
        elif key in after:
            _came(old, after[key], key, found)
        else:
            _went(new, before[key], key, found)


def _came(old: Mapping[str, Any], schema: Schema, key: str, found: _Found) -> None:
    """A property that is declared now: where others could be there before, it is only described."""
    if _rest(old) is False:
        if schema is not False:
            found.opened.append(f"`{key}` is a new argument")
    elif _rest(old) is True and not _has_default(schema):
        found.narrowed.append(f"`{key}` is declared")
    else:
        found.unclear.append(f"`{key}` is declared")


def _went(new: Mapping[str, Any], schema: Schema, key: str, found: _Found) -> None:
    if _has_default(schema):
        found.unclear.append(f"`{key}` is gone, and with it its default")
    elif _rest(new) is False:
        found.narrowed.append(f"`{key}` is no longer an argument")
    elif _rest(new) is True:
        found.opened.append(f"`{key}` may be anything")
    else:
        found.unclear.append(f"`{key}` is no longer declared")


def _rest(schema: Mapping[str, Any]) -> Schema:
    """What undeclared keys may hold; absent is closed."""
    if _COMBINING & schema.keys() or "unevaluatedProperties" in schema:
        return None
    return schema.get("additionalProperties", False)


def _has_default(schema: Schema) -> bool:
    return '"default"' in json.dumps(schema, default=str)


def _others(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    """`additionalProperties`."""
    if _COMBINING & {*old, *new} and ("additionalProperties" in old) is not ("additionalProperties" in new):
        # Absent, it leaves room for what the combined schemas declare; `false` does not.
        found.unclear.append(f"{name}: `additionalProperties` differs")
        return
    before, after = old.get("additionalProperties", False), new.get("additionalProperties", False)
    if _equal(before, after):
        return
    if before is False or after is True:
        found.opened.append(f"{name} may have keys that are not declared")
    elif after is False or before is True:
        found.narrowed.append(f"{name} may have fewer keys that are not declared")
    else:
        _compare(before, after, f"undeclared keys of {name}", found)


def _items(old: Mapping[str, Any], new: Mapping[str, Any], name: str, found: _Found) -> None:
    if "items" in old and "items" in new:
        _compare(old["items"], new["items"], f"an item of {name}", found)
    elif "items" in old or "items" in new:
        found.unclear.append(f"{name}: `items` differs")


_JUDGES: tuple[Callable[[Mapping[str, Any], Mapping[str, Any], str, _Found], None], ...] = (
    _types,
    _values,
    _bounds,
    _conditions,
    _required,
    _properties,
    _others,
    _items,
)
_KEYWORDS: Mapping[str, None] = MappingProxyType(
    dict.fromkeys(
        (
            "type",
            "enum",
            "const",
            *(key for key, _, _ in _BOUNDS),
            *(key for _, key, _ in _BOUNDS if key),
            "pattern",
            "format",
            "multipleOf",
            "uniqueItems",
            "required",
            "properties",
            "additionalProperties",
            "items",
        )
    )
)
"""What the judges above look at; a keyword that none of them knows is unclear."""


def _doubles_differ(old: ArgumentType, new: ArgumentType) -> bool:
    """Whether a number counts as one with fractions in one of them only: conditions divide it differently.

    What was not declared before counts as it was given.
    """
    before, after = dict(_numbers(old, ())), dict(_numbers(new, ()))
    return any(before.get(path, False) is not fraction for path, fraction in after.items())


def _numbers(type_: ArgumentType, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Each place, and whether conditions see a fraction there."""
    yield path, type_.fractions
    for name, inner in type_.fields.items():
        yield from _numbers(inner.type, (*path, name))
    for step, below in (("[]", type_.items), ("*", type_.values)):
        if below is not None:
            yield from _numbers(below, (*path, step))
