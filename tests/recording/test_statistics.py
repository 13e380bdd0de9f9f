"""Statistics of each tool, made from records."""

from __future__ import annotations

from gateway.statistics import MOVING, ToolStatistics, statistics
from tests.recording.world import Kept, gateway
from tests.remembering.world import CLERK, call


def test_calls_effects_errors_and_averages_are_counted_for_each_tool() -> None:  # E8
    rows: list[dict[str, object]] = [
        {"kind": "decision", "tool": "a", "effect": "allow", "code": "ALLOWED", "took": 100},
        {"kind": "decision", "tool": "a", "effect": "deny", "code": "RULE", "took": 300},
        {"kind": "decision", "tool": "b", "effect": "ask", "code": "CONFIRM"},
        {"kind": "result", "tool": "a", "code": "REVIEWED", "ran": 1000},
        {"kind": "result", "tool": "a", "code": "REVIEWED", "ran": 3000, "is_error": True},
        {"kind": "result", "tool": "a", "code": "RESULT_WITHHELD"},
        {"kind": "reload"},
        {"kind": "approval", "tool": "a"},
    ]
    assert statistics(rows) == (
        ToolStatistics("a", 2, {"allow": 1, "deny": 1}, {"ALLOWED": 1, "RULE": 1}, 3, 1, 1, 200.0, 2000.0),
        ToolStatistics("b", 1, {"ask": 1}, {"CONFIRM": 1}, 0, 0, 0, None, None),
    )
    assert statistics([]) == ()


def test_the_average_moves_with_the_last_calls() -> None:  # E8
    rows = [{"kind": "result", "tool": "a", "code": "REVIEWED", "ran": 9_000_000}] * 50
    rows += [{"kind": "result", "tool": "a", "code": "REVIEWED", "ran": 10}] * MOVING
    (one,) = statistics(rows)
    assert (one.results, one.running) == (150, 10.0)


def test_what_a_gateway_records_is_counted() -> None:  # E8
    kept = Kept()
    gate = gateway(kept)

    def fails(arguments: object) -> None:
        raise ValueError("no")

    gate.run(call("save"), CLERK, lambda arguments: {"saved": 1})
    gate.run(call("save"), CLERK, fails)
    gate.run(call("pay"), CLERK, fails)
    pay, save = statistics(kept.rows)
    assert (pay.calls, pay.effects, pay.results) == (1, {"ask": 1}, 0)
    assert (save.calls, save.results, save.errors, save.withheld) == (2, 2, 1, 0)
    assert save.running is not None
    assert save.deciding is not None
