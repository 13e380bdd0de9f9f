"""Processes that want the same at the same moment: one of them gets it, on every store that several can use."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from gateway.answering import Answer, ApprovalError, Verdict
from gateway.stores import open_store
from tests.competing import at_once
from tests.engine.build import compiled
from tests.remembering.world import CLERK, SHOP, World, approve, call, person
from tests.stores.conftest import Stores

PROCESSES = 8
MAILS = """
limits: [{id: mails, tools: [save], per: subject, rate: 100/m}]
"""


def compete(url: str, work: Callable[[World, int], Any], text: str = SHOP) -> list[Any]:
    """What each of some processes with a world of its own comes to; they compete about the store, and nothing else."""
    compiled(text)

    def begin(number: int) -> Callable[[], Any]:
        world = World(open_store(url), text)
        world.now = datetime.now(UTC)
        return lambda: work(world, number)

    return at_once(PROCESSES, begin)


def test_one_process_lets_a_call_run(shared: Stores) -> None:  # A6
    codes = compete(shared.url, lambda world, _: world.gateway().before(call("save"), CLERK).code.value)
    assert sorted(codes) == ["ALLOWED"] + ["OUTCOME_UNKNOWN"] * (PROCESSES - 1)


def test_one_process_makes_what_all_want_to_make(shared: Stores) -> None:  # A16
    text = SHOP.replace(
        "{name: save, risk: MEDIUM}", '{name: save, risk: MEDIUM, idempotency_key: "{args.id}"}'
    )

    def make(world: World, number: int) -> str:
        return world.gateway().before(call("save", f"c-{number}"), CLERK).code.value

    codes = compete(shared.url, make, text)
    assert sorted(codes) == ["ALLOWED"] + ["ALREADY_DONE"] * (PROCESSES - 1)


def test_one_process_uses_an_approval(shared: Stores) -> None:
    world = World(open_store(shared.url))
    world.now = datetime.now(UTC)
    approve(world.gateway(), world.gateway().before(call("pay"), CLERK).approval, person("u-2"))
    world.store.close()
    proceeds = compete(shared.url, lambda one, _: one.gateway().before(call("pay"), CLERK).proceeds)
    assert sorted(proceeds) == [False] * (PROCESSES - 1) + [True]


def test_one_answer_counts(shared: Stores) -> None:
    world = World(open_store(shared.url))
    world.now = datetime.now(UTC)
    asked = world.gateway().before(call("pay"), CLERK).approval
    assert asked is not None
    world.store.close()

    def answer(one: World, number: int) -> str:
        verdict = Verdict.APPROVE if number % 2 else Verdict.REJECT
        try:
            return one.gateway().resume(asked["id"], Answer(verdict), person(f"p-{number}")).status.value
        except ApprovalError:
            return "late"

    found = compete(shared.url, answer)
    assert found.count("late") == PROCESSES - 1


def test_a_rate_is_exact_however_many_count(shared: Stores) -> None:  # D6
    def send(world: World, number: int) -> int:
        gateway = world.gateway()
        return sum(gateway.before(call("save", f"c-{number}-{n}"), CLERK).proceeds for n in range(20))

    assert sum(compete(shared.url, send, SHOP + MAILS)) == 100


def test_a_budget_is_exact_however_many_spend(shared: Stores) -> None:  # D6
    spend = "limits: [{id: spend, tools: [save], per: subject, budget: 100.5/h, amount: args.amount}]\n"

    def pay(world: World, number: int) -> int:
        gateway = world.gateway()
        amounts = [3, 2, 1] * 8
        calls = [call("save", f"c-{number}-{n}", amount=amount) for n, amount in enumerate(amounts)]
        return sum(one["arguments"]["amount"] for one in calls if gateway.before(one, CLERK).proceeds)

    assert sum(compete(shared.url, pay, SHOP + spend)) == 100


def test_equal_calls_are_counted_however_many_ask(shared: Stores) -> None:  # C5
    loops = "limits: [{id: loops, tools: [pay], repeats: 5}]\n"

    def ask(world: World, number: int) -> int:
        gateway = world.gateway()
        found = [gateway.before(call("pay", f"c-{number}-{n}"), CLERK).code.value for n in range(2)]
        return found.count("CONFIRM")

    assert sum(compete(shared.url, ask, SHOP + loops)) == 5
