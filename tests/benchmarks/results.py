"""Time one review of a result of 4 kB, and the reading and writing of the same JSON to compare with.

Run `python -m tests.benchmarks.results`; ratios are worth more than absolutes. Exit 1 above the target.
"""

from __future__ import annotations

import json
import sys
from time import perf_counter_ns
from typing import Any

from gateway.decision import Code
from gateway.session import Session
from tests.engine.build import SHOP, gateway, session

TARGET_US = 100.0
CALLS = 2_000
POLICY = f"""{SHOP}
results:
  - {{id: no-secrets, tools: ["*"], redact: [{{detector: secrets}}, {{field: "**.password"}}, {{field: customer.pin}}]}}
"""
TOKEN = "gh" + "p_q7Zk0uYbV3nTgL5xWmP8sRc1dEhJ2aFo9iKt"


def records(extra: dict[str, Any]) -> dict[str, Any]:
    """About 4 kB of records with some nesting, and something in one of them."""
    rows: list[dict[str, Any]] = [
        {
            "id": 1000 + n,
            "name": f"Customer number {n}",
            "email": f"customer{n}@example.com",
            "open": n % 3 == 0,
            "tags": ["new", "north"],
            "address": {"city": "Springfield", "zip": f"{40000 + n}", "link": f"https://example.com/c/{n}"},
        }
        for n in range(19)
    ]
    rows[9].update(extra)
    return {"total": 19, "items": rows}


def text(line: str) -> str:
    """About 4 kB of lines, and one of its own among them."""
    lines = [
        f"{n:03} 2026-12-01T12:00:{n:02} INFO order {n}: packed, https://example.com/o/{n}" for n in range(56)
    ]
    lines[28] = line
    return "\n".join(lines)


WORK: tuple[tuple[str, Any, bool], ...] = (
    ("JSON, nothing to blank", records({}), False),
    ("JSON, one field to blank", records({"password": "hunter2"}), True),
    ("JSON, one token to blank", records({"note": f"use {TOKEN}"}), True),
    ("JSON as text, nothing to blank", json.dumps(records({})), False),
    ("JSON as text, one field to blank", json.dumps(records({"password": "hunter2"})), True),
    ("text, nothing to blank", text("nothing"), False),
    ("text, one field to blank", text("password: hunter2"), True),
    ("text, one token to blank", text(f"use {TOKEN}"), True),
)
TARGETED = (
    "JSON, nothing to blank",
    "JSON, one field to blank",
    "text, nothing to blank",
    "text, one field to blank",
)


def spread(times: list[int]) -> tuple[float, float]:
    """The median and the 95th of a hundred, in microseconds."""
    times.sort()
    return times[len(times) // 2] / 1000, times[len(times) * 95 // 100] / 1000


def timed(work: Any) -> tuple[float, float]:
    """How long some work takes."""
    times = []
    for _ in range(CALLS):
        began = perf_counter_ns()
        work()
        times.append(perf_counter_ns() - began)
    return spread(times)


def main() -> int:
    """Print p50 and p95 of each kind of result, and the ratio to reading and writing it as JSON."""
    gate = gateway(POLICY)
    who = Session.of(session())
    call = {"id": "c-1", "tool": "search", "arguments": {"query": "x"}}
    missed = []
    for name, result, blanked in WORK:
        review = gate.after(call, who, result)
        if review.code is not Code.REVIEWED or bool(review.redacted) is not blanked or review.truncated:
            print(f"wrong answer for {name}: {review.code}, {review.redacted}")
            return 1
        written = json.dumps(result)
        base, _ = timed(lambda written=written: json.dumps(json.loads(written)))
        p50, p95 = timed(lambda result=result: gate.after(call, who, result))
        print(
            f"{name} ({len(written)} characters): p50 {p50:.0f} us, p95 {p95:.0f} us, {p50 / base:.1f} times JSON"
        )
        if name in TARGETED and p50 > TARGET_US:
            missed.append(name)
    print(f"target p50 <= {TARGET_US:.0f} us for {'; '.join(TARGETED)}: {'missed' if missed else 'met'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
