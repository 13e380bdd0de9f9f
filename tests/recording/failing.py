"""A recorder that fails where it is told to, and what then becomes of calls."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gateway import Decision, Gateway, OnRelaxation, PolicyError
from gateway.answering import Answer, Verdict
from gateway.approvals import Request
from gateway.record import Recorder
from gateway.results.review import Review
from gateway.state import Unavailable
from gateway.stores.memory import MemoryStore
from tests.recording.world import Failing, gateway
from tests.remembering.world import CLERK, SHOP, call, person


class World:
    """A gateway with a store and a recorder, and its policy in a file."""

    def __init__(self, recorder: Recorder | None) -> None:
        self.store = MemoryStore()
        self.recorder = recorder

    @property
    def gateway(self) -> Gateway:
        return gateway(self.recorder, store=self.store)


Work = Callable[[World], object]


def allowed(world: World) -> Decision:
    """A call would be allowed"""
    return world.gateway.before(call("save"), CLERK)


def asked(world: World) -> Decision:
    """A person would be asked"""
    return world.gateway.before(call("pay"), CLERK)


def refused(world: World) -> Decision:
    """A call is refused"""
    return world.gateway.before(call("gone"), CLERK)


def unlisted(world: World) -> Decision:
    """A host's own tool would be allowed"""
    return world.gateway.before_unlisted(call("Bash", command="ls"), CLERK)


def result(world: World) -> Review:
    """A call's result comes"""
    allowed(world)
    return world.gateway.after(call("save"), CLERK, {"saved": 7})


def answer(world: World) -> Request:
    """A person answers"""
    approval = asked(world).approval
    assert approval is not None
    return world.gateway.resume(approval["id"], Answer(Verdict.APPROVE), person("u-2"))


def reload(world: World) -> str:
    """The policies are read again"""
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder) / "policy.yaml"
        policy.write_text(SHOP)
        gate = Gateway.load(policy, recorder=world.recorder)
        before = gate.manifest.digest
        policy.write_text(SHOP.replace("confirm_from: HIGH", "confirm_from: MEDIUM"))
        try:
            gate.reload(on_relaxation=OnRelaxation.WARN)
        finally:
            changed = gate.manifest.digest != before
    return "they are served" if changed else "those before stay in force"


CASES: tuple[tuple[Work, int], ...] = (
    (allowed, 0),
    (asked, 0),
    (refused, 0),
    (unlisted, 0),
    (result, 1),
    (answer, 1),
    (reload, 0),
)
"""What is done, and which of its records fails."""


def outcome(recorder: Recorder | None, work: Work) -> str:
    """What becomes of it, in the words of the table."""
    try:
        made: Any = work(World(recorder))
    except Unavailable:
        return "`Unavailable` is raised; the question stays as it was"
    except PolicyError as error:
        return f"`{error.diagnostics[0].code}` is raised; the policy before stays in force"
    if isinstance(made, Decision):
        return f"{made.effect.value}, `{made.code.value}`"
    if isinstance(made, Review):
        shown = "nothing of the result is shown" if made.withheld else "it is shown"
        return f"`{made.code.value}`: {shown}"
    return f"it is {made.status.value}" if isinstance(made, Request) else str(made)


def rows() -> Iterator[tuple[str, str]]:
    """The table."""
    for work, number in CASES:
        yield work.__doc__ or "", outcome(Failing(number), work)
