"""Limits: exact rates over a sliding stretch of time, steps of a turn, equal calls in a row (C5, D5, D6, E7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import Code, Effect, Gateway
from tests.remembering.world import CLERK, NOON, World, call

HEAD = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]%s}]
defaults:
  - tools: ["*"]
    permissions: []
    parameters: {type: object, required: [id], properties: {id: {type: string}, amount: {type: integer, default: 1}}}
tools: [{name: look, risk: READ_ONLY}, {name: mail, risk: LOW}, {name: poll, risk: READ_ONLY}]
"""


def limited(*limits: str, steps: str = "") -> World:
    """A world with these limits."""
    text = HEAD % (steps and f", max_steps: {steps}") + (
        "limits:\n" + "".join(f"  - {limit}\n" for limit in limits) if limits else ""
    )
    return World(text=text)


def codes(gateway: Gateway, *calls: dict[str, Any], session: dict[str, Any] = CLERK) -> list[Code]:
    """What each of some calls, one after the other, is answered."""
    return [gateway.before(one, session).code for one in calls]


def mails(count: int, start: int = 0) -> list[dict[str, Any]]:
    return [call("mail", f"m-{number}", id=str(number)) for number in range(start, start + count)]


def test_a_rate_lets_through_what_it_says_and_no_more() -> None:  # D6
    world = limited("{id: mails, tools: [mail], per: subject, rate: 3/h}")
    assert codes(world.gateway(), *mails(4)) == [Code.ALLOWED] * 3 + [Code.RATE_LIMIT]


def test_a_refusal_says_when_there_is_room_again() -> None:
    world = limited("{id: mails, tools: [mail], per: subject, rate: 2/h, message: Too many mails.}")
    gateway = world.gateway()
    gateway.before(mails(1)[0], CLERK)
    world.pass_by(minutes=20)
    gateway.before(mails(1, 1)[0], CLERK)
    refused = gateway.before(mails(1, 2)[0], CLERK)
    assert (refused.effect, refused.rule) == (Effect.DENY, "mails")
    assert refused.message.startswith("Too many mails. It can be tried again after 2026-12-01 13:00:00 UTC.")
    world.pass_by(minutes=39, seconds=59)
    assert not gateway.before(mails(1, 3)[0], CLERK).proceeds
    world.pass_by(seconds=1)
    assert gateway.before(mails(1, 4)[0], CLERK).proceeds


@given(st.lists(st.integers(0, 40), min_size=1, max_size=40))
def test_no_stretch_of_time_holds_more_than_the_rate(waits: list[int]) -> None:
    world = limited("{id: mails, tools: [mail], per: tenant, rate: 3/1m}")
    gateway = world.gateway()
    let: list[float] = []
    for number, wait in enumerate(waits):
        world.pass_by(seconds=wait)
        now = (world.now - NOON).total_seconds()
        expected = sum(1 for at in let if at > now - 60) < 3
        assert gateway.before(mails(1, number)[0], CLERK).proceeds is expected
        if expected:
            let.append(now)


@pytest.mark.parametrize(
    ("per", "changes", "shared"),
    [
        ("tenant", {"id": "s-9", "subject": {**CLERK["subject"], "id": "u-2"}}, True),
        ("subject", {"id": "s-9", "subject": {**CLERK["subject"], "id": "u-2"}}, False),
        ("subject", {"id": "s-2"}, True),
        ("session", {"id": "s-2"}, False),
        ("session", {"turn": {"id": "t-2"}}, True),
        ("turn", {"turn": {"id": "t-2"}}, False),
        ("tool", {"id": "s-9", "subject": {**CLERK["subject"], "id": "u-2"}}, True),
        ("tenant", {"tenant": "beta", "subject": {**CLERK["subject"], "tenant": "beta"}}, False),
        ("tool", {"tenant": "beta", "subject": {**CLERK["subject"], "tenant": "beta"}}, False),
    ],
)
def test_what_a_rate_is_counted_by(per: str, changes: dict[str, Any], shared: bool) -> None:  # D6
    world = limited(f"{{id: mails, tools: [mail], per: {per}, rate: 1/h}}")
    gateway = world.gateway()
    assert gateway.before(mails(1)[0], CLERK).proceeds
    other = gateway.before(mails(1, 1)[0], {**CLERK, **changes})
    assert other.code is (Code.RATE_LIMIT if shared else Code.ALLOWED)


def test_a_rate_of_a_tool_is_none_of_another() -> None:
    world = limited('{id: any, tools: ["*"], per: tool, rate: 1/h}')
    assert codes(world.gateway(), call("mail", "a"), call("look", "b"), call("mail", "c")) == [
        Code.ALLOWED,
        Code.ALLOWED,
        Code.RATE_LIMIT,
    ]


def test_a_rate_by_a_value() -> None:
    world = limited("{id: mails, tools: [mail], per: {cel: args.id}, rate: 1/h}")
    calls = [call("mail", "a", id="x"), call("mail", "b", id="y"), call("mail", "c", id="x")]
    assert codes(world.gateway(), *calls) == [Code.ALLOWED, Code.ALLOWED, Code.RATE_LIMIT]


def test_what_can_not_be_counted_is_refused() -> None:
    world = limited("{id: mails, tools: [mail], per: {cel: 10 / (args.amount - 1)}, rate: 5/h}")
    assert codes(world.gateway(), call("mail", "a"), call("mail", "b", amount=2)) == [
        Code.RATE_LIMIT,
        Code.ALLOWED,
    ]


def test_a_rate_with_a_condition_counts_only_what_it_is_about() -> None:
    world = limited("{id: dear, tools: [mail], per: subject, rate: 1/h, when: args.amount > 10}")
    calls = [call("mail", "a", amount=11), call("mail", "b", amount=1), call("mail", "c", amount=12)]
    assert codes(world.gateway(), *calls) == [Code.ALLOWED, Code.ALLOWED, Code.RATE_LIMIT]


def test_a_condition_that_fails_counts() -> None:
    world = limited("{id: odd, tools: [mail], per: subject, rate: 1/h, when: 10 / (args.amount - 1) > 100}")
    assert codes(world.gateway(), call("mail", "a"), call("mail", "b")) == [Code.ALLOWED, Code.RATE_LIMIT]


def test_what_is_not_let_run_is_not_counted() -> None:
    world = limited("{id: mails, tools: [mail], per: subject, rate: 1/h}")
    gateway = world.gateway()
    assert gateway.before(call("mail", "a", id=7), CLERK).code is Code.ARGUMENT_INVALID
    assert gateway.before(call("mail", "b"), {**CLERK, "dry_run": True}).code is Code.DRY_RUN
    assert gateway.before(call("mail", "c"), CLERK).proceeds


def test_of_two_limits_a_refusal_counts_in_neither() -> None:
    world = limited(
        "{id: few, tools: [mail], per: session, rate: 1/h}",
        "{id: many, tools: [mail], per: subject, rate: 2/h}",
    )
    gateway = world.gateway()
    assert codes(gateway, *mails(2)) == [Code.ALLOWED, Code.RATE_LIMIT]
    assert gateway.before(mails(1, 2)[0], {**CLERK, "id": "s-2"}).proceeds


def test_a_watched_limit_refuses_nothing() -> None:
    world = limited("{id: mails, tools: [mail], per: subject, rate: 1/h, monitor: true}")
    gateway = world.gateway()
    gateway.before(mails(1)[0], CLERK)
    second = gateway.before(mails(1, 1)[0], CLERK)
    assert second.proceeds
    assert [finding.rule for finding in second.monitored] == ["mails"]


def test_the_same_call_again_and_again_is_stopped() -> None:  # C5
    world = limited('{id: loops, tools: ["*", "!poll"], repeats: 3}')
    gateway = world.gateway()
    same = [call("look", f"c-{number}") for number in range(5)]
    assert codes(gateway, *same) == [Code.ALLOWED] * 3 + [Code.REPEATED] * 2
    assert codes(gateway, call("look", "c-6", id="b"), call("look", "c-7")) == [Code.ALLOWED] * 2
    assert codes(gateway, *[call("poll", f"p-{number}") for number in range(5)]) == [Code.ALLOWED] * 5


def test_equal_calls_are_equal_however_they_are_spelled() -> None:
    world = limited('{id: loops, tools: ["*"], repeats: 2}')
    spelled: list[Any] = ['{"id": "a", "amount": 1}', {"amount": 1.0, "id": "a"}, '{"amount":1,"id":"a"}']
    calls = [{"tool": "look", "id": f"c-{n}", "arguments": one} for n, one in enumerate(spelled)]
    assert codes(world.gateway(), *calls) == [Code.ALLOWED, Code.ALLOWED, Code.REPEATED]


def test_equal_calls_of_two_conversations_are_no_loop() -> None:
    world = limited('{id: loops, tools: ["*"], repeats: 2}')
    gateway = world.gateway()
    for number in range(6):
        session = {**CLERK, "id": f"s-{number % 3}"}
        assert gateway.before(call("look", f"c-{number}"), session).proceeds


def test_a_turn_has_so_many_steps() -> None:  # D5
    world = limited(steps="2")
    gateway = world.gateway()
    steps = [{**call("look", f"c-{n}", id=str(n)), "iteration": n // 2} for n in range(5)]
    assert codes(gateway, *steps) == [Code.ALLOWED] * 4 + [Code.STEP_LIMIT]
    assert "limit of 2 steps" in gateway.before({**call("look", "c-9"), "iteration": 9}, CLERK).message
    assert gateway.before(
        {**call("look", "c-10"), "iteration": 10}, {**CLERK, "turn": {"id": "t-2"}}
    ).proceeds


def test_calls_without_an_iteration_are_steps_of_their_own() -> None:
    world = limited(steps="2")
    calls = [call("look", f"c-{n}", id=str(n)) for n in range(3)]
    assert codes(world.gateway(), *calls) == [Code.ALLOWED, Code.ALLOWED, Code.STEP_LIMIT]


def test_limits_count_without_a_store_too() -> None:
    world = limited("{id: mails, tools: [mail], per: subject, rate: 1/h}")
    gateway = world.gateway()
    gateway._keeper = None
    assert codes(gateway, *mails(2)) == [Code.ALLOWED, Code.RATE_LIMIT]
    assert gateway.before(call("look", "c"), CLERK).proceeds
    assert gateway.before(call("look", "c"), CLERK).proceeds


def test_an_approved_call_counts_once() -> None:
    from tests.remembering.world import approve, person

    world = limited("{id: mails, tools: [mail], per: subject, rate: 1/h}")
    world.text += 'rules: [{id: first, tools: [mail], when: args.id == "a", effect: ask}]\n'
    gateway = world.gateway()
    asked = gateway.before(call("mail"), CLERK)
    assert asked.effect is Effect.ASK
    approve(gateway, asked.approval, person("u-2"))
    assert gateway.before(call("mail"), CLERK).proceeds
    assert gateway.before(call("mail", "c-2", id="b"), CLERK).code is Code.RATE_LIMIT
