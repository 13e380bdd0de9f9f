"""Time one decision over 30 tools and 10 argument rules, and a calibration loop to compare with.

Run `python -m tests.benchmarks.engine`; ratios are worth more than absolutes. Exit 1 above the target.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from statistics import median
from time import perf_counter_ns
from typing import Any

from gateway.compile import compile_policy
from gateway.decision import Effect
from gateway.inspect.guard import Guard
from gateway.load import load_text
from gateway.runtime import Gateway
from gateway.serving import Manifest
from gateway.session import Session

TARGET_US = 30.0
CALLS = 10_000
TENANTS = ("acme", "beta", "gamma")
ROLES = ("sales", "finance", "admin")
RISKS = ("READ_ONLY", "LOW", "MEDIUM", "READ_ONLY", "LOW", "MEDIUM", "LOW", "HIGH")


def policy_text(tools: int, rules: int) -> str:
    """A policy of so many tools and rules over their arguments."""
    lines = [
        "version: 1",
        "settings: {confirm_from: HIGH}",
        "agents: [{name: a, tools: ['*'], tenants: ['*']}]",
        "tools:",
    ]
    for index in range(tools):
        permissions = ", ".join(f"p{n}" for n in range(1 + index % 3))
        lines.append(
            f"  - {{name: t{index}, risk: {RISKS[index % 8]}, permissions: [{permissions}], parameters: {{type: object, "
            "required: [amount, name], properties: {amount: {type: integer}, name: {type: string}, path: {type: string}}}}"
        )
    lines.append("rules:")
    shapes = (
        "args.amount > {n}",
        'args.name.startsWith("x{n}")',
        'has(args.path) && args.path.contains("/etc/{n}")',
        'args.amount > {n} && !("finance" in subject.roles)',
        'args.name == "n{n}"',
    )
    for index in range(rules):
        condition = shapes[index % 5].replace("{n}", str(900 + index))
        effect = "deny" if index % 2 else "ask"
        lines.append(f"  - {{id: r{index}, tools: ['*'], when: '{condition}', effect: {effect}}}")
    return "\n".join(lines) + "\n"


def expected(index: int, arguments: dict[str, Any], roles: tuple[str, ...], held: int, rules: int) -> Effect:
    """The same policy written by hand, to check every answer before it is timed."""
    if 1 + index % 3 > held:
        return Effect.DENY
    effects = set()
    for rule in range(rules):
        n = 900 + rule
        match rule % 5:
            case 0:
                hit = arguments["amount"] > n
            case 1:
                hit = arguments["name"].startswith(f"x{n}")
            case 2:
                hit = f"/etc/{n}" in arguments.get("path", "")
            case 3:
                hit = arguments["amount"] > n and "finance" not in roles
            case _:
                hit = arguments["name"] == f"n{n}"
        if hit:
            effects.add(Effect.DENY if rule % 2 else Effect.ASK)
    if RISKS[index % 8] == "HIGH":
        effects.add(Effect.ASK)
    return max(effects, key=lambda e: e.strictness, default=Effect.ALLOW)


def calibration() -> float:
    """Nanoseconds for a loop that only looks things up, as a measure of the machine."""
    table = {f"t{i}": i for i in range(30)}
    began = perf_counter_ns()
    total = 0
    for index in range(100_000):
        total += table[f"t{index % 30}"]
    return (perf_counter_ns() - began) / 100_000


def main() -> int:
    """Print p50 and p99 of one decision and its ratio to the calibration loop."""
    tools, rules = 30, 10
    compiled = compile_policy(load_text(policy_text(tools, rules), "bench.yaml"), Guard((), ()))
    gate = Gateway(compiled.engine, Manifest(path="", **compiled.summary))
    chance = random.Random(7)  # noqa: S311
    work = []
    answers: Counter[Effect] = Counter()
    for number in range(CALLS):
        index, held = chance.randrange(tools), chance.choice((1, 2, *[3] * 14))
        roles = tuple(chance.sample(ROLES, chance.randrange(3)))
        arguments: dict[str, Any] = {
            "amount": chance.choice((5, 50, 100, 200, 300, 400, 500, 600, 700, 800, 890, 905, 2000)),
            "name": chance.choice(("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "x901", "n904")),
        }
        if chance.random() < 0.2:
            arguments["path"] = chance.choice(("/tmp/a", "/etc/902/x"))
        tenant = chance.choice(TENANTS)
        who = Session.of(
            {
                "id": "s",
                "tenant": tenant,
                "agent": "a",
                "can_ask": True,
                "subject": {
                    "id": "u",
                    "tenant": tenant,
                    "authenticated": True,
                    "roles": list(roles),
                    "permissions": [f"p{n}" for n in range(held)],
                },
            }
        )
        call = {"id": f"c{number}", "tool": f"t{index}", "arguments": arguments}
        work.append((call, who))
        wanted = expected(index, arguments, roles, held, rules)
        got = gate.before(call, who).effect
        if got is not wanted:
            print(f"wrong answer: {call} {roles} {held}: {got}, expected {wanted}")
            return 1
        answers[got] += 1
    best = [10**12] * CALLS
    for _ in range(3):
        for number, (call, who) in enumerate(work):
            began = perf_counter_ns()
            gate.before(call, who)
            best[number] = min(best[number], perf_counter_ns() - began)
    loop = median(calibration() for _ in range(5))
    best.sort()
    p50, p99 = best[CALLS // 2] / 1000, best[CALLS * 99 // 100] / 1000
    print(", ".join(f"{effect.value} {count * 100 // CALLS} %" for effect, count in answers.most_common()))
    print(f"calibration loop {loop:.0f} ns; one decision is {p50 * 1000 / loop:.0f} times that")
    print(
        f"{tools} tools, {rules} rules: p50 {p50:.1f} us, p99 {p99:.1f} us, target p50 < {TARGET_US:.0f} us"
    )
    return 0 if p50 < TARGET_US else 1


if __name__ == "__main__":
    sys.exit(main())
