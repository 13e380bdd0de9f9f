"""CEL: read an expression, check it, evaluate it, and say what it can come to before everything is known."""

from gateway.cel.abstract import Known, Outcome, Partial, Unknown
from gateway.cel.checker import Checked, check
from gateway.cel.environment import Environment
from gateway.cel.outcomes import Outcomes, outcomes
from gateway.cel.parser import parse
from gateway.cel.program import Observation, Program, Watched, plan
from gateway.cel.syntax import Parsed, bind
from gateway.cel.types import (
    BOOL,
    BYTES,
    DECIMAL,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    Field,
    ListType,
    MapType,
    ObjectType,
    OptionalType,
    Type,
)
from gateway.cel.values import CelError, Decimal, Duration, ErrorKind, Timestamp, UInt

__all__ = [
    "BOOL",
    "BYTES",
    "DECIMAL",
    "DOUBLE",
    "DURATION",
    "DYN",
    "INT",
    "NULL",
    "STRING",
    "TIMESTAMP",
    "TYPE",
    "UINT",
    "CelError",
    "Checked",
    "Decimal",
    "Duration",
    "Environment",
    "ErrorKind",
    "Field",
    "Known",
    "ListType",
    "MapType",
    "ObjectType",
    "Observation",
    "OptionalType",
    "Outcome",
    "Outcomes",
    "Parsed",
    "Partial",
    "Program",
    "Timestamp",
    "Type",
    "UInt",
    "Unknown",
    "Watched",
    "bind",
    "check",
    "outcomes",
    "parse",
    "plan",
]
