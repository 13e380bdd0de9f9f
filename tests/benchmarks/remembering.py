"""Time what remembering adds to a decision: `python -m tests.benchmarks.remembering`.

Timed are whole decisions about calls of a tool that takes no inspection: without a store, with a journal, and with a
journal and one rate, on a store in memory and in a file that waits for the disk (`full`) or does not (`normal`). The
shortest of several rounds counts for each call. Exit code 1 when a decision with journal and one rate on a file that
does not wait for the disk takes longer than the target in the median: how long the disk takes is its own affair.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

from gateway import Gateway, Manifest, Session
from gateway.compile import compile_policy
from gateway.inspect.guard import Guard
from gateway.load import load_text
from gateway.state import Store
from gateway.stores import open_store

P50_US = 150.0
CALLS = 400
BEGAN = datetime.now(UTC)
ROUNDS = 3
RATE = "limits: [{id: mails, tools: [mail], per: subject, rate: 100/m}]\n"
POLICY = """
version: 1
settings: {confirm_from: HIGH}
agents: [{name: clerk, tools: ["*"], tenants: ["*"]}]
tools: [{name: mail, risk: LOW, permissions: [], parameters: {type: object, required: [to], properties: {to: {type: string}}}}]
"""
SESSION = Session.of(
    {
        "id": "s-1",
        "tenant": "acme",
        "agent": "clerk",
        "subject": {"id": "u-1", "tenant": "acme", "authenticated": True},
    }
)


def gateway(text: str, store: Store | None) -> Gateway:
    """A gateway for a policy, with a store or without; a second passes each time that it looks at its clock."""
    seconds = count()
    made = compile_policy(load_text(text, "bench.yaml"), Guard((), ()))
    manifest = Manifest(path="bench.yaml", **made.summary)
    return Gateway(made.engine, manifest, clock=lambda: BEGAN + timedelta(seconds=next(seconds)), store=store)


def timed(ask: Callable[[dict[str, Any]], Any], numbers: Iterator[int]) -> list[float]:
    """How long each of some calls takes, in microseconds."""
    best = [10.0**12] * CALLS
    for _ in range(ROUNDS):
        for at in range(CALLS):
            call = {"tool": "mail", "id": f"c-{next(numbers)}", "arguments": {"to": "ann@acme.com"}}
            began = perf_counter_ns()
            decision = ask(call)
            best[at] = min(best[at], (perf_counter_ns() - began) / 1000)
            if not decision.proceeds:
                raise RuntimeError(f"{decision.code}: {decision.detail}")
    return best


def main() -> int:
    """Print each figure, then whether the target is met."""
    numbers = count()
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        stores = {
            "no store": None,
            "memory": open_store("memory:"),
            "SQLite, normal": open_store(f"sqlite://{Path(folder)}/normal/store.db?synchronous=normal"),
            "SQLite, full": open_store(f"sqlite://{Path(folder)}/full/store.db"),
        }
        print(f"{'store':20}{'journal p50, p99 µs':>24}{'and a rate p50, p99 µs':>28}")
        for name, store in stores.items():
            cells = []
            for text in (POLICY, POLICY + RATE):
                made = gateway(text, store)
                times = sorted(timed(lambda call, made=made: made.before(call, SESSION), numbers))  # type: ignore[misc]
                found[name] = median(times)
                cells.append(f"{median(times):.1f}, {times[len(times) * 99 // 100]:.1f}")
            print(f"{name:20}{cells[0]:>24}{cells[1]:>28}")
    slow = found["SQLite, normal"] > P50_US
    print(
        f"journal and one rate on SQLite, normal: p50 {found['SQLite, normal']:.0f} µs; target {P50_US:g} µs: "
        f"{'missed' if slow else 'met'}"
    )
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
