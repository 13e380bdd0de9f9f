"""What conditions read that is a whole number wherever it is one at all: `> 20` and `>= 21` are the same there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

from gateway.relaxation.change import Values
from gateway.relaxation.spelled import field_text
from gateway.schema import argument_type, resolved
from gateway.schema.keywords import Schema

if TYPE_CHECKING:
    from gateway.policy import Settings


def whole_arguments(schema: Mapping[str, Any]) -> frozenset[str]:
    """The arguments that a schema keeps from being a fraction, as conditions spell them."""
    return frozenset(_places(resolved(schema), "args"))


def _places(schema: Schema, path: str) -> Iterator[str]:
    """What `properties` says holds whatever is combined with it."""
    if not isinstance(schema, Mapping):
        return
    for name, item in schema.get("properties", {}).items():
        below = f"{path}.{field_text(name)}"
        if isinstance(item, Mapping):
            types = argument_type(item).types
            if "integer" in types and "number" not in types:
                yield below
        yield from _places(item, below)


def whole_facts(settings: Settings) -> frozenset[str]:
    """What the host supplies and `settings.types` says is an int: a part with another value is not there."""
    return frozenset(
        f"{part}.{field_text(name)}"
        for part, fields in settings.types.items()
        for name, text in fields.items()
        if text.name == "int"
    )


def in_all(each: Iterable[frozenset[str]]) -> frozenset[str]:
    """What is whole for every one of several tools."""
    first, *rest = [*each] or [frozenset()]
    return first.intersection(*rest)


def whole_in(old: Values, new: Values) -> Set[str]:
    """What is whole for all calls that a part is about, before and after."""
    return frozenset(old.get("whole", ())) & frozenset(new.get("whole", ()))
