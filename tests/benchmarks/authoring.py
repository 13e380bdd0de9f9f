"""How long an author waits: lint, a thousand cases, and a diff, each as a whole command over a large policy.

`python -m tests.benchmarks.authoring` writes a policy of 300 tools and 500 rules into a temporary directory and runs
each command in a process of its own. The figures are on the last line; exit 1 when one misses its target.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import click

TARGET = 3.0
"""Seconds for a whole command."""
SERVICES = 30
TOOLS, RULES, CASES = 300, 500, 1000


def policy_of(tools: int, rules: int) -> str:
    """A policy of so many tools of thirty services, and so many rules about them."""
    lines = ["version: 1", "settings: {confirm_from: HIGH, packs: [core, git, files, database]}"]
    lines += ["agents: [{name: assistant, tools: ['*'], tenants: [acme]}]", "tools:"]
    lines += [_tool(number) for number in range(tools)]
    lines += ["rules:", *(_rule(number, tools) for number in range(rules))]
    return "\n".join(lines) + "\n"


def _name(number: int) -> str:
    return f"s{number % SERVICES}_do_{number // SERVICES}"


def _tool(number: int) -> str:
    risk = ("READ_ONLY", "LOW", "MEDIUM", "READ_ONLY", "LOW")[number % 5]
    properties = (
        "amount: {type: integer, minimum: 0}, name: {type: string, maxLength: 200}, "
        "path: {type: string, maxLength: 200}, items: {type: array, items: {type: string}}"
    )
    return (
        f"  - name: {_name(number)}\n"
        f"    title: Do {number}\n"
        f'    description: "Does what number {number} does. Use it for that. Not for anything else."\n'
        f"    risk: {risk}\n"
        f'    permissions: ["s{number % SERVICES}:use"]\n'
        f"    parameters: {{type: object, required: [amount, name], properties: {{{properties}}}}}"
    )


def _rule(number: int, tools: int) -> str:
    service = number % SERVICES
    about = f'"s{service}_*"' if number % 4 == 0 else _name(number % tools)
    effect = ("deny", "ask", "deny", "deny")[number % 4]
    condition = (
        f"args.amount > {1000 + number} && !('boss' in subject.roles)",
        f"args.name.startsWith('x{number}')",
        f"has(args.path) && args.path.contains('/y{number}/')",
        f"has(args.items) && args.items.exists(i, i == 'z{number}')",
    )[number % 4]
    return (
        f"  - id: rule-{number}\n"
        f"    tools: [{about}]\n"
        f'    when: "{condition}"\n'
        f"    effect: {effect}\n"
        f"    message: Number {number} says no."
    )


def cases_of(cases: int, tools: int) -> str:
    """A test file of so many cases: half of them pass, the others meet a rule or lack a permission."""
    held = ", ".join(f'"s{service}:use"' for service in range(SERVICES))
    lines = [
        "version: 1",
        "now: 2026-12-01T10:00:00Z",
        "sessions:",
        "  clerk: {id: s, tenant: acme, agent: assistant, channel: internal, can_ask: true, "
        f"subject: {{id: u, tenant: acme, authenticated: true, roles: [], permissions: [{held}]}}}}",
        "  guest: {like: clerk, subject: {permissions: []}}",
        "cases:",
    ]
    for number in range(cases):
        tool, kind = _name(number % tools), number % 4
        name = f"x{number % tools}" if kind == 1 else f"n{number}"
        session = "guest" if kind == 3 else "clerk"
        expect = ("allow", "ask", "allow", "deny")[kind]
        lines.append(
            f"  - {{name: case {number}, session: {session}, "
            f"call: {{tool: {tool}, arguments: {{amount: 5, name: {name}}}}}, "
            f"expect: {{effect: {expect}}}}}"
        )
    return "\n".join(lines) + "\n"


def timed(words: Sequence[str], fine: Sequence[int], compiled: str) -> float:
    """The seconds that a whole command takes, with its modules compiled as installed ones are; it must end well."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "gatewayctl", *words]
    started = perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**kept, "PYTHONPYCACHEPREFIX": compiled}
    )
    took = perf_counter() - started
    if done.returncode not in fine:
        raise click.ClickException(f"{' '.join(words)} ended with {done.returncode}: {done.stdout[-2000:]}")
    return took


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=3, show_default=True, help="The best of so many.")
def main(rounds: int) -> None:
    """Time `gatewayctl lint`, `test` and `diff` over a large policy."""
    text = policy_of(TOOLS, RULES)
    with tempfile.TemporaryDirectory() as place:
        old, new = Path(place, "old"), Path(place, "new")
        for folder, written in (
            (old, text),
            (new, text.replace("args.amount > 1000 &&", "args.amount > 900 &&")),
        ):
            folder.mkdir()
            (folder / "policy.yaml").write_text(written)
        (old / "policy.test.yaml").write_text(cases_of(CASES, TOOLS))
        commands = {
            "lint": (["lint", str(old)], (0, 1)),
            "test": (["test", str(old)], (0,)),
            "diff": (["diff", str(old), str(new)], (0, 1)),
        }
        compiled = str(Path(place, "compiled"))
        for each in commands.values():
            timed(*each, compiled)
        taken = {name: min(timed(*each, compiled) for _ in range(rounds)) for name, each in commands.items()}
    missed = [name for name, seconds in taken.items() if seconds > TARGET]
    figures = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in taken.items())
    click.echo(f"{TOOLS} tools, {RULES} rules, {CASES} cases")
    click.echo(f"{figures} (at most {TARGET:g} s each){': missed by ' + ', '.join(missed) if missed else ''}")
    raise SystemExit(1 if missed else 0)


if __name__ == "__main__":
    main()
