"""A compiled policy as bytes, and back: each tool by itself, unpacked when it is first asked for.

What can't be written is written as what it is made of: a program as its expression, a validator as its schema. What
several tools share, and what must stay one object, is written once beside them. The guard is no part of it: it
depends on where and as whom the process runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from io import BytesIO
from operator import attrgetter
from pickle import Pickler, Unpickler
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gateway.effective import Catalogue
from gateway.engine import Engine
from gateway.form import Form
from gateway.plan import ToolPlan

if TYPE_CHECKING:
    from gateway.cel.functions.signature import Library
    from gateway.compile import Compiled
    from gateway.inspect.clued import Clued
    from gateway.inspect.guard import Guard
    from gateway.inspect.inspector import Inspector
    from gateway.inspect.pattern import Pattern


def packed(compiled: Compiled) -> bytes:
    """The bytes of a compiled policy."""
    engine = compiled.engine
    shared = _Shared()
    parts = {
        "tools": {name: shared.packed(plan) for name, plan in engine.tools.items()},
        "overrides": shared.packed(engine.catalogue.overrides),
        "counted": engine.catalogue.counted,
        "patterns": _packed_patterns(compiled.patterns, shared),
        "conventions": shared.packed(compiled.conventions),
        "engine": {
            "digest": engine.digest,
            "agents": engine.agents,
            "lists": engine.lists,
            "declared": engine.declared,
            "confirm_from": engine.confirm_from,
            "monitor_until": engine.monitor_until,
            "unready": engine.unready,
            "unlisted_results": engine.unlisted_results,
        },
        "summary": compiled.summary,
        "relaxations": compiled.form.relaxations,
    }
    return _packed((shared.objects, parts), None)


def unpacked(content: bytes, guard: Callable[[], Guard]) -> Form:
    """The form in bytes that are known to come from `packed`."""
    shared, parts = Unpickler(BytesIO(content)).load()  # noqa: S301  # authenticated by who calls

    @cache
    def inspector() -> Inspector:
        from gateway.inspect.inspector import Inspector

        conventions = _unpacked(parts["conventions"], shared)
        return Inspector(lambda: _patterns(parts["patterns"], shared), guard(), conventions)

    tools, overrides = _Tools(parts["tools"], shared), _unpacked(parts["overrides"], shared)
    catalogue = Catalogue(tools, overrides, parts["counted"])
    engine = Engine(catalogue=catalogue, inspector=inspector, **parts["engine"])
    return Form(engine, parts["summary"], parts["relaxations"])


def _packed_patterns(patterns: tuple[Pattern, ...], shared: _Shared) -> bytes:
    """The patterns each by itself, without what only people are told, and where a clue finds them."""
    from gateway.inspect.clued import places

    lean = (replace(each, title="", matches=(), misses=()) for each in patterns)
    return _packed((places(patterns), [shared.packed(each) for each in lean]), None)


def _patterns(content: bytes, shared: list[Any]) -> Clued:
    from gateway.inspect.clued import clued_when_asked

    known, each = _unpacked(content, shared)
    return clued_when_asked(known, lambda place: _unpacked(each[place], shared))


class _Tools(Mapping[str, ToolPlan]):
    """The tools by name; each is unpacked once."""

    def __init__(self, packed: Mapping[str, bytes], shared: list[Any]) -> None:
        self._packed = packed
        self._shared = shared
        self._plans: dict[str, ToolPlan] = {}

    def __getitem__(self, name: str) -> ToolPlan:
        plan = self._plans.get(name)
        if plan is None:
            plan = self._plans.setdefault(name, _unpacked(self._packed[name], self._shared))
        return plan

    def __contains__(self, name: object) -> bool:
        return name in self._packed

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


class _Shared:
    """What is written beside the parts: texts that many point into, and what is told apart by being itself."""

    def __init__(self) -> None:
        from gateway.diagnostic import Source
        from gateway.results.redaction import Redact

        self.objects: list[Any] = []
        self._kinds = (Source, Redact)
        self._places: dict[int, int] = {}

    def packed(self, value: Any) -> bytes:
        """The bytes of one part."""
        return _packed(value, self)

    def place(self, value: Any) -> int | None:
        """Where a shared object stands among them; None for what is written where it is used."""
        if type(value) not in self._kinds:
            return None
        place = self._places.get(id(value))
        if place is None:
            place = self._places[id(value)] = len(self.objects)
            self.objects.append(value)
        return place


class _Packing(Pickler):
    def __init__(self, stream: BytesIO, shared: _Shared | None) -> None:
        super().__init__(stream, protocol=5)
        self._shared = shared

    def persistent_id(self, value: Any) -> int | None:
        return None if self._shared is None else self._shared.place(value)

    def reducer_override(self, value: Any) -> Any:
        kind: Any = type(value)
        special = _special().get(kind)
        if special is not None:
            return special(value)
        fields_of = _fields_of(kind)
        # Called with their fields they are made in half the time that setting each field takes.
        return NotImplemented if fields_of is None else (kind, fields_of(value))


class _Unpacking(Unpickler):
    def __init__(self, stream: BytesIO, shared: list[Any]) -> None:
        super().__init__(stream)
        self._shared = shared

    def persistent_load(self, place: int) -> Any:
        return self._shared[place]


@cache
def _fields_of(kind: Any) -> Callable[[Any], tuple[Any, ...]] | None:
    """What gives the values of a dataclass of ours with which it is called; None for any other class."""
    if not is_dataclass(kind) or "__reduce__" in vars(kind):
        return None
    names = [one.name for one in fields(kind) if one.init]
    if len(names) < 2:
        return lambda value: tuple(getattr(value, name) for name in names)
    return attrgetter(*names)


def _packed(value: Any, shared: _Shared | None) -> bytes:
    stream = BytesIO()
    _Packing(stream, shared).dump(value)
    return stream.getvalue()


def _unpacked(content: bytes, shared: list[Any]) -> Any:
    return _Unpacking(BytesIO(content), shared).load()


@cache
def _special() -> Mapping[type, Callable[[Any], Any]]:
    """How what has no bytes of its own is written; only what packs needs it."""
    from gateway.cel.functions.signature import Library
    from gateway.diagnostic import Source

    return {
        MappingProxyType: lambda value: (unchangeable, (dict(value),)),
        Library: _library,
        Source: lambda value: (Source, (value.name, value.text)),
    }


def unchangeable(values: dict[Any, Any]) -> Mapping[Any, Any]:
    """The values as a mapping that nobody changes; its type has no name to write."""
    return MappingProxyType(values)


def _library(library: Library) -> Any:
    if library is not standard_library():
        raise ValueError("only the standard library of functions can be named")
    return standard_library, ()


def standard_library() -> Library:
    """The functions that every condition may call."""
    from gateway.cel.functions import STANDARD

    return STANDARD
