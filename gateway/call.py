"""The one shape that every host's tool call is turned into, and the normal form of its arguments."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import field
from random import getrandbits
from typing import Any

from gateway.frozen import frozen

MAX_DEPTH = 64
MAX_ITEMS = 100_000
MAX_TEXT = 8 * 1024 * 1024
MAX_NAME = 256
PREFIX = "gateway/"
"""How the names of the tools begin that a gateway itself carries out."""


class CallError(ValueError):
    """A call or its arguments that can't be read; the message says where and what was expected.

    `unnamed` says it without the names that the model gave to things.
    """

    def __init__(self, text: str, unnamed: str = "") -> None:
        super().__init__(text)
        self.unnamed = unnamed or text


def new_id(prefix: str) -> str:
    """An id that we make up ourselves; such ids never replay."""
    return prefix + getrandbits(64).to_bytes(8, "big").hex()


@frozen
class ToolCall:
    """What the model asks for: a tool and its arguments, as an object or as JSON text."""

    tool: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str = ""
    server: str | None = None
    iteration: int | None = None

    @property
    def name(self) -> str:
        """The tool's name in the catalogue: `server/tool` for a server's tool."""
        return self.tool if self.server is None else f"{self.server}/{self.tool}"

    @classmethod
    def of(cls, value: ToolCall | Mapping[str, Any]) -> ToolCall:
        """A call, or a mapping with the fields' names; an empty id is given one, unknown keys raise."""
        if isinstance(value, ToolCall):
            if (
                value.id
                and (value.server is not None or "/" not in value.tool)
                and len(value.name) <= MAX_NAME
            ):
                return value
            return cls.of({name: getattr(value, name) for name in _KEYS})
        if type(value) is not dict and not isinstance(value, Mapping):
            raise CallError(f"a call is a mapping, not {kind_of(value)}")
        if not value.keys() <= _KEYS:
            unknown = min(map(str, value.keys() - _KEYS))
            raise CallError(f"a call has no key `{unknown}` (known: {', '.join(sorted(_KEYS))})")
        tool, server, call_id = value.get("tool"), value.get("server"), value.get("id", "")
        arguments, iteration = value.get("arguments", {}), value.get("iteration")
        if not isinstance(tool, str) or not tool:
            raise CallError("call.tool is the tool's name, a string that is not empty")
        if server is not None and not isinstance(server, str):
            raise CallError(f"call.server is a string, not {type(server).__name__}")
        if not isinstance(call_id, str):
            raise CallError(f"call.id is a string, not {type(call_id).__name__}")
        if iteration is not None and (not isinstance(iteration, int) or isinstance(iteration, bool)):
            raise CallError(f"call.iteration is an integer, not {type(iteration).__name__}")
        if len(tool) > MAX_NAME or len(call_id) > MAX_NAME or (server is not None and len(server) > MAX_NAME):
            raise CallError(f"a name in the call is longer than {MAX_NAME} characters")
        if server is None and "/" in tool:
            # One call has one spelling, so that no condition can be evaded by the other.
            server, _, tool = tool.partition("/")
        return cls(tool, arguments, call_id or new_id("call-"), server, iteration)


_KEYS = frozenset(("tool", "arguments", "id", "server", "iteration"))


def normal_arguments(arguments: Mapping[str, Any] | str | bytes) -> dict[str, Any]:
    """The arguments in normal form; what every later step, digest and execution sees.

    JSON text is read with duplicate keys refused. Integral floats become integers; NUL, lone surrogates,
    NaN, infinities, integers beyond 64 bits, and depth or size beyond bounds raise `CallError`.
    An object that is already normal is returned as it is, never copied.
    """
    value: Any = arguments
    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError as error:
            raise CallError(f"the arguments are not UTF-8 (byte {error.start})") from None
    if isinstance(value, str):
        value = _parse(value)
    if type(value) is not dict and not isinstance(value, Mapping):
        raise CallError(f"the arguments are an object, not {kind_of(value)}")
    budget = [MAX_ITEMS, MAX_TEXT]
    normal = _normal(value, None, MAX_DEPTH, budget)
    return normal if isinstance(normal, dict) else dict(normal)


def fresh(value: Any) -> Any:
    """A copy of a JSON value that shares no list and no object with it."""
    if isinstance(value, Mapping):
        return {key: fresh(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [fresh(item) for item in value]
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two normal values are the very same JSON: true is not 1, and every level counts."""
    if a is b:
        return True
    if a.__class__ is not b.__class__:
        return False
    if a.__class__ is dict:
        return len(a) == len(b) and all(key in b and same(value, b[key]) for key, value in a.items())
    if a.__class__ is list:
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def _parse(text: str) -> Any:
    if len(text) > MAX_TEXT:
        raise CallError(f"the arguments are longer than {MAX_TEXT} characters")
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        raise CallError(
            f"the arguments are not JSON: {error.msg.lower()} (line {line}, column {column})"
        ) from None
    except RecursionError:
        raise CallError(f"the arguments are nested deeper than {MAX_DEPTH}") from None


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise CallError(
                    f"the key `{key[:40]}` stands twice in the arguments",
                    "a key stands twice in the arguments",
                )
            seen.add(key)
    return result


def _constant(name: str) -> Any:
    raise CallError(f"`{name}` is not a JSON number")


def _integer(digits: str) -> int:
    if len(digits) > 20:
        raise CallError("an integer in the arguments does not fit into 64 bits")
    return int(digits)


# Where a value stands: the place of what holds it, and its key there. Text is made of it only for a
# message: written at every value, long keys above many values would cost the product of both.
_Place = tuple[Any, str | int] | None


def _where(place: _Place) -> str:
    parts: list[str] = []
    while place is not None:
        place, key = place
        parts.append(f".{key[:40]}" if isinstance(key, str) else f"[{key}]")
    return f"arguments{''.join(reversed(parts))}"[:80]


def _misplaced(place: _Place, what: str) -> CallError:
    """What is wrong with the value at a place, which the braces in `what` stand for."""
    return CallError(
        what.replace("{}", f" at {_where(place)}"), what.replace("{}", " somewhere in the arguments")
    )


def _normal(value: Any, place: _Place, depth: int, budget: list[int]) -> Any:
    """The normal form of a value; the very same object when nothing had to change."""
    kind = type(value)
    if kind is str:
        return _text(value, place, budget)
    if kind is bool or value is None:
        return value
    if kind is int:
        if not -(2**63) <= value < 2**63:
            raise _misplaced(place, "the integer{} does not fit into 64 bits")
        return value
    if kind is float:
        if not math.isfinite(value):
            raise _misplaced(place, "the number{} is not finite")
        return _integral(value, place)
    if depth <= 0:
        raise _misplaced(place, f"the arguments are nested deeper than {MAX_DEPTH}{{}}")
    if kind is dict or isinstance(value, Mapping):
        return _normal_object(value, place, depth - 1, budget)
    if kind is list or kind is tuple:
        budget[0] -= len(value)
        if budget[0] < 0:
            raise CallError(f"the arguments hold more than {MAX_ITEMS} values")
        items = [_normal(item, (place, i), depth - 1, budget) for i, item in enumerate(value)]
        if kind is list and all(a is b for a, b in zip(items, value, strict=True)):
            return value
        return items
    raise _misplaced(place, f"the value{{}} is no JSON value ({kind.__name__})")


def _normal_object(value: Mapping[Any, Any], place: _Place, depth: int, budget: list[int]) -> Any:
    budget[0] -= len(value)
    if budget[0] < 0:
        raise CallError(f"the arguments hold more than {MAX_ITEMS} values")
    changed: dict[str, Any] | None = None if type(value) is dict else {}
    for key, item in value.items():
        if type(key) is not str:
            raise _misplaced(place, f"a key of the object{{}} is no string ({type(key).__name__})")
        kind = type(item)
        if kind is str and key.isascii() and item.isascii() and "\0" not in item and "\0" not in key:
            budget[1] -= len(key) + len(
                item
            )  # most arguments: nothing to change, and nothing to refuse but the size
            if budget[1] < 0:
                raise CallError(f"the arguments are longer than {MAX_TEXT} characters")
            normal = item
        else:
            _text(key, place, budget)
            normal = _normal(item, (place, key), depth, budget)
        if changed is None and normal is not item:
            changed = dict(value)
        if changed is not None:
            changed[key] = normal
    return value if changed is None else changed


def _text(text: str, place: _Place, budget: list[int]) -> str:
    budget[1] -= len(text)
    if budget[1] < 0:
        raise CallError(f"the arguments are longer than {MAX_TEXT} characters")
    if "\0" in text:
        raise _misplaced(place, "the text{} holds a NUL character")
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise _misplaced(place, "the text{} holds half a surrogate pair") from None
    return text


def _integral(value: float, place: _Place) -> int | float:
    if not value.is_integer():
        return value
    whole = int(value)
    if not -(2**63) <= whole < 2**63:
        raise _misplaced(place, "the integer{} does not fit into 64 bits")
    return whole


def kind_of(value: object) -> str:
    """What a value is, in words for whoever wrote it."""
    names = {type(None): "null", bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    return names.get(type(value), "a list" if isinstance(value, list | tuple) else type(value).__name__)
