"""Time ordinary conditions, by closures and by generated Python, and a calibration loop to compare with.

Run `python -m tests.benchmarks.cel`; ratios are worth more than absolutes. Exit 1 if Python does not pay.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter_ns
from typing import Any

from gateway.cel import (
    BOOL,
    DYN,
    INT,
    STRING,
    CelError,
    Environment,
    Field,
    ListType,
    ObjectType,
    parse,
    plan,
)
from gateway.diagnostic import Excerpt
from tests.benchmarks.engine import calibration

TARGET = 2.0
"""How many times as fast the median condition must be."""

ROUNDS = 60
TURNS = 500

ARGS = ObjectType(
    "args",
    {
        "amount": Field(INT),
        "path": Field(STRING),
        "to": Field(ListType(STRING)),
        "cc": Field(STRING, optional=True),
        "items": Field(ListType(DYN)),
        "force": Field(BOOL),
    },
)
ENVIRONMENT = Environment(variables={"args": ARGS, "subject": DYN, "tool": DYN, "lists": DYN})
VARIABLES: Mapping[str, Any] = {
    "tool": {"name": "pay_invoice"},
    "args": {
        "amount": 500,
        "path": "/home/ann/report.txt",
        "to": ["ann@acme.com", "bob@acme.com", "cat@acme.com", "dan@acme.com"],
        "items": [{"price": 5}, {"price": 7}, {"price": 9}, {"price": 11}],
        "force": False,
    },
    "subject": {"roles": frozenset({"sales", "admin"}), "permissions": frozenset({"pay:create"})},
    "lists": {"domains": ["@acme.com", "@acme.org"]},
}
CONDITIONS: Mapping[str, tuple[str, Any]] = {
    "perm": ('tool.name.startsWith("pay_") && "pay:create" in subject.permissions', True),
    "amount": ('args.amount > 1000 && !("finance" in subject.roles)', False),
    "exists over 4": ('args.to.exists(t, t.endsWith("@evil.example"))', False),
    "all over 4": ('args.to.all(t, t.endsWith("@acme.com") || t == "root")', True),
    "nested loops": ("args.to.all(t, lists.domains.exists(d, t.endsWith(d)))", True),
    "matches, plain": ('args.path.matches("^/home/")', True),
    "matches, RE2": ('args.path.matches("^/home/[a-z]+/[.]ssh")', False),
    "has": ('has(args.cc) && args.cc != ""', False),
    "text": ('args.path.contains("..") || args.path.startsWith("/etc/") || size(args.path) > 200', False),
    "in list": ('tool.name in ["pay_invoice", "pay_refund", "send_mail"] && args.force', False),
    "missing key": ('args.cc == "ann@acme.com"', CelError),
    "map": ("args.items.map(i, i.price * 2) == [10, 14, 18, 22]", True),
    "optional": ('args.?cc.orValue("") == ""', True),
    "equal": ('args.amount == 500 && tool.name == "pay_invoice"', True),
}

Evaluate = Callable[[Mapping[str, Any]], Any]


def answer(evaluate: Evaluate) -> Any:
    """The value, or that there is none."""
    try:
        return evaluate(VARIABLES)
    except CelError:
        return CelError


def once(evaluate: Evaluate, fails: bool) -> float:
    """Nanoseconds of one evaluation, from as many as make the clock's own time not matter."""
    turns = range(TURNS)
    began = perf_counter_ns()
    if fails:
        for _ in turns:
            answer(evaluate)
    else:
        for _ in turns:
            evaluate(VARIABLES)
    return (perf_counter_ns() - began) / TURNS


def main() -> int:
    """Print nanoseconds, ratios to the calibration loop, and how many times as fast Python is."""
    loop = min(calibration() for _ in range(10))
    print(f"calibration loop {loop:.0f} ns")
    print(f"{'':16}{'closures':>9}{'python':>9}{'in loops':>16}{'times':>8}")
    gains = []
    for name, (text, wanted) in CONDITIONS.items():
        program = plan(parse(Excerpt.whole(text)), ENVIRONMENT)
        generated = program.generate()
        if generated is None or answer(generated.evaluate) != wanted or answer(program.exact) != wanted:
            print(f"wrong answer: {text}")
            return 1
        exact, python = 1e9, 1e9
        for _ in range(ROUNDS):
            exact = min(exact, once(program.exact, wanted is CelError))
            python = min(python, once(generated.evaluate, wanted is CelError))
        gains.append(exact / python)
        loops = f"{exact / loop:.1f} → {python / loop:.1f}"
        print(f"{name:16}{exact:9.0f}{python:9.0f}{loops:>16}{exact / python:8.1f}")
    print(f"median: {median(gains):.1f} times as fast, target {TARGET:.0f}")
    return 0 if median(gains) >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
