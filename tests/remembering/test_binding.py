"""A conversation is its subject's and its agent's: its id is bound when it is first seen."""

from __future__ import annotations

from typing import Any

import pytest

from gateway import Code
from tests.remembering.world import CLERK, SHOP, World, call

OTHER = {"subject": {**CLERK["subject"], "id": "u-2"}}
TEXT = SHOP.replace('tenants: ["*"]}]', 'tenants: ["*"]}, {name: broker, tools: ["*"], tenants: ["*"]}]')


@pytest.mark.parametrize("changes", [OTHER, {"agent": "broker"}], ids=["subject", "agent"])
def test_a_conversation_that_is_anothers_is_refused(changes: dict[str, Any]) -> None:
    world = World(text=TEXT)
    assert world.gateway().before(call("look"), CLERK).proceeds
    for gateway in (world.gateway(), world.gateway()):
        refused = gateway.before(call("look", "c-2"), {**CLERK, **changes})
        assert refused.code is Code.SESSION_MISMATCH
        assert gateway.entry({**CLERK, **changes}).code is Code.SESSION_MISMATCH
        assert gateway.tools({**CLERK, **changes}).visible == ()
        assert gateway.before(call("look", "c-3"), CLERK).proceeds


def test_a_conversation_stays_whose_it_is_however_long_it_goes_on() -> None:
    world = World()
    assert world.gateway().before(call("look"), CLERK).proceeds
    for number in range(70):
        world.pass_by(days=6)
        world.store.sweep(int(world.now.timestamp() * 1_000_000), 1000)
        assert world.gateway().before(call("look", f"c-{number}"), CLERK).proceeds
    other = {**CLERK, "subject": {**CLERK["subject"], "id": "u-9"}}
    assert world.gateway().before(call("look", "c-9"), other).code is Code.SESSION_MISMATCH


def test_a_question_binds_as_well() -> None:
    world = World(text=TEXT)
    assert world.gateway().before(call("pay"), CLERK).code is Code.CONFIRM
    assert world.gateway().before(call("look", "c-2"), {**CLERK, **OTHER}).code is Code.SESSION_MISMATCH


def test_what_is_refused_for_who_asks_binds_nothing() -> None:
    world = World(text=TEXT)
    stranger = {**CLERK, "subject": {**CLERK["subject"], "id": "u-2", "authenticated": False}}
    assert world.gateway().before(call("look"), stranger).code is Code.NO_IDENTITY
    assert world.gateway().before(call("look"), CLERK).proceeds


@pytest.mark.parametrize(
    "changes",
    [{"tenant": "beta", "subject": {**OTHER["subject"], "tenant": "beta"}}, {**OTHER, "id": "s-2"}],
    ids=["another tenant's", "another"],
)
def test_another_conversation_is_not_bound(changes: dict[str, Any]) -> None:
    world = World(text=TEXT)
    assert world.gateway().before(call("look"), CLERK).proceeds
    assert world.gateway().before(call("look"), {**CLERK, **changes}).proceeds


def test_conversations_without_an_id_are_not_bound() -> None:
    world = World(text=TEXT)
    assert world.gateway().before(call("look"), {**CLERK, "id": ""}).proceeds
    assert world.gateway().before(call("look", "c-2"), {**CLERK, **OTHER, "id": ""}).proceeds


def test_names_that_look_alike_together_are_told_apart() -> None:
    world = World(text=TEXT)
    tricky = {**CLERK, "subject": {**CLERK["subject"], "id": 'u-1", "clerk'}}
    assert world.gateway().before(call("look"), tricky).proceeds
    assert world.gateway().before(call("look", "c-2"), CLERK).code is Code.SESSION_MISMATCH


def test_without_a_store_nothing_is_bound() -> None:
    world = World(text=TEXT)
    gateway = world.gateway().anew()
    assert gateway.before(call("look"), CLERK).proceeds
    assert gateway.before(call("look"), {**CLERK, **OTHER}).proceeds
