"""Flat schemas: objects of texts, numbers and flags, each of which can be checked in a line of Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gateway.schema.keywords import Schema

_SAYING_NOTHING = frozenset(
    {"title", "description", "examples", "$comment", "$schema", "$defs", "deprecated"}
)
"""Keywords that refuse no value."""
_OF_THE_WHOLE = frozenset({"type", "properties", "required", "additionalProperties"})
_MOST_ARGUMENTS = 32
_LONGEST = 2**17
"""So many longest texts are still no more than arguments may hold in all."""


@dataclass(frozen=True, slots=True)
class Flat:
    """One argument: its name, whether it must be there, and an expression that is true of values that certainly do.

    In the expression `{}` stands for the value. Without one, no value is known to do.
    """

    name: str
    required: bool
    fits: str


def flat(schema: Mapping[str, Any]) -> tuple[Flat, ...] | None:
    """The arguments of a closed schema, if nothing but the arguments one by one decides whether they fit."""
    properties, required = schema.get("properties", {}), schema.get("required", ())
    if not _keywords(schema) <= _OF_THE_WHOLE or schema.get("type", "object") != "object":
        return None
    if schema.get("additionalProperties") is not False or not properties.keys() >= set(required):
        return None
    if len(properties) > _MOST_ARGUMENTS:
        return None
    return tuple(Flat(name, name in required, _fits(part)) for name, part in properties.items())


def _keywords(schema: Mapping[str, Any]) -> set[str]:
    return {key for key in schema if key not in _SAYING_NOTHING and not key.startswith("x-")}


def _fits(schema: Schema) -> str:
    """What is true of values in normal form that fit; texts that are not ASCII are left out."""
    if not isinstance(schema, Mapping) or not _keywords(schema) <= {"type"}:
        return ""
    types = schema.get("type", ())
    tests = [_TESTS.get(name, "") for name in ([types] if isinstance(types, str) else types)]
    return " or ".join(tests) if all(tests) else ""


_TESTS = {
    "string": f'({{0}}.__class__ is str and {{0}}.isascii() and len({{0}}) < {_LONGEST} and "\\0" not in {{0}})',
    "integer": f"({{0}}.__class__ is int and {-(2**63)} <= {{0}} < {2**63})",
    "number": f"({{0}}.__class__ is int and {-(2**63)} <= {{0}} < {2**63})",
    "boolean": "{0}.__class__ is bool",
    "null": "{0} is None",
}
