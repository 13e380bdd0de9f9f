"""CEL: read an expression, check it, evaluate it, and say what it can come to before everything is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.cel.abstract import Known, Outcome, Partial, Unknown
    from gateway.cel.checker import Checked, check
    from gateway.cel.environment import Environment
    from gateway.cel.foreseen import Outcomes, outcomes
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

_MODULES = {
    "gateway.cel.abstract": "Known Outcome Partial Unknown",
    "gateway.cel.checker": "Checked check",
    "gateway.cel.environment": "Environment",
    "gateway.cel.foreseen": "Outcomes outcomes",
    "gateway.cel.parser": "parse",
    "gateway.cel.program": "Observation Program Watched plan",
    "gateway.cel.syntax": "Parsed bind",
    "gateway.cel.types": "BOOL BYTES DECIMAL DOUBLE DURATION DYN Field INT ListType "
    "MapType NULL ObjectType OptionalType STRING TIMESTAMP TYPE Type UINT",
    "gateway.cel.values": "CelError Decimal Duration ErrorKind Timestamp UInt",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

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


def __getattr__(name: str) -> Any:
    """Names are imported when they are first used: who evaluates an expression reads and checks none."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `gateway.cel` has no attribute `{name}`")
    from importlib import import_module

    value = getattr(import_module(home), name)
    globals()[name] = value
    return value
