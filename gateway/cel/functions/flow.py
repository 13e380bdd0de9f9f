"""Where values come from: functions over what a session has read so far."""

from __future__ import annotations

from gateway.cel.functions.signature import Function, Overload, Style
from gateway.cel.types import BOOL, STRING, Field, ObjectType

ORIGIN = ObjectType("origin", {"untrusted": Field(BOOL)})

FUNCTIONS = (
    Function(
        "origin",
        Style.GLOBAL,
        (Overload((STRING,), ORIGIN, None),),
        "Where a text comes from: whether it was seen in an untrusted result of this session.",
        "!origin('ann@acme.com').untrusted",
    ),
)
