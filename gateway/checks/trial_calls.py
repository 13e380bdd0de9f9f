"""Arguments to try a condition with: few values for each that it reads, those at the edges among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from gateway.schema import resolved
from gateway.schema.example import candidates
from gateway.schema.keywords import types_of

if TYPE_CHECKING:
    from gateway.cel import Parsed
    from gateway.cel.syntax import Node
    from gateway.compile.tools import Typed

_ABSENT = object()
_EDGES: Mapping[str, tuple[Any, ...]] = {
    "string": ("", "text"),
    "integer": (0, 1, -1),
    "number": (0, 1, 0.5),
    "boolean": (True, False),
    "array": ([],),
    "object": ({},),
    "null": (None,),
}
_MOST_VALUES, _MOST_VARIED, _MOST_CALLS = 8, 12, 2**12
"""How many values of an argument, how many arguments, and how many calls of these are looked at."""


def trial_calls(typed: Typed, parsed: Iterable[Parsed], most: int) -> Iterator[Mapping[str, Any]]:
    """Arguments for a call of a tool, likely ones first; whether they fit the schema is for the caller to ask."""
    from gateway.cel.costs.reading import arguments_read
    from gateway.cel.syntax import Ident

    every = tuple(parsed)
    schema = resolved(typed.schema)
    properties, required = schema.get("properties", {}), schema.get("required", ())
    base = {key: next(iter(candidates(properties.get(key, True))), None) for key in required}
    read: dict[str, None] = {}
    for one in every:
        names, whole = arguments_read(one)
        read.update(dict.fromkeys(properties if whole else names))
    if any(isinstance(node, Ident) and node.name == "roles" for node in nodes(every)):
        read.update(dict.fromkeys(str(path[0]) for paths in typed.roles.values() for path in paths))
    read = dict.fromkeys([name for name in read if name in properties][:_MOST_VARIED])
    constants = [value for _, value in dict.fromkeys(_constants(every))]
    keys = list(dict.fromkeys(_keys(every)))
    limit = max(most for most in range(1, _MOST_VALUES + 1) if most ** len(read) <= _MOST_CALLS)
    values = []
    for name in read:
        found = _values(properties[name], constants, keys, limit)
        values.append(found if name in required else [*found[: limit - 1], _ABSENT])
    for chosen in islice(_least_first(values), most):
        picked = {key: value for key, value in zip(read, chosen, strict=True) if value is not _ABSENT}
        yield typed.defaults({**{key: value for key, value in base.items() if key not in read}, **picked})


def _least_first(values: list[list[Any]]) -> Iterable[tuple[Any, ...]]:
    """All combinations, those first in which few values are unlikely ones."""
    places = sorted(product(*(range(len(each)) for each in values)), key=sum)
    return (tuple(each[place] for each, place in zip(values, chosen, strict=True)) for chosen in places)


def _values(schema: Any, constants: list[Any], keys: list[str], most: int) -> list[Any]:
    """A value that fits, what the condition compares with, and what stands at an edge."""
    found = list(islice(candidates(schema), 2))
    types = types_of(schema) if isinstance(schema, Mapping) else frozenset()
    if not types:
        types = frozenset(_EDGES)
    if "object" in types and keys:
        found += [dict.fromkeys(keys, one) for one in ("text", 1)]
    found += [edge for name in sorted(types) for edge in _EDGES.get(name, ())]
    texts = [one for one in constants if isinstance(one, str)]
    numbers = [one for one in constants if isinstance(one, int | float) and not isinstance(one, bool)]
    more: list[Any] = (texts if "string" in types else []) + (
        numbers if types & {"integer", "number"} else []
    )
    kept: list[Any] = []
    for one in (*found[:1], *more[: most // 2], *found[1:]):
        if not any(one == other and type(one) is type(other) for other in kept):
            kept.append(one)
    return kept[:most]


def _constants(parsed: Iterable[Parsed]) -> Iterator[tuple[type, Any]]:
    """The texts and numbers of some expressions."""
    from gateway.cel.syntax import Literal

    for node in nodes(parsed):
        if isinstance(node, Literal) and isinstance(node.value, str | int | float):
            yield type(node.value), node.value


def _keys(parsed: Iterable[Parsed]) -> Iterator[str]:
    """The names behind dots, but for those of arguments."""
    from gateway.cel.syntax import Has, Ident, Select

    for node in nodes(parsed):
        if isinstance(node, Select | Has) and not isinstance(node.operand, Ident):
            yield node.field


def nodes(parsed: Iterable[Parsed]) -> Iterator[Node]:
    """Every node of some expressions, and of what they name."""
    from gateway.cel.syntax import children

    for one in parsed:
        yield from nodes(one.lets.values())
        pending = [] if one.ast is None else [one.ast]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(children(node)))
