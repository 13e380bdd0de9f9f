"""Calls that a new policy decides more permissively than an old one, and the parts of the change to blame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from gateway.compile import compile_policy
from gateway.diagnostic import PolicyError
from gateway.diff.parts import Part, put_back, sliced
from gateway.facts import Facts
from gateway.frozen import frozen
from gateway.inspect.guard import Guard
from gateway.search import Request, Source, World
from gateway.search.answers import loosened
from gateway.search.results import shown_more

if TYPE_CHECKING:
    from gateway.decision import Decision
    from gateway.engine import Engine
    from gateway.policy import Policy
    from gateway.sources import Assembled


@frozen
class Shown:
    """A call that is decided more permissively: both answers, in which way, and the names of the parts to blame."""

    request: Request
    before: Decision
    after: Decision
    how: str
    causes: tuple[str, ...] = ()

    @property
    def tool(self) -> str:
        """The tool that is called."""
        return self.request.tool

    def as_json(self, now: datetime) -> dict[str, Any]:
        """The call as scripts read it; its moment is told where that is another one than `now`."""
        return {
            "tool": self.tool,
            "how": self.how,
            **self.request.as_json(),
            **({} if self.request.now == now else {"now": self.request.now.isoformat()}),
            "before": _answer(self.before),
            "after": _answer(self.after),
            "cause": list(self.causes),
        }


def _answer(decision: Decision) -> dict[str, Any]:
    return {
        "effect": decision.effect.value,
        "code": decision.code.value,
        "rule": decision.rule,
        "detail": decision.detail,
    }


class Pair:
    """Two engines that are asked the same."""

    def __init__(self, old: Engine, new: Engine) -> None:
        self.old = old
        self.new = new
        # A pin that differs is an item by itself: here each finds what it takes servers to list.
        self._listed = (old.pins, new.pins)

    def answers(self, request: Request) -> tuple[Decision, Decision]:
        """Both decisions about a request; raises `SessionError` and `CallError` where it is none."""
        who, call = request.who, request.call
        before, after = (Facts(request.now, listed=listed) for listed in self._listed)
        return self.old.decide(call, who, before), self.new.decide(call, who, after)

    def looser(self, request: Request) -> Shown | None:
        """What the new engine answers more permissively; raises `SessionError` where there is no such session."""
        before, after = self.answers(request)
        how = loosened(request.arguments, before, after) or shown_more(
            self.old, self.new, request, before, after
        )
        return Shown(request, before, after, how) if how else None


class Looking:
    """Looks at one tool for calls that show what a change relaxes, for one part of the change after another."""

    def __init__(
        self, old: Assembled, new: Assembled, tool: str, suspects: Sequence[Part], now: datetime
    ) -> None:
        self._old = old
        self._new = new
        self._tool = tool
        self._suspects = suspects
        self._source = Source((old, new), tool, now)
        self._pair = Pair(old.compiled.engine, new.compiled.engine)
        self._slices: dict[frozenset[str], Engine | None] = {}
        self.tried = 0
        """How many calls showed nothing at the end."""

    def calls(self, tries: int, known: frozenset[str]) -> Iterator[Shown]:
        """Calls, each of which shows a part that those before it did not, nor is among those that are known."""
        blamed = known & {part.name for part in self._suspects}
        while True:
            found = self._source.find(partial(self._shows, blamed), tries)
            if found is None:
                self.tried = tries
                return
            shown: Shown = found.answer
            causes = self._causes(shown.request, blamed)
            yield Shown(shown.request, shown.before, shown.after, shown.how, causes)
            if blamed >= frozenset(causes) or len(self._suspects) <= len(blamed | frozenset(causes)):
                return
            blamed |= frozenset(causes)

    def _shows(self, blamed: frozenset[str], world: World) -> Shown | None:
        """A call that would still be looser if the parts that are known to loosen were as before."""
        request = world.request()
        shown = self._pair.looser(request)
        if shown is None or not blamed:
            return shown
        rest = self._without(blamed)
        return shown if rest is not None and Pair(self._old.compiled.engine, rest).looser(request) else None

    def _causes(self, request: Request, blamed: frozenset[str]) -> tuple[str, ...]:
        """The parts each of which, put back alone, takes the relaxation away; all of them where none does."""
        left = [part for part in self._suspects if part.name not in blamed]
        found = [part.name for part in left if self._mends(request, blamed | {part.name})]
        return tuple(found or [part.name for part in left])

    def _mends(self, request: Request, names: frozenset[str]) -> bool:
        engine = self._without(names)
        return engine is not None and Pair(self._old.compiled.engine, engine).looser(request) is None

    def _without(self, names: frozenset[str]) -> Engine | None:
        """The new policy of this tool with some parts as before; None where that makes no policy."""
        if names not in self._slices:
            self._slices[names] = _sliced_engine(
                self._new,
                self._old.policy,
                [part for part in self._suspects if part.name in names],
                self._tool,
            )
        return self._slices[names]


def _sliced_engine(new: Assembled, old: Policy, parts: Iterable[Part], tool: str) -> Engine | None:
    policy = new.policy
    for part in parts:
        policy = put_back(policy, old, part)
    try:
        return compile_policy(
            sliced(policy, {**new.compiled.declared}, _around(new, tool)), Guard((), ())
        ).engine
    except PolicyError:
        return None


def _around(side: Assembled, tool: str) -> frozenset[str]:
    """A tool and those that it wraps."""
    plan = side.compiled.engine.tools.get(tool)
    if plan is None or plan.wraps is None:
        return frozenset((tool,))
    return frozenset(side.compiled.engine.tools)
