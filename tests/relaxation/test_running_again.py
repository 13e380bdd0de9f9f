"""What a change of `idempotent`, `idempotency_key` and `on_rejection` means (A5, A10, A16)."""

from __future__ import annotations

import pytest

from gateway.relaxation import Direction
from tests.diff.test_fields import POLICY, only

RELAXED, TIGHTENED, OTHER = Direction.RELAXED, Direction.TIGHTENED, Direction.OTHER


@pytest.mark.parametrize(
    ("key", "old", "new", "direction", "said"),
    [
        ("idempotent", None, "true", RELAXED, "runs again unasked"),
        ("idempotent", "true", "false", TIGHTENED, "is asked about"),
        ("idempotency_key", "'{args.to}'", None, RELAXED, "is done again unasked"),
        ("idempotency_key", None, "'{args.to}'", TIGHTENED, "is asked about"),
        ("idempotency_key", "'{args.to}'", "'{args.amount}'", OTHER, "by another key"),
        ("on_rejection", "stop", "tell", RELAXED, "no longer ends"),
        ("on_rejection", None, "stop", TIGHTENED, "ends the model's work"),
    ],
)
def test_what_is_asked_about_less_is_a_relaxation(
    key: str, old: str | None, new: str | None, direction: Direction, said: str
) -> None:
    before, after = ("name: pay, " + (f"{key}: {value}, " if value else "") for value in (old, new))
    change = only((before, after), text=POLICY.replace("name: pay, ", before))
    assert (change.item, change.direction, change.enforced) == (f"tools.pay.{key}", direction, True)
    assert said in change.meaning
