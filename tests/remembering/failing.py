"""A store that fails where it is told to, and what then becomes of calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gateway import Code, Decision, Ran
from gateway.answering import Answer, Verdict
from gateway.approvals import Request
from gateway.state import Change, Entry, Key, Kind, State, Unavailable, Window
from gateway.stores.memory import MemoryStore
from tests.remembering.world import CLERK, SHOP, World, call, person

CONSOLE = 'agents: [{name: console, tools: ["gateway/*"], tenants: ["*"]}, '
ALLOWED = 'rules:\n  - {id: consoles, tools: ["gateway/*"], effect: allow}\n'
LIMITED = (
    SHOP.replace("agents: [", CONSOLE).replace("rules:\n", ALLOWED)
    + "limits: [{id: saves, tools: [save], per: subject, rate: 1/h}]\n"
)

OPERATOR = {**person("olga", permissions=["gateway:override"]), "agent": "console"}


class Failing:
    """A store that fails at the call of this number, counted from 0, to one of its methods."""

    def __init__(self, method: str, number: int) -> None:
        self._store = MemoryStore()
        self._method = method
        self._left = number

    def read(self, keys: Sequence[Key | Window]) -> State:
        """As the store does, unless it fails."""
        self._may_fail("read")
        return self._store.read(keys)

    def apply(self, changes: Sequence[Change]) -> None:
        """As the store does, unless it fails."""
        self._may_fail("apply")
        self._store.apply(changes)

    def counted(self, window: Window, limit: int) -> Sequence[tuple[int, int]]:
        """As the store does, unless it fails."""
        self._may_fail("counted")
        return self._store.counted(window, limit)

    def generation(self, tenant: str, kind: Kind) -> int:
        """As the store does, unless it fails."""
        self._may_fail("generation")
        return self._store.generation(tenant, kind)

    def listed(self, tenant: str, kind: Kind, after: str, limit: int) -> Sequence[tuple[Key, Entry]]:
        """As the store does, unless it fails."""
        self._may_fail("listed")
        return self._store.listed(tenant, kind, after, limit)

    def _may_fail(self, method: str) -> None:
        if method == self._method:
            if self._left == 0:
                raise Unavailable("the disk is full")
            self._left -= 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


Work = Callable[[World], object]


def before(world: World, name: str = "c-1") -> Decision:
    """A call is asked for."""
    return world.gateway().before(call("save", name), CLERK)


def nameless(world: World) -> Decision:
    """A call without an id is asked for."""
    return world.gateway().before({"tool": "save", "arguments": {"id": "a"}}, CLERK)


def again(world: World) -> Decision:
    """A call is asked for that has been let run."""
    before(world)
    return before(world)


def over(world: World) -> Decision:
    """A call is asked for that passes a limit."""
    before(world)
    return before(world, "c-2")


def paid(world: World) -> Decision:
    """A call is asked for that a person must confirm."""
    return world.gateway().before(call("pay"), CLERK)


def after(world: World) -> object:
    """A call's result comes."""
    decision = before(world)
    if not decision.proceeds:
        return decision
    return world.gateway().after(call("save"), CLERK, {"saved": 7})


def answered(world: World) -> object:
    """A person answers."""
    asked = paid(world)
    if asked.approval is None:
        return asked
    return world.gateway().resume(asked.approval["id"], Answer(Verdict.APPROVE), person("u-2"))


def overriding(world: World) -> Ran:
    """An operator lets a tool differ."""
    call = {"tool": "gateway/override", "id": "m-1", "arguments": {"tool": "look", "enabled": False}}
    return world.gateway().manage(call, OPERATOR)


def overridden(world: World) -> Decision:
    """A call of a tenant with overrides is asked for."""
    overriding(world)
    return world.gateway().before(call("save"), CLERK)


# What fails, at which call to the store, when what is done.
CASES: tuple[tuple[str, str, int, Work], ...] = (
    ("whose conversation it is can't be read", "read", 0, before),
    ("that the call runs can't be written", "apply", 0, before),
    ("its count can't be written", "apply", 0, nameless),
    ("the journal can't be read", "read", 2, again),
    ("limits can't be read", "read", 1, over),
    ("when there is room again can't be read", "counted", 0, over),
    ("earlier questions can't be read", "read", 1, paid),
    ("the question can't be written", "apply", 0, paid),
    ("the journal can't be read", "read", 1, after),
    ("the result can't be written", "apply", 1, after),
    ("the question can't be read", "read", 5, answered),
    ("the answer can't be written", "apply", 1, answered),
    ("the override before can't be read", "read", 1, overriding),
    ("the override can't be written", "apply", 1, overriding),
    ("whether the tenant's tools differ can't be told", "generation", 3, overridden),
    ("the tenant's overrides can't be read", "listed", 0, overridden),
)


def outcome(method: str, number: int, work: Work) -> str:
    """What becomes of it, in the words of the table."""
    world = World(Failing(method, number), LIMITED)
    try:
        made: Any = work(world)
    except Unavailable:
        left = "question stays as it was" if work is answered else "entry stays open, and a person is asked"
        return f"`Unavailable` is raised; the {left}"
    if isinstance(made, Ran):
        made = made.decision if made.review is None else made.review
    if isinstance(made, Decision):
        return f"{made.effect.value}, `{made.code.value}`"
    if isinstance(made, Request):
        return "the answer counts"
    if made.code is Code.REVIEWED:
        return "what came of it is shown"
    return f"`{made.code.value}`: nothing of the result is shown, the entry stays open"


def rows() -> Iterator[tuple[str, str, str]]:
    """The table."""
    for what, method, number, work in CASES:
        yield (work.__doc__ or "").removesuffix("."), what, outcome(method, number, work)
