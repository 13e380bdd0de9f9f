"""The fast path where calls are remembered: it answers and changes what the steps would, whatever came before."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import Code, Decision, Gateway, Session
from gateway.keeping import Keeper
from gateway.state import Kind, Window
from gateway.stores.memory import MemoryStore
from tests.remembering.world import CLERK, World

TEXT = """
version: 1
settings: {confirm_from: HIGH}
agents:
  - {name: clerk, tools: ["*"], tenants: ["*"]}
  - {name: helper, tools: ["*"], tenants: ["*"]}
defaults:
  - tools: ["*"]
    permissions: []
    parameters: {type: object, required: [id], properties: {id: {type: string}, n: {type: integer}}}
tools:
  - {name: look, risk: READ_ONLY}
  - {name: save, risk: MEDIUM, timeout: 5s}
  - {name: mail, risk: LOW, idempotent: true}
  - {name: book, risk: LOW, idempotency_key: "{args.id}"}
  - {name: pay, risk: HIGH}
  - {name: poll, risk: LOW}
  - {name: note, risk: LOW}
rules:
  - {id: odd, tools: [save], when: args.id == "odd", effect: deny}
limits:
  - {id: saves, tools: [save], per: subject, rate: 3/h}
  - {id: all, tools: ["*"], per: tenant, rate: 9/h}
  - {id: helpers, tools: [save, mail], agents: [helper], per: session, rate: 1/h}
  - {id: mails, tools: [mail], per: session, rate: 2/h, message: Enough mail.}
  - {id: notes, tools: [note], per: turn, rate: 4/h}
  - {id: looks, tools: [look], per: tool, rate: 4/h}
  - {id: polls, tools: [poll], repeats: 2}
  - {id: large, tools: [save], per: session, rate: 1/h, when: args.n > 5, monitor: true}
"""
TEXT = TEXT.replace("args.n > 5", "has(args.n) && args.n > 5")
WHO: tuple[dict[str, Any], ...] = (
    CLERK,
    {**CLERK, "turn": {"id": "t-1"}},
    {**CLERK, "id": "s-2", "agent": "helper"},
    {**CLERK, "id": "s-1", "agent": "helper"},
    {**CLERK, "id": ""},
    {**CLERK, "dry_run": True},
    {**CLERK, "id": "s-4", "tenant": "beta", "subject": {**CLERK["subject"], "tenant": "beta"}},
)
STEPS = st.lists(
    st.tuples(
        st.integers(0, len(WHO) - 1),
        st.sampled_from(["look", "save", "save", "mail", "book", "pay", "poll", "note"]),
        st.sampled_from(["c-1", "c-2", "c-3", "c-4", "", 'ü"\\\U0001f600' + "x" * 200]),
        st.sampled_from(["a", "b", "odd"]),
        st.booleans(),
    ),
    min_size=5,
    max_size=40,
)


def told(decision: Decision) -> tuple[Any, ...]:
    """What a host reads of a decision."""
    names = (
        "effect",
        "code",
        "rule",
        "message",
        "arguments",
        "basis",
        "risk",
        "timeout",
        "repeatable",
        "response",
    )
    return tuple(getattr(decision, name) for name in names)


def kept(store: MemoryStore) -> dict[Any, Any]:
    """What a store holds, without the ids of decisions."""
    found: dict[Any, Any] = {}
    for key, (entry, expires) in store._entries.items():
        value: Any = entry.value
        if key.kind is Kind.JOURNAL:
            value = {name: one for name, one in json.loads(value).items() if name != "decision"}
        if key.kind is not Kind.APPROVAL and key.kind is not Kind.RESULT:
            found[key] = value, entry.version, expires
    for key in store._counts:
        if counts := store.counted(Window(key, 0), 1000):
            found[key, "counted"] = counts
    return found


@pytest.mark.parametrize("remembers", [True, False])
@given(STEPS)
@settings(max_examples=150, deadline=None)
def test_it_is_as_the_steps_are(remembers: bool, steps: list[tuple[int, str, str, str, bool]]) -> None:
    worlds = World(text=TEXT), World(text=TEXT)
    quick, slow = (world.gateway() for world in worlds)
    if not remembers:
        for world, gateway in zip(worlds, (quick, slow), strict=True):
            gateway._keeper = gateway._tenants = None
            world.store = gateway._counting().store
    (slow._keeper or slow._counting())._wary = 1_000_000  # it presumes nothing
    seated = [Session.of(who) for who in WHO]
    for who, tool, name, argument, ends in steps:
        call: dict[str, Any] = {"tool": tool, "id": name, "arguments": {"id": argument}}
        if not name:
            del call["id"]
        one, other = quick.before(call, seated[who]), slow.before(call, WHO[who])
        assert told(one) == told(other)
        if ends and one.proceeds and name:
            assert (
                quick.after(call, seated[who], "done", one).code
                is slow.after(call, WHO[who], "done", other).code
            )
        for world in worlds:
            world.pass_by(minutes=7)
        first, second = (world.store for world in worlds)
        assert isinstance(first, MemoryStore)
        assert isinstance(second, MemoryStore)
        assert kept(first) == kept(second)


def test_plain_calls_of_a_session_that_is_kept_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the test above compares two ways, and not one with itself."""
    taken: list[bool] = []
    started = Keeper.started

    def noted(*given: Any) -> Decision | None:
        decision = started(*given)
        taken.append(decision is not None)
        return decision

    monkeypatch.setattr(Keeper, "started", noted)
    gateway, who = World(text=TEXT).gateway(), Session.of(CLERK)
    for number in range(4):
        call = {"tool": "save", "id": f"c-{number}", "arguments": {"id": "a"}}
        decision = gateway.before(call, who)
        assert decision.code is (Code.RATE_LIMIT if number == 3 else Code.ALLOWED)
    assert taken == [False, False, False, False]
    taken.clear()
    for number in range(4):
        call = {"tool": "mail", "id": f"m-{number}", "arguments": {"id": "a"}}
        assert gateway.before(call, who).code is (Code.ALLOWED if number < 2 else Code.RATE_LIMIT)
    assert any(taken)


def test_a_session_that_is_kept_over_turns_is_counted_by_the_turn_that_it_is_in() -> None:
    turn = {"id": "t-1"}
    gateway, who = World(text=TEXT.replace("9/h", "90/h")).gateway(), Session.of({**CLERK, "turn": turn})

    def notes(number: int) -> int:
        calls = [{"tool": "note", "id": f"{turn['id']}-{n}", "arguments": {"id": "a"}} for n in range(number)]
        return sum(gateway.before(call, who).proceeds for call in calls)

    assert notes(3) == 3
    turn["id"] = "t-2"
    assert notes(8) == 4
    turn["id"] = "t-1"
    assert notes(6) == 1
    turn["id"] = "t-3"
    assert notes(5) == 4


def test_a_conversation_of_somebody_else_does_not_take_it() -> None:
    world = World(text=TEXT)
    gateway = world.gateway()
    mine, other = Session.of(CLERK), Session.of({**CLERK, "subject": {**CLERK["subject"], "id": "u-9"}})
    for number in range(3):
        call = {"tool": "mail", "id": f"m-{number}", "arguments": {"id": "a"}}
        assert (gateway.before(call, mine).code is Code.ALLOWED) is (number < 2)
        assert gateway.before(call, other).code is Code.SESSION_MISMATCH


def test_a_gateway_that_was_not_told_of_a_call_does_not_run_it_twice() -> None:
    """Another process was faster: what is presumed is not so, and the steps say what is."""
    world = World(text=TEXT)
    one, other, who = world.gateway(), world.gateway(), Session.of(CLERK)
    for gateway in (one, other):
        for number in range(2):
            gateway.before({"tool": "mail", "id": f"{id(gateway)}-{number}", "arguments": {"id": "a"}}, who)
    world.pass_by(hours=2)
    call = {"tool": "mail", "id": "same", "arguments": {"id": "a"}}
    assert one.before(call, who).code is Code.ALLOWED
    one.after(call, who, "sent")
    assert other.before(call, who).code is Code.ALREADY_COMPLETED


def test_an_override_is_in_force_for_a_session_that_is_seated() -> None:
    console = 'agents:\n  - {name: console, tools: ["gateway/*"], tenants: ["*"]}\n'
    lifted = 'rules:\n  - {id: consoles, tools: ["gateway/*"], effect: allow}\n'
    text = (
        TEXT.replace("agents:\n", console)
        .replace("rules:\n", lifted)
        .replace('tools: ["*"], per', "tools: [book], per")
    )
    gateway: Gateway = World(text=text).gateway()
    who = Session.of(CLERK)
    for number in range(2):
        call = {"tool": "mail", "id": f"m-{number}", "arguments": {"id": "a"}}
        assert gateway.before(call, who).code is Code.ALLOWED
    subject = {**CLERK["subject"], "permissions": ["gateway:override"]}
    off = {"tool": "gateway/override", "id": "o", "arguments": {"tool": "mail", "enabled": False}}
    assert gateway.manage(off, {**CLERK, "id": "console", "agent": "console", "subject": subject}).done
    call = {"tool": "mail", "id": "m-9", "arguments": {"id": "a"}}
    assert gateway.before(call, who).code is Code.TOOL_DISABLED
