"""Requests drawn at random, from what the policies declare and compare with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from random import Random
from typing import Any

from gateway.frozen import frozen
from gateway.search.harvest import Pool
from gateway.search.regexes import fitting, near
from gateway.search.request import ITERATION, Path, World

_DEEPEST = 5
_MOST_ITEMS = 3
_LONGEST = 64
_LONG_DEPTH = 2
"""How deep lists are as long as they may be: within each other they would grow beyond use."""


@frozen
class Declared:
    """What is declared of the sessions that may call a tool: names by kind, in an order that is always the same."""

    tenants: tuple[str, ...]
    agents: Mapping[str, tuple[str, ...]]
    """Each with tenants that it is on for."""
    permissions: tuple[str, ...]
    """Those that the tool takes in one of the policies."""
    other_permissions: tuple[str, ...]
    roles: tuple[str, ...]
    capabilities: tuple[str, ...]
    modes: tuple[str, ...]
    facts: Mapping[Path, str]
    """The types of what the host supplies, by path."""
    moments: tuple[datetime, ...]
    reads: frozenset[str]
    """The variables that some condition reads."""


@frozen
class Drawn:
    """Where arguments come from: a tool's schemas in both policies, and which arguments are inspected as what."""

    tool: str
    schemas: tuple[Mapping[str, Any], ...]
    inspected: Mapping[str, tuple[str, ...]]
    """Texts for arguments that hold commands and the like, by the argument's name."""
    templates: tuple[tuple[str | Path, ...], ...]
    """Resource permissions as texts and the paths of arguments: `("form:", ("args", "code"), ":edit")`."""
    given: tuple[Mapping[str, Any], ...] = ()
    """The arguments of examples that the policies themselves give."""

    @property
    def texts(self) -> frozenset[str]:
        """What is inspected, each as it stands."""
        return frozenset(text for texts in self.inspected.values() for text in texts)


class Artist:
    """Draws worlds; the same seed draws the same ones."""

    def __init__(self, drawn: Drawn, declared: Declared, pool: Pool, rng: Random) -> None:
        self.drawn = drawn
        self.declared = declared
        self.pool = pool
        self.rng = rng

    def world(self) -> World:
        """A request that is likely to get past the first steps."""
        rng, known = self.rng, self.declared
        agent = self._one(tuple(known.agents), "agent")
        homes = known.agents.get(agent) if rng.randrange(8) else None
        session = {
            "id": "s-1",
            "tenant": self._one(homes or known.tenants, "acme"),
            "agent": agent,
            "channel": rng.choice(("internal", "internal", "external")),
            "can_ask": rng.randrange(12) > 0,
            "dry_run": rng.randrange(12) == 0,
            "modes": {mode: rng.choice(("on", "on", "auto", "off")) for mode in known.modes},
            "capabilities": self._most(known.capabilities),
            "facts": {},
            "cwd": "/srv/app",
            "roots": ["/srv/app"],
            "home": "/home/user",
        }
        subject = {
            "id": "alice" if rng.randrange(3) else self.pool.text(rng) or "alice",
            "authenticated": True,
            "kind": "user" if rng.randrange(8) else "service",
            "roles": self._some(known.roles),
            "permissions": [*self._most(known.permissions), *self._some(known.other_permissions)],
            "attributes": {},
        }
        values = {"args": self.arguments(), "subject": subject, "session": session, "turn": {}}
        world = World(self.drawn.tool, values, self._moment())
        if "call" in known.reads and rng.randrange(3):
            world.put(ITERATION, rng.choice((0, 1, 2, abs(self.pool.integer(rng)))))
        for path, type_ in known.facts.items():
            if rng.randrange(7):
                world.put(path, self.typed(type_))
        return world

    def _moment(self) -> datetime:
        """One of those that matter; where conditions read it, often at another hour of another day."""
        rng, moment = self.rng, self.rng.choice(self.declared.moments)
        if "now" not in self.declared.reads or rng.randrange(3) == 0:
            return moment
        days = rng.randrange(rng.choice((7, 7, 31, 366)))
        return moment + timedelta(days=days, hours=rng.randrange(24), minutes=rng.choice((0, 0, 1, 30, 59)))

    def arguments(self) -> dict[str, Any]:
        """Arguments by one of the schemas; an argument that is inspected is often an example of what is found."""
        rng = self.rng
        if self.drawn.given and rng.randrange(8) == 0:
            return deepcopy(dict(rng.choice(self.drawn.given)))
        found = self.value(rng.choice(self.drawn.schemas)) if self.drawn.schemas else {}
        if not isinstance(found, dict):
            found = {}
        for name, texts in self.drawn.inspected.items():
            if texts and rng.randrange(4):
                found[name] = rng.choice(texts)
        return found

    def grant_resources(self, world: World) -> None:
        """Let the subject hold the permissions that the arguments take."""
        held = world.values["subject"]["permissions"]
        for template in self.drawn.templates:
            if self.rng.randrange(8):
                held.append(
                    "".join(part if isinstance(part, str) else _text_at(world, part) for part in template)
                )

    def value(self, schema: Any, depth: int = 0) -> Any:
        """A value that a schema is likely to accept."""
        rng = self.rng
        if not isinstance(schema, Mapping):
            return self.anything()
        if "const" in schema:
            return schema["const"]
        if schema.get("enum") and rng.randrange(12):
            return rng.choice(schema["enum"])
        for key in ("anyOf", "oneOf"):
            if schema.get(key) and depth < _DEEPEST:
                return self.value({**_without(schema, key), **_mapping(rng.choice(schema[key]))}, depth + 1)
        if schema.get("allOf") and depth < _DEEPEST:
            merged: dict[str, Any] = _without(schema, "allOf")
            for one in schema["allOf"]:
                merged = {**merged, **_mapping(one)}
            return self.value(merged, depth + 1)
        types = schema.get("type")
        name = rng.choice(types) if isinstance(types, list) and types else types
        if not isinstance(name, str):
            name = "object" if "properties" in schema else "array" if "items" in schema else ""
        return self._of_type(name, schema, depth)

    def _of_type(self, name: str, schema: Mapping[str, Any], depth: int) -> Any:
        rng = self.rng
        if name == "string":
            return self._string(schema)
        if name == "integer":
            return self._bounded(schema, self.pool.integer(rng))
        if name == "number":
            return self._bounded(schema, self.pool.number(rng))
        if name == "boolean":
            return rng.randrange(2) == 0
        if name == "null":
            return None
        if name == "array":
            return self._array(schema, depth)
        if name == "object":
            return self._object(schema, depth)
        return self.anything()

    def _string(self, schema: Mapping[str, Any]) -> str:
        rng = self.rng
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and rng.randrange(4):
            return near(pattern, rng) if rng.randrange(4) == 0 else fitting(pattern, rng)
        text = self.pool.text(rng)
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        if isinstance(least, int) and len(text) < least <= 10_000:
            text = text.ljust(least, "x")
        if isinstance(most, int) and len(text) > most:
            text = text[:most]
        elif isinstance(most, int) and most <= 10_000 and rng.randrange(20) == 0:
            text = text.ljust(most, "x")
        return text

    def _bounded(self, schema: Mapping[str, Any], value: float) -> Any:
        least = schema.get("minimum", schema.get("exclusiveMinimum"))
        most = schema.get("maximum", schema.get("exclusiveMaximum"))
        if least is not None and value < least and self.rng.randrange(8):
            return least if "minimum" in schema else least + 1
        if most is not None and value > most and self.rng.randrange(8):
            return most if "maximum" in schema else most - 1
        return value

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        if depth >= _DEEPEST:
            return []
        least = schema.get("minItems", 0)
        least = least if isinstance(least, int) and least <= 100 else 0
        count = self.rng.randint(least, max(least, _MOST_ITEMS))
        most = schema.get("maxItems")
        if isinstance(most, int) and 0 <= most < _LONGEST and depth <= _LONG_DEPTH:
            if self.rng.randrange(6) == 0:
                count = most + self.rng.randrange(2)
            elif count > most and self.rng.randrange(8):
                count = most
        return [self.value(schema.get("items", True), depth + 1) for _ in range(count)]

    def _object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        rng = self.rng
        required = schema.get("required", ())
        found: dict[str, Any] = {}
        for key, below in _mapping(schema.get("properties")).items():
            wanted = key in required
            if (wanted and rng.randrange(30)) or (not wanted and rng.randrange(5) > 1):
                found[key] = self.value(below, depth + 1) if depth < _DEEPEST else None
        more = schema.get("additionalProperties")
        if more is not None and more is not False and rng.randrange(3):
            found[self.pool.text(rng) or "x"] = self.value(more, depth + 1) if depth < _DEEPEST else None
        return found

    def anything(self) -> Any:
        """A value of any kind."""
        rng = self.rng
        kind = rng.randrange(8)
        if kind < 3:
            return self.pool.text(rng)
        if kind < 5:
            return self.pool.number(rng)
        return ({}, [], None, True, {"x": 1}, [self.pool.text(rng)])[rng.randrange(6)]

    def typed(self, name: str) -> Any:
        """A value of a declared type."""
        rng = self.rng
        if name.startswith("list("):
            return [self.typed(name[5:-1]) for _ in range(rng.randrange(_MOST_ITEMS))]
        if name.startswith("map("):
            inner = name[4:-1].partition(",")[2].strip()
            return {self.pool.text(rng) or "x": self.typed(inner) for _ in range(rng.randrange(3))}
        if name == "bool":
            return rng.randrange(2) == 0
        if name == "int":
            return self.pool.integer(rng)
        if name == "double":
            return float(self.pool.number(rng))
        return self.anything() if name == "dyn" else self.pool.text(rng)

    def _one(self, names: Sequence[str], otherwise: str) -> str:
        return self.rng.choice(names) if names else otherwise

    def _most(self, names: Sequence[str]) -> list[str]:
        """All of them, or seldom all but one."""
        if names and self.rng.randrange(5) == 0:
            left = self.rng.choice(names)
            return [name for name in names if name != left]
        return list(names)

    def _some(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if self.rng.randrange(2)]


def moments(now: datetime, ends: Sequence[datetime]) -> tuple[datetime, ...]:
    """The moment of the search, and those just around what begins or ends."""
    second = timedelta(seconds=1)
    around = (each + step for each in ends for step in (-second, second))
    return tuple(dict.fromkeys((now, *sorted(around))))


def _text_at(world: World, path: Path) -> str:
    try:
        value = world.get(path)
    except LookupError:
        return ""
    return str(value) if isinstance(value, str | int) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _without(schema: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != key}
