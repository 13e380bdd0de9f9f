"""Flat schemas: objects of texts, numbers and flags, each of which can be checked in a line of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gateway.frozen import frozen
from gateway.schema.keywords import Schema

_SAYING_NOTHING = frozenset(
    {"title", "description", "examples", "$comment", "$schema", "$defs", "deprecated"}
)
"""Keywords that refuse no value."""
_OF_THE_WHOLE = frozenset({"type", "properties", "required", "additionalProperties"})
_MOST_ARGUMENTS = 32
_LONGEST = 2**17
"""So many longest texts are still no more than arguments may hold in all."""


@frozen
class Flat:
    """One argument: its name, whether it must be there, and an expression that is true of values that certainly do.

    In the expression `{0}` stands for the value. Without one, no value is known to do.
    """

    name: str
    required: bool
    fits: str


def flat(schema: Mapping[str, Any]) -> tuple[Flat, ...] | None:
    """The arguments of a closed schema, if nothing but the arguments one by one decides whether they fit."""
    return _one_by_one(schema) if schema.get("additionalProperties") is False else None


def _one_by_one(schema: Mapping[str, Any]) -> tuple[Flat, ...] | None:
    """The arguments that are listed, where each is looked at by itself; what is said of others is left out."""
    properties, required = schema.get("properties", {}), schema.get("required", ())
    if not _keywords(schema) <= _OF_THE_WHOLE or schema.get("type", "object") != "object":
        return None
    if not properties.keys() >= set(required):
        return None
    if len(properties) > _MOST_ARGUMENTS:
        return None
    found = tuple(Flat(name, name in required, _fits(part)) for name, part in properties.items())
    return found if all(one.fits for one in found if one.required) else None


def surely_fit(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> bool:
    """Whether arguments in normal form certainly fit; false wherever that takes more than a look at each."""
    known = _one_by_one(schema)
    if known is None:
        return False
    by_name = {one.name: one.fits for one in known}
    if not arguments.keys() <= by_name.keys() or any(
        one.required and one.name not in arguments for one in known
    ):
        return False
    # The expressions are our own; of the schema they hold numbers and quoted texts alone.
    return all(
        by_name[name] != "" and bool(eval(by_name[name].format("value"), {"value": value}))  # noqa: S307
        for name, value in arguments.items()
    )


def _keywords(schema: Mapping[str, Any]) -> set[str]:
    return {key for key in schema if key not in _SAYING_NOTHING and not key.startswith("x-")}


def _fits(schema: Schema) -> str:
    """What is true of values in normal form that fit; texts that are not ASCII are left out."""
    if not isinstance(schema, Mapping):
        return ""
    keywords, types = _keywords(schema), schema.get("type", ())
    if isinstance(types, str):
        known, bounds = _BOUNDED.get(types, (frozenset(), ()))
        if not keywords <= known or not all(type(schema.get(key, 0)) is int for key, _ in bounds):
            return ""
        tests = [_TESTS.get(types, ""), *(test % schema[key] for key, test in bounds if key in schema)]
        if "enum" in schema:
            tests.append(_listed(schema["enum"]))
        return " and ".join(tests) if all(tests) else ""
    tests = [_TESTS.get(name, "") for name in types] if keywords <= {"type"} else []
    return " or ".join(tests) if tests and all(tests) else ""


def _listed(values: Sequence[Any]) -> str:
    if not all(type(value) is str for value in values):
        return ""
    listed = "".join(f"{value!a}, " for value in values).replace("{", "{{").replace("}", "}}")
    return f"{{0}} in ({listed})"


_INTEGER = f"(type({{0}}) is int and {-(2**63)} <= {{0}} < {2**63})"
_TESTS = {
    "string": f'(type({{0}}) is str and {{0}}.isascii() and len({{0}}) < {_LONGEST} and "\\0" not in {{0}})',
    "integer": _INTEGER,
    "number": _INTEGER,
    "boolean": "type({0}) is bool",
    "null": "{0} is None",
}
_BETWEEN = (("minimum", "{0} >= %d"), ("maximum", "{0} <= %d"))
_BOUNDED: Mapping[str, tuple[frozenset[str], tuple[tuple[str, str], ...]]] = {
    "string": (
        frozenset({"type", "enum", "minLength", "maxLength"}),
        (("minLength", "len({0}) >= %d"), ("maxLength", "len({0}) <= %d")),
    ),
    "integer": (frozenset({"type", "minimum", "maximum"}), _BETWEEN),
    "number": (frozenset({"type", "minimum", "maximum"}), _BETWEEN),
    "boolean": (frozenset({"type"}), ()),
    "null": (frozenset({"type"}), ()),
}
"""By type the keywords that are understood, and of those with a whole number what they ask."""
