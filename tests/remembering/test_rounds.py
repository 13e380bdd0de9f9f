"""Rounds that bring nothing new end a loop early (E7)."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code, Gateway, Session
from gateway.diagnostic import PolicyError
from gateway.state import Key, Put, Unavailable, Window
from tests.engine.build import compiled
from tests.remembering.world import CLERK, World

TEXT = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
defaults:
  - tools: [search, find, save]
    permissions: []
    parameters: {type: object, properties: {q: {type: string}}}
tools:
  - {name: search, risk: READ_ONLY}
  - {name: find, risk: READ_ONLY, result: {arrays: [hits]}}
  - {name: save, risk: MEDIUM}
  - name: via
    risk: READ_ONLY
    permissions: []
    wraps: {tool: args.tool, arguments: args.input}
    parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}
limits:
  - {id: nothing-new, tools: [search, find], empty_rounds: 2}
"""
STOPPED = Code.NOTHING_NEW


class Conversation:
    """A model that calls tools, and what comes back."""

    def __init__(self, gateway: Gateway, session: dict[str, Any] | Session = CLERK) -> None:
        self.gateway = gateway
        self.session = Session.of(session)
        self.calls = 0

    def call(self, result: object, turn: int | None, tool: str = "search", arguments: object = None) -> Code:
        """What a call is answered; if it may run, it comes to the result."""
        self.calls += 1
        name = f"{self.session.id}-{self.calls}"
        call = {"tool": tool, "id": name, "arguments": arguments or {}, "iteration": turn}
        decision = self.gateway.before(call, self.session)
        if decision.proceeds:
            self.gateway.after(call, self.session, result, decision)
        return decision.code

    def calling(self, *results: object) -> list[Code]:
        """What calls are answered of which each is a round."""
        return [self.call(result, None) for result in results]


@pytest.fixture(params=["store", "process"])
def gateway(request: pytest.FixtureRequest) -> Gateway:
    """A gateway that remembers in its store, and one without a store."""
    made = World(text=TEXT).gateway()
    if request.param == "process":
        made._keeper = None
    return made


def allowed(count: int) -> list[Code]:
    return [Code.ALLOWED] * count


def test_rounds_that_bring_nothing_end_the_loop(gateway: Gateway) -> None:  # E7
    assert Conversation(gateway).calling("a", "a", "a", "a", "b") == [*allowed(3), STOPPED, STOPPED]


def test_what_is_new_begins_anew(gateway: Gateway) -> None:
    results = ["a", "a", "b", "a", "c", "c", "c", "c"]
    assert Conversation(gateway).calling(*results) == [*allowed(7), STOPPED]


@pytest.mark.parametrize("empty", [None, "", "  \n", [], {}, {"content": [{"type": "text", "text": ""}]}])
def test_what_is_empty_is_nothing_new_from_the_first_time_on(gateway: Gateway, empty: object) -> None:
    assert Conversation(gateway).calling(empty, empty, "a") == [*allowed(2), STOPPED]


def test_a_round_is_an_answer_of_the_model_with_all_its_calls(gateway: Gateway) -> None:
    talk = Conversation(gateway)
    assert [talk.call("a", 1), talk.call("a", 1), talk.call("b", 2), talk.call("a", 2)] == allowed(4)
    assert [talk.call("a", 3), talk.call("a", 3), talk.call("b", 4), talk.call("a", 4)] == allowed(4)
    assert [talk.call("a", 5), talk.call("c", 6)] == [STOPPED, STOPPED]


def test_calls_of_a_round_that_has_begun_are_not_stopped_by_it(gateway: Gateway) -> None:
    talk = Conversation(gateway)
    assert talk.calling("a", "a") == allowed(2)
    assert [talk.call("a", 3), talk.call("a", 3), talk.call("a", 3)] == allowed(3)
    assert talk.call("a", 4) is STOPPED


def test_the_same_from_another_tool_is_nothing_new(gateway: Gateway) -> None:
    talk = Conversation(gateway)
    found = [talk.call("a", 1), talk.call("a", 2, "find"), talk.call("a", 3), talk.call("a", 4, "find")]
    assert found == [*allowed(3), STOPPED]


def test_tools_that_the_limit_is_not_about_go_on(gateway: Gateway) -> None:
    talk = Conversation(gateway)
    talk.calling("", "", "")
    assert talk.call("ok", 9, "save") is Code.ALLOWED


def test_calls_through_a_meta_tool_are_seen(gateway: Gateway) -> None:
    talk = Conversation(gateway)
    inner = {"tool": "search", "input": {"q": "x"}}
    found = [talk.call("a", turn, "via", inner) for turn in range(4)]
    assert found == [*allowed(3), STOPPED]


def test_another_turn_and_another_conversation_begin_anew(gateway: Gateway) -> None:
    assert Conversation(gateway).calling("", "", "")[-1] is STOPPED
    assert Conversation(gateway, {**CLERK, "turn": {"id": "t-2"}}).calling("a") == allowed(1)
    assert Conversation(gateway, {**CLERK, "id": "s-2"}).calling("a") == allowed(1)


def test_a_result_that_comes_late_is_news_all_the_same(gateway: Gateway) -> None:
    session = CLERK
    early = {"tool": "search", "id": "early", "arguments": {"q": "slow"}, "iteration": 1}
    granted = gateway.before(early, session)
    talk = Conversation(gateway)
    assert [talk.call("", 2), talk.call("", 3)] == allowed(2)
    gateway.after(early, session, "news", granted)
    assert talk.call("", 4) is Code.ALLOWED


def test_the_model_is_told_to_stop_looking(gateway: Gateway) -> None:
    Conversation(gateway).calling("", "")
    refused = gateway.before({"tool": "search", "id": "last", "arguments": {}}, CLERK)
    assert refused.rule == "nothing-new"
    assert "empty or known before" in refused.message
    assert "2 rounds in a row brought nothing new" in refused.detail


def test_a_watched_limit_stops_nothing() -> None:
    gateway = World(text=TEXT.replace("empty_rounds: 2", "empty_rounds: 2, monitor: true")).gateway()
    assert Conversation(gateway).calling("", "", "", "") == allowed(4)
    assert [one.code for one in gateway.before({"tool": "search", "id": "l"}, CLERK).monitored] == [STOPPED]


def test_a_call_that_is_answered_again_is_no_round() -> None:
    gateway = World(text=TEXT).gateway()
    Conversation(gateway).calling("a")
    again = {"tool": "search", "id": "s-1-1", "arguments": {}}
    for _ in range(3):
        assert gateway.before(again, CLERK).code is Code.ALREADY_COMPLETED
        gateway.after(again, CLERK, "a")
    talk = Conversation(gateway)
    talk.calls = 1
    assert talk.calling("a", "a", "a") == [*allowed(2), STOPPED]


def test_what_a_result_brought_is_kept_with_it_or_not_at_all() -> None:
    world = World(text=TEXT)
    gateway = world.gateway()
    call = {"tool": "search", "id": "c", "arguments": {}}
    decision = gateway.before(call, CLERK)
    apply = world.store.apply

    def full(changes: Any) -> None:
        if any(isinstance(one, Put) and b"news" in one.value for one in changes):
            raise Unavailable("full")
        apply(changes)

    world.store.apply = full  # type: ignore[method-assign]
    review = gateway.after(call, CLERK, "secret words", decision)
    assert (review.code, "secret" in review.text) == (Code.RESULT_UNRECORDED, False)
    world.store.apply = apply  # type: ignore[method-assign]
    assert gateway.after(call, CLERK, "secret words", decision).code is Code.REVIEWED


def test_what_others_note_at_once_is_not_lost() -> None:
    world = World(text=TEXT)
    gateway = world.gateway()
    calls = [{"tool": "search", "id": f"c-{n}", "arguments": {}, "iteration": 1} for n in range(2)]
    granted = [gateway.before(one, CLERK) for one in calls]
    read = world.store.read

    def interrupted(keys: list[Key | Window]) -> Any:
        state = read(keys)
        if any(isinstance(one, Key) and '"turn"' in one.name for one in keys):
            world.store.read = read  # type: ignore[method-assign]
            gateway.after(calls[1], CLERK, "news", granted[1])
        return state

    world.store.read = interrupted  # type: ignore[method-assign, assignment]
    assert gateway.after(calls[0], CLERK, "", granted[0]).code is Code.REVIEWED
    assert Conversation(gateway).call("news", 2) is Code.ALLOWED
    assert (
        Conversation(gateway, CLERK)
        .gateway.before({"tool": "search", "id": "n", "iteration": 3}, CLERK)
        .proceeds
    )


def test_a_note_that_can_not_be_read_refuses() -> None:
    world = World(text=TEXT)
    gateway = world.gateway()
    Conversation(gateway).calling("a")
    ((key, _),) = [
        one
        for one in world.store._entries.items()  # type: ignore[attr-defined]
        if '"turn"' in one[0].name
    ]
    for broken in (b"{}", b"[", b'{"seen": [], "news": true, "empty": 0}'):
        world.store.apply([Put(key, broken, None)])
        assert gateway.before({"tool": "search", "id": "x", "arguments": {}}, CLERK).code is (
            Code.STATE_UNAVAILABLE
        )


@pytest.mark.parametrize(
    "more", ["per: subject", "when: args.q == 'x'", "unless: args.q == 'x'", "repeats: 2"]
)
def test_what_has_no_place_beside_rounds(more: str) -> None:
    with pytest.raises(PolicyError):
        compiled(TEXT.replace("empty_rounds: 2", f"empty_rounds: 2, {more}"))


def test_a_sub_agent_looks_in_the_turn_of_its_conversation() -> None:
    gateway = World(text=TEXT).gateway()
    parent = Conversation(gateway)
    child = Conversation(gateway, gateway.child(CLERK, "clerk"))
    assert parent.call("a", 1) is Code.ALLOWED
    # The first answer of a sub-agent is another one than the first of who called it.
    assert [child.call("a", 1), child.call("a", 2)] == allowed(2)
    assert [child.call("a", 3), parent.call("a", 2)] == [STOPPED, STOPPED]


@pytest.mark.parametrize(
    "result",
    [
        None,
        "",
        "  ",
        [],
        {},
        "[]",
        "null",
        '""',
        {"items": []},
        {"items": [], "total": 0, "more": False},
        [[], {}],
    ],
)
def test_a_result_that_holds_nothing_is_empty(result: object) -> None:
    talk = Conversation(World(text=TEXT).gateway())
    assert talk.calling(result, result, "news") == [Code.ALLOWED, Code.ALLOWED, STOPPED]


@pytest.mark.parametrize(
    "result", [0, False, "none", [0], {"items": [{}], "q": "tea"}, "nothing found", "[ ]x"]
)
def test_a_result_that_holds_something_is_not(result: object) -> None:
    talk = Conversation(World(text=TEXT).gateway())
    assert talk.calling("first", result, "third", "fourth") == [Code.ALLOWED] * 4


def test_the_lists_that_a_tool_declares_say_whether_its_results_are_empty() -> None:
    talk = Conversation(World(text=TEXT).gateway())
    for number in range(2):
        assert talk.call({"hits": [], "q": f"tea {number}"}, None, "find") is Code.ALLOWED
    assert talk.call({"hits": [1], "q": "tea"}, None, "find") is STOPPED
