"""Whatever a host passes as a tool's result, as plain JSON data: bounded, without cycles, and never raising."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AnySet
from dataclasses import fields, is_dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Any

from gateway.frozen import frozen

MAX_DEPTH = 64
MAX_VALUES = 500_000
MAX_TEXT = 100_000_000
_MAX_BITS = 4096


@frozen
class Plain:
    """A result as JSON data; `left_out` says what of it is not there."""

    value: Any
    is_error: bool = False
    left_out: tuple[str, ...] = ()


class Reading:
    """A result that is read as plain data when that is needed; most results are shown as they were written."""

    __slots__ = ("_plain", "given", "texts", "written")

    def __init__(self, given: Any) -> None:
        usual = _usual(given)
        self.given = given
        self.written = None if usual is None else _as_json(given)
        """The JSON of an object or a list of a usual size that holds nothing but JSON's own kinds, else None."""
        self.texts = usual.texts if usual is not None and self.written is not None else None
        """Every text and key of one that is written."""
        self._plain = (
            Plain(given) if self.texts is not None and usual is not None and usual.is_plain else None
        )

    @property
    def plain(self) -> Plain:
        """The result as plain data."""
        found = self._plain
        if found is None:
            found = self._plain = plain(self.given)
        return found


def texts_in(value: Any) -> list[str] | None:
    """Every text and every key in data of JSON's own kinds; None if a key is no text, or a list a tuple."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        kind = type(item)
        if kind is str:
            found.append(item)
        elif kind is dict:
            found += item
            waiting += item.values()
        elif kind is list:
            waiting += item
        elif kind is tuple:
            return None
    try:
        "".join(found)
    except TypeError:
        return None
    return found


_USUAL_TEXT = 1_000_000
_USUAL_VALUES = 10_000


def _as_json(usual: Any) -> str | None:
    """What JSON makes of a usual result; no foreign code runs here."""
    try:
        text = _encode(usual)
        if not text.isascii():
            text.encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return text


@frozen
class _Usual:
    """What an object or a list holds: JSON's own kinds and tuples, few values, not much text, not nested deep."""

    texts: list[str]
    is_plain: bool
    """Whether there is no tuple."""


_SCALARS = frozenset((bool, float, type(None)))
_ONLY_TEXTS = frozenset((str,))


def _usual(given: Any) -> _Usual | None:
    """What a usual result holds; each counts as often as it is written: the same list may stand in many places."""
    if type(given) is not dict and type(given) is not list:
        return None
    texts: list[str] = []
    waiting: list[Any] = [given]
    count, depth, level = 0, 1, 1
    is_plain = True
    for at, holder in enumerate(waiting):
        count += len(holder)
        if count > _USUAL_VALUES:
            return None
        if at == level:
            depth, level = depth + 1, len(waiting)
            if depth > MAX_DEPTH:
                return None
        held = holder
        if type(holder) is dict:
            texts += holder
            held = holder.values()
        for each in held:
            kind = type(each)
            if kind is str:
                texts.append(each)
            elif kind is dict or kind is list:
                waiting.append(each)
            elif kind is int:
                if each.bit_length() > _MAX_BITS:
                    return None
            elif kind is tuple:
                is_plain = False
                waiting.append(each)
            elif kind not in _SCALARS:
                return None
    if not _ONLY_TEXTS.issuperset(map(type, texts)) or sum(map(len, texts)) > _USUAL_TEXT:
        return None
    return _Usual(texts, is_plain)


_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, allow_nan=False).encode


def plain(result: Any) -> Plain:
    """The result as dicts, lists, texts and numbers; the very same object where nothing had to change."""
    reader = _Reader()
    value = reader.read(result, MAX_DEPTH)
    return Plain(value, issubclass(type(result), BaseException), tuple(reader.left_out))


def _can_be_written(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class _Reader:
    """Reads one result; counts down what may still be read."""

    __slots__ = ("characters", "left_out", "values")

    def __init__(self) -> None:
        self.values = MAX_VALUES
        self.characters = MAX_TEXT
        self.left_out: dict[str, None] = {}

    def read(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is str:
            return self._text(value)
        if value is None or kind is bool:
            return value
        if kind is int:
            return value if value.bit_length() <= _MAX_BITS else self._missing("an integer too long to write")
        if kind is float:
            return value if math.isfinite(value) else str(value)
        if depth <= 0:
            return self._missing(f"what is nested deeper than {MAX_DEPTH} levels")
        if kind is dict:
            return self._object(value, depth - 1)
        if kind is list:
            return self._list(value, depth - 1)
        return self._other(value, depth - 1)

    def _object(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        """A dict, copied only where something in it is not plain yet."""
        if len(value) > self.values:
            return self._members(value.items(), depth)
        self.values -= len(value)
        changed: dict[str, Any] | None = None
        names = Names()
        for done, (key, item) in enumerate(value.items()):
            if type(key) is str and key.isascii() and len(key) <= self.characters:
                name = key
                self.characters -= len(key)
            else:
                name = self._name(key)
            new = self.read(item, depth)
            if changed is None and (new is not item or name is not key):
                changed = dict(list(value.items())[:done])
            if changed is not None:
                changed[names.free(name, changed)] = new
        return value if changed is None else changed

    def _list(self, value: list[Any], depth: int) -> list[Any]:
        """A list, copied only where something in it is not plain yet."""
        if len(value) > self.values:
            return self._items(value, depth)
        self.values -= len(value)
        items = [self.read(item, depth) for item in value]
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items

    def _members(self, pairs: Iterable[tuple[Any, Any]], depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        names = Names()
        for key, item in pairs:
            if self.values <= 0:
                made[names.free("(left out)", made)] = self._missing(f"what comes after {MAX_VALUES} values")
                break
            self.values -= 1
            made[names.free(self._name(key), made)] = self.read(item, depth)
        return made

    def _items(self, items: Iterable[Any], depth: int) -> list[Any]:
        made: list[Any] = []
        for item in items:
            if self.values <= 0:
                made.append(self._missing(f"what comes after {MAX_VALUES} values"))
                break
            self.values -= 1
            made.append(self.read(item, depth))
        return made

    def _other(self, value: Any, depth: int) -> Any:
        """What is no plain JSON: read by what it is, and left out where its own methods fail.

        Whatever those methods raise is the object's fault, `SystemExit` and `KeyboardInterrupt` too: a result must not
        end the host, and an interrupt that a user sends in this very moment can't be told from one that an object
        raises. It is lost then, and has to be sent again; nothing outside of this method catches one. A task's
        cancellation is not lost, because it arrives where a task waits, and nothing waits here.
        """
        try:
            return self._by_kind(value, depth)
        except BaseException:  # an object of the host's or of a library's, whatever it does
            return self._missing(f"an object that can't be read ({class_name(value)})")

    def _by_kind(self, value: Any, depth: int) -> Any:
        if isinstance(value, BaseException):
            return self._text(f"{class_name(value)}: {value}")
        if isinstance(value, Enum):
            return self.read(value.value, depth)
        if isinstance(value, str):
            return self._text(str.__str__(value))
        if isinstance(value, int):
            return self.read(int.__add__(value, 0), depth)
        if isinstance(value, float):
            return self.read(float.__add__(value, 0.0), depth)
        if isinstance(value, bytes | bytearray | memoryview):
            return self._bytes(bytes(value))
        names = _fields_of_tuple(value)
        if names is not None:
            return self._members(zip(names, value, strict=True), depth)
        if isinstance(value, Mapping):
            return self._members(value.items(), depth)
        if isinstance(value, Sequence | AnySet):
            return self._items(value, depth)
        if not isinstance(value, type):
            if callable(getattr(value, "model_dump", None)):
                return self.read(_dumped(value), depth)
            if is_dataclass(value):
                return self._members(((f.name, getattr(value, f.name)) for f in fields(value)), depth)
            if isinstance(value, SimpleNamespace) or hasattr(value, "content"):
                return self._members(vars(value).items(), depth)
        return self._text(str(value))

    def _bytes(self, value: bytes) -> str:
        try:
            return self._text(value.decode("utf-8"))
        except UnicodeDecodeError:
            return self._missing(f"binary data of {len(value)} bytes")

    def _name(self, key: Any) -> str:
        if key is None or type(key) is bool:
            return {None: "null", True: "true", False: "false"}[key]
        text = self.read(key, 2)  # deep enough for the value of an enum, and for a tuple
        return text if type(text) is str else str(text)

    def _text(self, text: str) -> str:
        if len(text) > self.characters:
            text = text[: self.characters]
            text += self._missing(f"what comes after {MAX_TEXT} characters")
            self.characters = 0
        else:
            self.characters -= len(text)
        if text.isascii() or _can_be_written(text):
            return text
        return text.encode("utf-8", "backslashreplace").decode("utf-8")  # half a surrogate pair

    def _missing(self, what: str) -> str:
        self.left_out[what] = None
        return f"(left out: {what})"


def _dumped(value: Any) -> Any:
    try:
        return value.model_dump(mode="json", by_alias=True)
    except TypeError:
        return value.model_dump()


def _fields_of_tuple(value: Any) -> tuple[str, ...] | None:
    """The names of a named tuple's fields."""
    if not isinstance(value, tuple):
        return None
    names = getattr(type(value), "_fields", None)
    if type(names) is not tuple or len(names) != len(value) or not all(type(name) is str for name in names):
        return None
    return names


_name_of_class: Any = type.__dict__["__name__"].__get__
_LONGEST_NAME = 40


def class_name(value: Any) -> str:
    """The name of an object's class where it is one that Python code can write; never asks the object or its class."""
    name = _name_of_class(type(value))
    return name if name.isidentifier() and len(name) <= _LONGEST_NAME else "an object"


class Names:
    """Names for the keys of one object: two keys that are written alike both stay."""

    __slots__ = ("_taken",)

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def free(self, name: str, made: Mapping[str, Any]) -> str:
        """The name, or one like it with a number that is not taken yet."""
        free = name
        while free in made:
            number = self._taken[name] = self._taken.get(name, 1) + 1
            free = f"{name} ({number})"
        return free
