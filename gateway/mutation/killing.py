"""A case that would notice a mutant: a call that the policy and the mutant answer differently, ready to be pasted."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from gateway.decision import Decision
from gateway.diagnostic import Excerpt
from gateway.interval import stretch
from gateway.mutation.mutant import Mutant
from gateway.results.review import Review
from gateway.runtime import Gateway
from gateway.search import Request, Source, World
from gateway.search.request import Path, texts_in
from gateway.sources import Assembled
from gateway.testing.case import Case
from gateway.testing.compare import ask
from gateway.testing.expected import Expected, ExpectedReview
from gateway.testing.loaded import list_as_pinned

if TYPE_CHECKING:
    from gateway.engine import Engine
    from gateway.testing.loaded import Loaded

_TRIES = 300
_TRIES_IN_A_ROW = 20
_MOST_TOOLS = 4
_NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
"""The search begins at a fixed moment, so that it finds the same in every run."""


def killing(mutant: Mutant, loaded: Loaded) -> str | None:
    """A case in YAML that the policy passes and the mutant does not; None where none was found."""
    engine = mutant.make()
    sides = [
        Assembled(loaded.policy, loaded.compiled),
        Assembled(loaded.policy, replace(loaded.compiled, engine=engine)),
    ]
    tries = _TRIES if mutant.times == 1 else _TRIES_IN_A_ROW
    for tool in _tools(mutant, loaded.compiled.engine, engine):
        dated = "now" in loaded.compiled.engine.tools[tool].reads | engine.tools[tool].reads
        shifts = _WEEK if dated else (timedelta(),)
        pair = _Pair(loaded, engine, mutant.times, shifts, _ELSEWHERE if "/tenants" in mutant.id else None)
        found = Source(sides, tool, _NOW).find(pair.tells, tries)
        if found is not None:
            world = _of_its_own(mutant, found.world, pair, found.answer)
            return _written(mutant, _lean(world, pair, found.answer), found.answer)
    return None


def _of_its_own(mutant: Mutant, world: World, pair: _Pair, answer: Mapping[str, Any]) -> World:
    """The request in a session that no other case is about, where the answer does not depend on which it is."""
    named = world.copy()
    named.put(("session", "id"), f"s-{sha256(mutant.id.encode()).hexdigest()[:8]}")
    return named if pair.tells(named) == answer else world


_WEEK = tuple(timedelta(days=day) for day in range(7))
"""How far a moment is moved where conditions read it: they ask for days of the week."""
_ELSEWHERE = "elsewhere"
_EMPTY: tuple[Any, ...] = ({}, [], False)
_USUAL: Mapping[Path, Any] = {("subject", "kind"): "user"}


def _lean(world: World, pair: _Pair, answer: Mapping[str, Any]) -> World:
    """The request without what sessions have anyway."""
    for root in ("session", "subject"):
        for key, value in list(world.values[root].items()):
            if value in _EMPTY or key in _PLACES or _USUAL.get((root, key)) == value:
                less = world.copy()
                less.drop((root, key))
                if pair.tells(less) == answer:
                    world = less
    return world


_PLACES = ("cwd", "roots", "home")


def _tools(mutant: Mutant, old: Engine, new: Engine) -> list[str]:
    """The tools of which some call may tell the mutant."""
    if mutant.reach is None:
        return sorted(old.tools)[:_MOST_TOOLS]
    named = {name for kind, name in mutant.reach if kind in ("tools", "listed", "reviewed")}
    for kind, name in mutant.reach:
        if kind == "agents":
            named |= {*old.agents[name].tools, *new.agents[name].tools}
    return sorted(named & old.tools.keys())[:_MOST_TOOLS]


class _Pair:
    """The policy and the mutant, asked the same."""

    def __init__(
        self, loaded: Loaded, engine: Engine, times: int, shifts: Sequence[timedelta], elsewhere: str | None
    ) -> None:
        manifest = loaded.gateway.manifest
        self._loaded = loaded
        self._times = times
        self._shifts = shifts
        self._elsewhere = elsewhere
        self._sides = [
            # Names of hosts that were made up are looked up nowhere.
            Gateway(each, manifest, clock=loaded.clock, lookup=lambda host: ())
            for each in (loaded.compiled.engine, engine)
        ]
        for side in self._sides:
            list_as_pinned(side, loaded.policy)

    def tells(self, world: World) -> Mapping[str, Any] | None:
        """What of the policy's answer the mutant's lacks, as a case expects it.

        Where a tenant matters, one that the policy does not know is put in place of a tenant that tells nothing.
        """
        answer = self._asked(world)
        if answer is None and self._elsewhere is not None:
            world.put(("session", "tenant"), self._elsewhere)
            answer = self._asked(world)
        return answer

    def _asked(self, world: World) -> Mapping[str, Any] | None:
        request = world.request()
        request.who  # noqa: B018 - raises where there can be no such session
        for shift in self._shifts:
            now = request.now + shift
            answer = self._told(request, now)
            if answer is not None:
                return {"now": now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), **answer}
        return None

    def _told(self, request: Request, now: datetime) -> Mapping[str, Any] | None:
        call = request.called
        expected = Expected() if request.result is None else ExpectedReview()
        case = Case(
            "", _NOWHERE, request.session, call, now, expected, self._loaded, request.result, self._times
        )
        old, new = (ask(case, side) for side in self._sides)
        if isinstance(old, Review) and isinstance(new, Review):
            shown = [text for text in texts_in(request.result) if text in new.text and text not in old.text]
            before, after = ({one.entry for one in each.redacted} for each in (old, new))
            if old.withheld is not new.withheld:
                return {"review": {"withheld": old.withheld}}
            if shown:
                return {"review": {"lacks": shown[:1]}}
            return None if before == after else {"review": {"redacted": sorted(before)}}
        if isinstance(old, Decision) and isinstance(new, Decision):
            expect = _expected(old, new)
            return None if expect is None else {"expect": expect}
        return None


_NOWHERE = Excerpt.whole("").span(0, 0)


def _expected(old: Decision, new: Decision) -> dict[str, Any] | None:
    """What is to be expected so that one answer passes and the other does not; None where nothing tells them apart."""
    before, after = _said(old), _said(new)
    differing = [key for key in before if before[key] != after[key]]
    if not differing:
        return None
    expect = {"effect": old.effect.value, differing[0]: before[differing[0]]}
    if differing[0] == "effect" and old.rule is not None:
        expect["rule"] = old.rule
    return {key: value for key, value in expect.items() if value is not None}


def _said(decision: Decision) -> dict[str, Any]:
    """What cases can expect of a decision, what says most first."""
    return {
        "effect": decision.effect.value,
        "code": decision.code.value,
        "rule": decision.rule,
        "arguments": None if decision.arguments is None else dict(decision.arguments),
        "demands": [_demand(one) for one in (decision.approval or {}).get("demands", ())],
        "findings": sorted({one.rule or one.code.value for one in decision.findings}),
        "monitored": sorted({one.rule or one.code.value for one in decision.monitored}),
        "basis": decision.basis.value,
        "context": sorted(decision.context),
    }


def _demand(demand: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: stretch(value) if key in ("expires", "use_within") else value for key, value in demand.items()
    }


def _written(mutant: Mutant, world: World, answer: Mapping[str, Any]) -> str:
    """The case as a line of a test file."""
    request = world.request()
    name = f"notices {mutant.id}"
    case: dict[str, Any] = {"name": name, "session": request.session, "call": request.called}
    if mutant.times > 1:
        case["repeated"] = mutant.times
    if request.result is not None:
        case["result"] = request.result
    return f"- {_flow({**case, **answer})}"


def _flow(value: Any) -> str:
    """A value in YAML's flow style, as the test files have it: keys and words bare where that is safe."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and _BARE.fullmatch(value) is not None and value not in _WORDS:
        return value
    return "".join(map(_seen, json.dumps(value, ensure_ascii=False, default=str)))


def _seen(char: str) -> str:
    """A character, written out where nobody would see it."""
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_WORDS = frozenset({"true", "false", "null"})
