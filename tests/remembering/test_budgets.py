"""Budgets: what calls may spend in a stretch of time, exactly, in each currency (D6)."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code, Decision, Effect, Gateway
from gateway.diagnostic import PolicyError
from gateway.state import Unavailable
from tests.engine.build import compiled
from tests.remembering.world import CLERK, World

HEAD = """
version: 1
settings: {confirm_from: IRREVERSIBLE}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools:
  - name: pay
    risk: MEDIUM
    permissions: []
    parameters:
      type: object
      required: [amount]
      properties: {amount: {}, whole: {type: integer, default: 0}, real: {type: number, default: 0}, text: {type: string, default: "0"}, currency: {type: string, default: EUR}}
  - name: via
    risk: MEDIUM
    permissions: []
    wraps: {tool: args.tool, arguments: args.input}
    parameters: {type: object, required: [tool, input], properties: {tool: {type: string}, input: {type: object, additionalProperties: true}}}
limits:
"""
SPEND = "{id: spend, tools: [pay], per: subject, budget: 100/d, amount: args.amount}"
MONEY = (
    "{id: spend, tools: [pay], per: subject, budget: {EUR: 100/d, JPY: 20000/d},"
    " amount: args.amount, currency: args.currency}"
)


def limited(*limits: str) -> World:
    """A world with these limits."""
    return World(text=HEAD + "".join(f"  - {limit}\n" for limit in limits))


def pay(gateway: Gateway, name: str, amount: Any, session: dict[str, Any] = CLERK, **more: Any) -> Decision:
    return gateway.before({"tool": "pay", "id": name, "arguments": {"amount": amount, **more}}, session)


def codes(gateway: Gateway, *amounts: Any) -> list[Code]:
    return [pay(gateway, f"p-{number}", amount).code for number, amount in enumerate(amounts)]


def test_a_budget_is_spent_to_its_end_and_no_further() -> None:
    assert codes(limited(SPEND).gateway(), 60, 41, 40, 1, 0) == [
        Code.ALLOWED,
        Code.BUDGET,
        Code.ALLOWED,
        Code.BUDGET,
        Code.ALLOWED,
    ]


def test_a_refusal_says_what_is_left_and_when_there_is_more() -> None:
    world = limited(SPEND)
    gateway = world.gateway()
    pay(gateway, "a", 30.5)
    world.pass_by(hours=1)
    pay(gateway, "b", 60)
    refused = pay(gateway, "c", 10)
    assert (refused.effect, refused.code, refused.rule) == (Effect.DENY, Code.BUDGET, "spend")
    assert "There is 9.5 left. It can be tried again after 2026-12-02 12:00:00 UTC." in refused.message
    assert "of 100 in 1d there is 9.5 left; the call spends 10" in refused.detail
    later = pay(gateway, "d", 50)
    assert "again after 2026-12-02 13:00:00 UTC." in later.message
    world.pass_by(hours=22, minutes=59, seconds=59)
    assert pay(gateway, "e", 10).code is Code.BUDGET
    world.pass_by(seconds=1)
    assert pay(gateway, "f", 10).proceeds


def test_more_than_the_whole_budget_is_never_there() -> None:
    refused = pay(limited(SPEND).gateway(), "a", 100.000001)
    assert refused.code is Code.BUDGET
    assert "There is 100 left. No call can spend as much at once." in refused.message


@pytest.mark.parametrize("per", ["tenant", "tool", "{cel: args.currency}"])
def test_what_others_spent_is_not_told(per: str) -> None:
    gateway = limited(SPEND.replace("subject", per)).gateway()
    pay(gateway, "a", 77, {**CLERK, "id": "s-2", "subject": {**CLERK["subject"], "id": "u-2"}})
    refused = pay(gateway, "b", 24)
    assert refused.code is Code.BUDGET
    assert "again after" in refused.message
    assert "23" not in refused.message.replace("2026", "")
    assert "there is 23 left" in refused.detail


def test_a_budget_of_one_is_none_of_another() -> None:
    gateway = limited(SPEND).gateway()
    assert pay(gateway, "a", 100).proceeds
    assert pay(
        gateway, "b", 100, {**CLERK, "id": "s-2", "subject": {**CLERK["subject"], "id": "u-2"}}
    ).proceeds


def test_each_currency_has_its_own_budget() -> None:
    gateway = limited(MONEY).gateway()
    assert pay(gateway, "a", 100).proceeds
    assert pay(gateway, "b", 20000, currency="JPY").proceeds
    refused = pay(gateway, "c", 1, currency="JPY")
    assert "There is 0 JPY left." in refused.message
    assert pay(gateway, "d", 1).code is Code.BUDGET


@pytest.mark.parametrize("currency", ["USD", "eur", "", "x" * 500])
def test_a_currency_without_a_budget_is_refused(currency: str) -> None:
    refused = pay(limited(MONEY).gateway(), "a", 1, currency=currency)
    assert refused.code is Code.BUDGET
    assert "There is no budget in this currency; there is in " in refused.message
    assert len(refused.detail) < 300


@pytest.mark.parametrize("amount", [-1, -0.0000001, "5", True, None, [1]])
def test_what_is_no_amount_is_refused(amount: Any) -> None:
    gateway = limited(SPEND).gateway()
    assert pay(gateway, "a", amount).code is Code.BUDGET
    assert pay(gateway, "b", 100).proceeds


@pytest.mark.parametrize(
    ("expression", "arguments"),
    [
        ("decimal(args.text)", {"text": "-0.01"}),
        ("decimal(args.text)", {"text": "ten"}),
        ("args.whole / (args.whole - 1)", {"whole": 1}),
        ("args.real / 0.0", {"real": 1.0}),
        ("-args.real / 0.0", {"real": 1.0}),
        ("args.real / 0.0", {"real": 0.0}),
        ("args.amount.value", {}),
    ],
)
def test_an_amount_that_comes_to_none_is_refused(expression: str, arguments: dict[str, Any]) -> None:
    gateway = limited(SPEND.replace("args.amount", expression)).gateway()
    assert pay(gateway, "a", 1, **arguments).code is Code.BUDGET


@pytest.mark.parametrize(
    ("expression", "spent", "fits", "too_much"),
    [
        ("args.real", {"real": 0.1}, {"real": 99.9}, {"real": 99.900001}),
        ("args.real + 0.2", {"real": 0.1}, {"real": 99.499999}, {"real": 99.5}),
        ("decimal(args.text)", {"text": "0.10"}, {"text": "99.90"}, {"text": "99.9000001"}),
        ("decimal(args.text) * decimal('1.1')", {"text": "50"}, {"text": "40.909090"}, {"text": "40.909091"}),
        ("args.whole * 2", {"whole": 25}, {"whole": 25}, {"whole": 26}),
        ("uint(args.whole)", {"whole": 1}, {"whole": 99}, {"whole": 100}),
        ("args.real", {"real": 1e-9}, {"real": 99.999999}, {"real": 100}),
        ("args.real", {"real": 1}, {"real": 99}, {"real": 9e18}),
        ("args.whole", {"whole": 1}, {"whole": 99}, {"whole": 2**63 - 1}),
    ],
)
def test_amounts_are_exact_and_rounded_up_beyond_millionths(
    expression: str, spent: dict[str, Any], fits: dict[str, Any], too_much: dict[str, Any]
) -> None:
    gateway = limited(SPEND.replace("args.amount", expression)).gateway()
    assert pay(gateway, "a", 1, **spent).proceeds
    assert pay(gateway, "b", 1, **too_much).code is Code.BUDGET
    assert pay(gateway, "c", 1, **fits).proceeds


def test_ten_times_a_tenth_is_one() -> None:
    gateway = limited(SPEND.replace("100/d", "1/d").replace("args.amount", "args.real")).gateway()
    assert all(pay(gateway, f"p-{number}", 1, real=0.1).proceeds for number in range(10))
    assert pay(gateway, "last", 1, real=0.000001).code is Code.BUDGET


def test_what_is_not_let_run_is_not_spent() -> None:
    world = limited(SPEND)
    world.text += 'rules: [{id: odd, tools: [pay], when: args.text == "ask", effect: ask}]\n'
    gateway = world.gateway()
    assert pay(gateway, "a", 100, text="ask").effect is Effect.ASK
    assert pay(gateway, "b", 100, {**CLERK, "dry_run": True}).code is Code.DRY_RUN
    assert pay(gateway, "c", 100).proceeds


def test_a_payment_through_a_meta_tool_is_spent_once() -> None:
    gateway = limited(SPEND.replace("[pay]", '["*"]').replace("args.amount", '"40"')).gateway()

    def via(name: str) -> Code:
        arguments = {"tool": "pay", "input": {"amount": 1}}
        return gateway.before({"tool": "via", "id": name, "arguments": arguments}, CLERK).code

    assert [via("a"), via("b"), via("c")] == [Code.ALLOWED, Code.ALLOWED, Code.BUDGET]


def test_a_watched_budget_refuses_nothing_and_goes_on_counting() -> None:
    world = limited(SPEND.replace("100/d", "100/d, monitor: true"))
    gateway = world.gateway()
    amounts = [60, 60, 9e18, 9e18, 9e18, -1]
    decisions = [pay(gateway, f"p-{number}", amount) for number, amount in enumerate(amounts)]
    assert all(one.proceeds for one in decisions)
    assert [len(one.monitored) for one in decisions] == [0, 1, 1, 1, 1, 1]
    enforced = world.gateway(HEAD + f"  - {SPEND}\n")
    assert pay(enforced, "last", 1).code is Code.BUDGET


def test_what_was_counted_as_calls_is_not_spent() -> None:
    world = limited(SPEND.replace("budget: 100/d, amount: args.amount", "rate: 2000/d"))
    assert pay(world.gateway(), "a", 100).proceeds
    assert pay(world.gateway(HEAD + f"  - {SPEND}\n"), "b", 100).proceeds
    calls = world.gateway()
    assert pay(calls, "c", 100).proceeds


def test_when_there_is_room_again_can_not_be_read() -> None:
    world = limited(SPEND)
    gateway = world.gateway()
    pay(gateway, "a", 100)

    def broken(*_: object) -> Any:
        raise Unavailable("gone")

    world.store.counted = broken  # type: ignore[method-assign, assignment]
    assert pay(gateway, "b", 1).code is Code.STATE_UNAVAILABLE


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("{id: a, tools: [pay], per: subject, budget: 100/d}", "a budget needs `amount`"),
        ("{id: a, tools: [pay], budget: 100/d, amount: args.whole}", "a budget needs `per`"),
        ("{id: a, tools: [pay], per: subject, rate: 1/h, amount: args.whole}", "no place without `budget`"),
        (
            "{id: a, tools: [pay], per: subject, rate: 1/h, budget: 1/h, amount: '1'}",
            "one of `rate`, `budget`",
        ),
        (SPEND.replace("100/d", "{EUR: 100/d}"), "budgets by currency need `currency`"),
        (MONEY.replace("{EUR: 100/d, JPY: 20000/d}", "100/d"), "says of which one it is"),
        (SPEND.replace("100/d", "0.0/d"), "a budget of nothing"),
        (SPEND.replace("100/d", "1.0000001/d"), "is no budget"),
        (SPEND.replace("100/d", "-1/d"), "is no budget"),
        (SPEND.replace("100/d", "100"), "is no budget"),
        (SPEND.replace("100/d", "{}"), "this is no budget"),
        (SPEND.replace("100/d", '{"a b": 1/d}'), "is no currency"),
        (SPEND.replace("args.amount", "args.text"), "this gives string, but a number is needed"),
        (SPEND.replace("args.amount", "args.whole > 1"), "this gives bool, but a number is needed"),
        (SPEND.replace("args.amount", "args.amout"), "did you mean"),
        (MONEY.replace("args.currency", "args.whole"), "this gives int, but string is needed"),
    ],
)
def test_a_budget_that_can_not_be_meant_is_no_policy(limit: str, said: str) -> None:
    with pytest.raises(PolicyError) as error:
        compiled(HEAD + f"  - {limit}\n")
    assert said in str(error.value)
