"""Values of CEL on their way to another implementation and back, as JSON that says what each of them is."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from gateway.cel import CelError, Duration, Timestamp, UInt
from gateway.cel.values import OptionalValue, TypeValue

Answer: TypeAlias = list[Any]
"""A kind and what belongs to it, such as `["int", 3]` or `["error", "no such key"]`."""

_MICRO = 1_000
_START = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST = 60


class NoValue(Exception):
    """A value that other implementations have no counterpart of."""


def answer_of(value: Any) -> Answer:
    """A value of ours, with its kind; `NoValue` where it has no counterpart elsewhere."""
    match value:
        case None:
            return ["null"]
        case bool():
            return ["bool", value]
        case UInt():
            return ["uint", int(value)]
        case int():
            return ["int", value]
        case float():
            return ["double", repr(value)]
        case str():
            return ["string", value]
        case bytes() | bytearray():
            return ["bytes", base64.b64encode(value).decode()]
        case datetime():
            return ["timestamp", _micros(value - _START) * _MICRO]
        case Timestamp():
            return ["timestamp", value.nanos]
        case timedelta():
            return ["duration", _micros(value) * _MICRO]
        case Duration():
            return ["duration", value.nanos]
        case TypeValue():
            return ["type", value.name]
        case OptionalValue():
            raise NoValue
        case Mapping():
            return map_of((answer_of(key), answer_of(item)) for key, item in value.items())
        case _ if isinstance(value, list | tuple | set | frozenset):
            return ["list", [answer_of(item) for item in value]]
    raise NoValue


def map_of(entries: Iterable[tuple[Answer, Answer]]) -> Answer:
    """The answer of a map; the order of its entries is no part of it."""
    return ["map", sorted(([key, value] for key, value in entries), key=json.dumps)]


def error_of(error: CelError) -> Answer:
    """The answer of an evaluation that failed."""
    return ["error", str(error)]


def same(ours: Answer, theirs: Answer) -> bool:
    """Whether two answers are the same; all errors are."""
    return ours == theirs or ours[0] == theirs[0] == "error"


def kinds(answer: Answer) -> frozenset[str]:
    """The kinds of a value and of everything in it."""
    inside: list[Answer] = []
    if answer[0] == "list":
        inside = answer[1]
    elif answer[0] == "map":
        inside = [part for entry in answer[1] for part in entry]
    return frozenset({answer[0]}).union(*map(kinds, inside))


def shown(answer: Answer) -> str:
    """An answer in a message."""
    if answer[0] == "error":
        return f"an error ({_cut(answer[1])})" if answer[1] else "an error"
    return f"`{_cut(_text(answer))}`"


def _text(answer: Answer) -> str:
    match answer:
        case ["null"]:
            return "null"
        case ["list", items]:
            return f"[{', '.join(map(_text, items))}]"
        case ["map", entries]:
            return f"{{{', '.join(f'{_text(key)}: {_text(value)}' for key, value in entries)}}}"
        case ["string" | "bool", value]:
            return json.dumps(value, ensure_ascii=False)
        case ["bytes", value]:
            return f"b{str(base64.b64decode(value))[1:]}"
        case ["uint", value]:
            return f"{value}u"
        case ["timestamp", nanos]:
            moment = _START + timedelta(microseconds=nanos // _MICRO)
            return f"{moment:%Y-%m-%dT%H:%M:%S}.{nanos % 10**9:09}Z"
        case ["duration", nanos]:
            return f"{nanos / 10**9:g}s"
    return str(answer[1])


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _micros(span: timedelta) -> int:
    return span // timedelta(microseconds=1)
