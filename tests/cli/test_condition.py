"""A condition is shown with the values that it read, where they were read and nowhere else."""

from __future__ import annotations

import pytest
from gatewayctl.condition import names, parts, with_values
from hypothesis import given
from hypothesis import strategies as st

from gateway.decision import Observed


def seen(**values: str) -> list[Observed]:
    return [Observed(text.replace("__", "."), value) for text, value in values.items()]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("args.amount > 1000", "args.amount (5) > 1000"),
        ("args.amount>1000&&args.amount<2000", "args.amount (5)>1000&&args.amount (5)<2000"),
        ('"args.amount" == args.to', '"args.amount" == args.to ("x")'),
        ("'it\\'s args.amount' == args.to", "'it\\'s args.amount' == args.to (\"x\")"),
        ('args.to.endsWith("x")', 'args.to ("x").endsWith("x")'),
        ("has(args.to)", 'has(args.to ("x"))'),
        ("args.amounts > 1", "args.amounts > 1"),
        ("my.args.amount > 1", "my.args.amount > 1"),
        ("args.to\n    == args.to", 'args.to ("x") == args.to ("x")'),
    ],
)
def test_each_name_is_followed_by_its_value(text: str, shown: str) -> None:
    assert with_values(text, seen(args__amount="5", args__to='"x"')) == shown


def test_a_name_that_a_macro_binds_has_no_one_value() -> None:
    observed = [
        Observed("args.to.all(r, r == d)", "false"),
        Observed("args.to", "[1, 2]"),
        Observed("r", "1"),
        Observed("r", "2"),
        Observed("r == d", "true"),
        Observed("r == d", "false"),
        Observed("d", "1"),
        Observed("1", "1"),
    ]
    assert names(observed) == {"args.to": "[1, 2]", "d": "1"}
    assert with_values("args.to.all(r, r == d)", observed) == "args.to ([1, 2]).all(r, r == d (1))"
    assert parts(observed) == {"args.to.all(r, r == d)": "false", "r == d": "true, then false"}


def test_long_values_leave_the_condition_readable() -> None:
    shown = with_values("args.to == 1", seen(args__to="x" * 1000))
    assert shown == f"args.to ({'x' * 60}…) == 1"


@given(st.text(alphabet="args.to\"'\\ ()[]>&|?:1r\n", max_size=60))
def test_any_text_is_shown_and_nothing_of_it_is_lost(text: str) -> None:
    shown = with_values(text, seen(args__to="V"))
    assert shown.replace(" (V)", "") == " ".join(text.split())
