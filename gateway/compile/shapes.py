"""What schemas come to, once for all tools that have equal ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gateway.cel import Environment, Field, ObjectType
from gateway.compile.environment import call_environment
from gateway.compile.inspected import Facts
from gateway.compile.schemas import arguments_type, role_fields
from gateway.schema import (
    ArgumentPath,
    ArgumentType,
    Validator,
    argument_type,
    closed,
    resolved,
    role_paths,
    sensitive_paths,
)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a schema and the kinds of its inspected arguments come to, whichever tool they belong to."""

    whole: ArgumentType
    roles: Mapping[str, tuple[ArgumentPath, ...]]
    sensitive: tuple[ArgumentPath, ...]
    environment: Environment
    validator: Validator


class Shapes:
    """The shapes of a policy's schemas, each found once."""

    def __init__(self, base: Environment, facts: Facts) -> None:
        self.base = base
        self._facts = facts
        self._found: dict[str, Shape] = {}
        self._arguments: dict[str, Field] = {}

    def of(self, schema: Mapping[str, Any], kinds: Mapping[str, str], forced: frozenset[str]) -> Shape:
        """The shape of a schema with inspected arguments, of which some are forced."""
        # A text tells 1 from 1.0 and from true, and one order of arguments from another; equality does not.
        text = repr((schema, kinds, sorted(forced)))
        shape = self._found.get(text)
        if shape is None:
            shape = self._found[text] = self._made(resolved(schema), kinds, forced)
        return shape

    def _made(self, schema: Mapping[str, Any], kinds: Mapping[str, str], forced: frozenset[str]) -> Shape:
        whole, roles = argument_type(schema), role_paths(schema)
        inspected = {argument: self._facts.of(kind) for argument, kind in kinds.items()}
        arguments = self._shared(arguments_type(whole), schema, forced)
        environment = call_environment(self.base, arguments, role_fields(whole, roles), inspected)
        return Shape(
            whole=whole,
            roles=roles,
            sensitive=sensitive_paths(schema),
            environment=environment,
            validator=Validator(closed(schema), forced),
        )

    def _shared(self, arguments: ObjectType, schema: Mapping[str, Any], forced: frozenset[str]) -> ObjectType:
        """The arguments, where those that another tool declares just so are one with that tool's."""
        if not schema.keys() <= _PLAIN:
            return arguments
        required, properties = schema.get("required", ()), schema.get("properties", {})
        fields = dict(arguments.fields)
        for name in fields.keys() & properties.keys():
            text = repr((name, properties[name], name in required, name in forced))
            fields[name] = self._arguments.setdefault(text, fields[name])
        return replace(arguments, fields=fields)


_PLAIN = frozenset(("type", "properties", "required", "additionalProperties", "description", "title"))
"""The keywords with which each argument of a schema says for itself what it can be."""
