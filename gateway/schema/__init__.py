"""Tools' parameter schemas: checked as an attacker's input, closed, and used to judge arguments."""

from gateway.schema.arguments import EACH, ArgumentPath, collected, role_paths, sensitive_paths
from gateway.schema.check import ROLES, check_schema
from gateway.schema.closed import closed
from gateway.schema.configured import configured, refers_to_config
from gateway.schema.defaults import WithDefaults
from gateway.schema.emitted import Emitter, emitted
from gateway.schema.fields import ArgumentType, Field, Presence, argument_type, fields
from gateway.schema.flat import Flat, flat
from gateway.schema.resolve import SchemaError, resolved
from gateway.schema.validator import ArgumentProblem, Validator

__all__ = [
    "EACH",
    "ROLES",
    "ArgumentPath",
    "ArgumentProblem",
    "ArgumentType",
    "Emitter",
    "Field",
    "Flat",
    "Presence",
    "SchemaError",
    "Validator",
    "WithDefaults",
    "argument_type",
    "check_schema",
    "closed",
    "collected",
    "configured",
    "emitted",
    "fields",
    "flat",
    "refers_to_config",
    "resolved",
    "role_paths",
    "sensitive_paths",
]
