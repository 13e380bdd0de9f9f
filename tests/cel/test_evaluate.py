"""What expressions come to, on plain Python values."""

from __future__ import annotations

from typing import Any

from gateway.cel import Environment, parse, plan
from gateway.diagnostic import Excerpt


def value_of(text: str, **variables: Any) -> Any:
    parsed = parse(Excerpt.whole(text))
    assert parsed.ast is not None, parsed.diagnostics
    return plan(parsed, Environment()).evaluate(variables)


def test_a_common_condition() -> None:
    condition = 'args.amount > 1000 && !("finance" in subject.roles)'
    assert value_of(condition, args={"amount": 1001}, subject={"roles": frozenset()}) is True
    assert value_of(condition, args={"amount": 1001}, subject={"roles": frozenset({"finance"})}) is False
    assert value_of(condition, args={"amount": 1000}, subject={"roles": frozenset()}) is False
