"""Errors of conditions that come of what a host supplies, in words that name it and tell nothing of its value."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gateway.cel.syntax import Parsed
from gateway.diagnostic import printable
from gateway.later import later
from gateway.plan import RulePlan
from gateway.steps.conforming import Conforms
from gateway.steps.deciding import Deciding

_NO_FIELD = later(r"no field `(\w+)`")
_LONGEST = 80


def in_words(ctx: Deciding, rule: RulePlan, error: str) -> str:
    """The error, or what the host supplied that it comes of: of another type than declared, or missing."""
    lacking = _NO_FIELD.fullmatch(error)
    texts = [text for condition in (rule.when, rule.unless) if condition for text in _texts(condition.parsed)]
    for part, values in _supplied(ctx):
        declared = ctx.engine.declared.get(part, {})
        if error == _WITHOUT[part]:
            unfit = (
                f"`{part}.{key}` is {_kind(check, values[key])}, declared `{check.text}`"
                for key, check in declared.items()
                if isinstance(check, Conforms) and key in values and not check(values[key])
            )
            return "; ".join(unfit) or error
        if lacking is None or lacking[1] in values:
            continue
        path = f"{part}.{lacking[1]}"
        if any(re.search(rf"(?<![\w.]){re.escape(path)}\b", text) for text in texts):
            check = declared.get(lacking[1])
            return f"`{path}` is missing" + (
                f", declared `{check.text}`" if isinstance(check, Conforms) else ""
            )
    return error


_WITHOUT = {
    "session.facts": "no field `facts`",
    "subject.attributes": "no field `attributes`",
    "turn": "nothing is named `turn`",
}
"""What a condition fails with where a part is left out, since something in it has another type than declared."""


def _supplied(ctx: Deciding) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield "session.facts", ctx.session.facts
    yield "turn", ctx.session.turn
    if ctx.session.subject is not None:
        yield "subject.attributes", ctx.session.subject.attributes


def _texts(parsed: Parsed) -> Iterator[str]:
    yield parsed.excerpt.text
    for let in parsed.lets.values():
        yield from _texts(let)


def _kind(check: Conforms, value: Any) -> str:
    """What a value is that has not the type."""
    items = value.values() if isinstance(value, Mapping) else value
    if check.item is not None and isinstance(value, Mapping if check.name == "map" else list | tuple):
        held = next((_kind(check.item, item) for item in items if not check.item(item)), "")
        return (
            f"{_named(value)} that holds {held}" if held else f"{_named(value)} with keys that are no strings"
        )
    return _named(value)


def _named(value: Any) -> str:
    if type(value) is int and not -(2**63) <= value < 2**63:
        return "a number of more than 64 bits"
    if type(value) is float and not math.isfinite(value):
        return "no finite number"
    if type(value) in _KINDS:
        return _KINDS[type(value)]
    if isinstance(value, Mapping):
        return "an object"
    return f"a value of the class `{printable(type(value).__name__)[:_LONGEST]}`"


_KINDS: Mapping[type, str] = {
    type(None): "null",
    bool: "a boolean",
    int: "a whole number",
    float: "a number with a fraction",
    str: "a string",
    bytes: "bytes",
    list: "a list",
    tuple: "a list",
}
