"""The whole life of a call: decided, run within its time, reviewed and kept (A5, B4, B5)."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Mapping
from typing import Any

import pytest

from gateway import Code, Effect
from gateway.answering import Answer, Verdict
from gateway.running import Ran
from tests.remembering.world import CLERK, World, approve, call, person


class Interrupted(Exception):
    """What a host raises to end its own loop."""


def test_a_call_that_may_run_is_run_with_what_was_granted_and_kept() -> None:
    world = World()
    given: list[Mapping[str, Any]] = []

    def save(arguments: Mapping[str, Any]) -> dict[str, int]:
        given.append(arguments)
        return {"saved": 7}

    ran = world.gateway().run(call("save"), CLERK, save)
    assert given == [{"id": "a", "amount": 1}]
    assert ran.review is not None
    assert ran.review.result == {"saved": 7}
    assert '"saved": 7' in ran.text
    again = world.gateway().run(call("save"), CLERK, save)
    assert (again.decision.code, again.decision.response) == (Code.ALREADY_COMPLETED, {"saved": 7})
    assert len(given) == 1


def test_what_the_function_does_to_its_arguments_changes_nothing() -> None:
    world = World()

    def save(arguments: Any) -> str:
        arguments["id"] = "other"
        return "done"

    ran = world.gateway().run(call("save"), CLERK, save)
    assert ran.review is not None
    assert ran.review.code is Code.REVIEWED
    assert ran.decision.arguments == {"id": "a", "amount": 1}


def test_a_call_that_may_not_run_is_not() -> None:
    world = World()
    ran = world.gateway().run(call("pay"), CLERK, lambda arguments: pytest.fail("it ran"))
    assert ran.decision.effect is Effect.ASK
    assert ran.review is None
    assert "person must confirm" in ran.text


def test_an_approved_call_runs_once_even_if_it_fails() -> None:
    world = World()
    runs: list[int] = []

    def pay(arguments: Mapping[str, Any]) -> None:
        runs.append(1)
        raise ConnectionError("the bank is closed")

    asked = world.gateway().run(call("pay"), CLERK, pay)
    approve(world.gateway(), asked.decision.approval, person("u-2"))
    failed = world.gateway().run(call("pay"), CLERK, pay)
    assert failed.review is not None
    assert failed.review.is_error
    assert "the bank is closed" in failed.text
    again = world.gateway().run(call("pay"), CLERK, pay)
    assert again.decision.code is Code.ALREADY_COMPLETED
    assert "the bank is closed" in str(again.decision.response)
    assert len(runs) == 1


def test_what_only_reads_is_tried_three_times() -> None:  # A5
    world = World()
    tries: list[int] = []

    def look(arguments: Mapping[str, Any]) -> str:
        tries.append(1)
        if len(tries) < 3:
            raise ConnectionError("not now")
        return "found"

    ran = world.gateway().run(call("look"), CLERK, look)
    assert ran.review is not None
    assert ran.review.result == "found"
    tries.clear()
    tries.append(-9)

    def broken(arguments: Mapping[str, Any]) -> str:
        tries.append(1)
        raise ConnectionError("never")

    failed = world.gateway().run(call("look", "c-2"), CLERK, broken)
    assert failed.review is not None
    assert failed.review.is_error
    assert sum(tries) == 3 - 9


def test_what_writes_is_tried_once() -> None:  # A5
    world = World()
    tries: list[int] = []

    def save(arguments: Mapping[str, Any]) -> str:
        tries.append(1)
        raise ConnectionError("the answer was lost")

    world.gateway().run(call("save"), CLERK, save)
    assert len(tries) == 1


def test_a_call_that_takes_too_long_is_not_known_to_have_happened() -> None:  # A5
    world = World()
    go_on = threading.Event()

    def slow(arguments: Mapping[str, Any]) -> str:
        go_on.wait(30)
        return "late"

    began = time.monotonic()
    ran = world.gateway().run(call("slow"), CLERK, slow)
    assert time.monotonic() - began < 20
    assert ran.review is not None
    assert ran.review.code is Code.OUTCOME_UNKNOWN
    assert "1 seconds" in ran.text
    assert world.gateway().before(call("slow"), CLERK).code is Code.OUTCOME_UNKNOWN
    go_on.set()
    for _ in range(200):
        if world.gateway().explain(call("slow"), CLERK).decision.code is Code.ALREADY_COMPLETED:
            break
        time.sleep(0.02)
    assert world.gateway().before(call("slow"), CLERK).response == "late"


def test_a_timeout_of_the_function_itself_is_its_failure() -> None:
    world = World()

    def save(arguments: Mapping[str, Any]) -> str:
        raise TimeoutError("the form server did not answer")

    ran = world.gateway().run(call("save"), CLERK, save)
    assert ran.review is not None
    assert "the form server did not answer" in ran.text
    assert world.gateway().before(call("save"), CLERK).code is Code.ALREADY_COMPLETED


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, Interrupted], ids=lambda one: one.__name__)
def test_the_hosts_own_exceptions_pass_through(error: type[BaseException]) -> None:  # B5
    world = World()

    def save(arguments: Mapping[str, Any]) -> str:
        raise error("the host's own")

    with pytest.raises(error, match="the host's own"):
        world.gateway().run(call("save"), CLERK, save, passes=(Interrupted,))
    assert world.gateway().before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_call_without_an_id_is_kept_under_one_of_its_own() -> None:
    world = World()
    nameless = {"tool": "save", "arguments": {"id": "a"}}
    runs: list[int] = []
    for _ in range(2):
        ran = world.gateway().run(nameless, CLERK, lambda arguments: runs.append(1))
        assert ran.review is not None
        assert ran.review.code is Code.REVIEWED
    assert len(runs) == 2


@pytest.mark.parametrize("broken", [{"tool": ""}, {"nonsense": 1}, None, 7], ids=repr)
def test_a_call_that_can_not_be_read_is_a_refusal(broken: Any) -> None:
    ran = World().gateway().run(broken, CLERK, lambda arguments: pytest.fail("it ran"))
    assert ran.decision.effect is Effect.DENY


def test_nobody_is_found_on_the_thread() -> None:  # B4
    who: contextvars.ContextVar[str] = contextvars.ContextVar("who", default="nobody")
    who.set("me")
    seen: list[str] = []
    world = World()
    world.gateway().run(call("save"), CLERK, lambda arguments: seen.append(who.get()))
    assert seen == ["me"]
    ran = world.gateway().run(call("save", "c-2"), None, lambda arguments: seen.append("unknown"))
    assert ran.decision.code is Code.NO_IDENTITY
    assert seen == ["me"]


def test_coroutines_are_run_and_kept() -> None:
    world = World()

    async def save(arguments: Mapping[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(0)
        return {"saved": arguments["id"]}

    async def both() -> None:
        ran = await world.gateway().run_async(call("save"), CLERK, save)
        assert ran.review is not None
        assert ran.review.result == {"saved": "a"}
        again = await world.gateway().run_async(call("save"), CLERK, save)
        assert again.decision.code is Code.ALREADY_COMPLETED

    asyncio.run(both())


def test_plain_functions_do_not_hold_up_the_loop() -> None:
    world = World()
    meeting = threading.Barrier(4, timeout=20)

    async def all_four() -> list[Ran]:
        runs = (
            world.gateway().run_async(call("look", f"c-{n}"), CLERK, lambda arguments: meeting.wait())
            for n in range(4)
        )
        return await asyncio.gather(*runs)

    reviews = [ran.review for ran in asyncio.run(all_four())]
    assert sorted(review.result for review in reviews if review is not None) == [0, 1, 2, 3]


def test_a_cancelled_call_is_not_known_to_have_happened() -> None:
    world = World()

    async def save(arguments: Mapping[str, Any]) -> None:
        await asyncio.sleep(30)

    async def cancelled() -> None:
        task = asyncio.ensure_future(world.gateway().run_async(call("save"), CLERK, save))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert world.gateway().before(call("save"), CLERK).code is Code.OUTCOME_UNKNOWN


def test_a_coroutine_that_takes_too_long_is_not_known_to_have_happened() -> None:
    world = World()

    async def slow(arguments: Mapping[str, Any]) -> None:
        await asyncio.sleep(30)

    ran = asyncio.run(world.gateway().run_async(call("slow"), CLERK, slow))
    assert ran.review is not None
    assert ran.review.code is Code.OUTCOME_UNKNOWN


def test_an_answer_given_elsewhere_lets_it_run() -> None:  # A9
    world = World()
    runs: list[int] = []
    asked = world.gateway().run(call("pay"), CLERK, lambda arguments: runs.append(1))
    assert asked.decision.approval is not None
    elsewhere = world.gateway()
    elsewhere.resume(asked.decision.approval["id"], Answer(Verdict.APPROVE), person("u-2"))
    assert world.gateway().run(call("pay"), CLERK, lambda arguments: runs.append(1)).review is not None
    assert runs == [1]
