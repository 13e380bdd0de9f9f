"""Results that are too long to be shown are kept whole, once, and read back in pieces (A11, C8)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import Gateway, Manifest
from tests.engine.build import compiled
from tests.remembering.world import CLERK, SHOP, World, call


def reading(world: World) -> Gateway:
    made = compiled(SHOP)
    manifest = Manifest(path="test.yaml", **made.summary)
    return Gateway(
        made.engine, manifest, clock=lambda: world.now, store=world.store, result_tool="read_result"
    )


def pieces(gateway: Gateway, size: int, session: dict[str, Any] = CLERK) -> str:
    """All of a result, piece by piece."""
    text, at = "", 0
    while True:
        piece = gateway.read_result("c-1", at, size, session)
        assert piece is not None
        text += piece.text
        if piece.next is None:
            return text
        assert piece.next > at
        at = piece.next


LONG = "Grüße, 世界! \U0001f600 " * 4000


def test_a_long_result_is_kept_whole_and_read_in_pieces() -> None:  # A11 C8
    world = World()
    gateway = reading(world)
    gateway.before(call("look"), CLERK)
    review = gateway.after(call("look"), CLERK, LONG)
    assert review.truncated
    assert len(review.text) < 6_000
    assert "All of it is kept: `read_result` reads it, call id `c-1`." in review.text
    for size in (4, 7, 1000, 100_000):
        assert pieces(gateway, size) == LONG
    again = gateway.before(call("look"), CLERK)
    assert again.response == review.result


@given(st.integers(0, 200_000), st.integers(4, 5000))
def test_a_piece_is_a_part_of_the_text(offset: int, limit: int) -> None:
    world = World()
    gateway = reading(world)
    gateway.before(call("look"), CLERK)
    gateway.after(call("look"), CLERK, LONG)
    piece = gateway.read_result("c-1", offset, limit, CLERK)
    assert piece is not None
    assert piece.total == len(LONG.encode())
    assert LONG.encode()[piece.offset :].startswith(piece.text.encode())
    assert len(piece.text.encode()) <= limit


@pytest.mark.parametrize(
    "changes",
    [
        {"id": "s-2"},
        {"subject": {**CLERK["subject"], "id": "u-2"}},
        {"tenant": "beta", "subject": {**CLERK["subject"], "tenant": "beta"}},
    ],
    ids=["session", "subject", "tenant"],
)
def test_a_result_is_for_its_conversation(changes: dict[str, Any]) -> None:
    world = World()
    gateway = reading(world)
    gateway.before(call("look"), CLERK)
    gateway.after(call("look"), CLERK, LONG)
    assert gateway.read_result("c-1", 0, 100, {**CLERK, **changes}) is None


def test_a_result_that_was_shown_whole_is_not_kept_again() -> None:
    world = World()
    gateway = reading(world)
    gateway.before(call("look"), CLERK)
    assert not gateway.after(call("look"), CLERK, "short").truncated
    assert gateway.read_result("c-1", 0, 100, CLERK) is None


@pytest.mark.parametrize(("offset", "limit"), [(-1, 10), (0, 0), (0, 3), (0, 100_001)])
def test_bounds_of_pieces(offset: int, limit: int) -> None:
    with pytest.raises(ValueError, match="a part begins at 0"):
        reading(World()).read_result("c-1", offset, limit, CLERK)


def test_what_was_blanked_out_is_not_kept() -> None:
    world = World(text=SHOP + "results: [{id: no-keys, tools: [look], redact: [{field: '**.key'}]}]\n")
    gateway = world.gateway()
    gateway.before(call("look"), CLERK)
    gateway.after(call("look"), CLERK, {"key": "s3cret-value", "rows": ["x" * 100] * 1000})
    assert "s3cret-value" not in pieces(gateway, 50_000)
    assert "s3cret-value" not in str(gateway.before(call("look"), CLERK).response)
