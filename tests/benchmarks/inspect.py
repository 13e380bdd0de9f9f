"""Time what inspection takes for commands of up to 4 kB: `python -m tests.benchmarks.inspect [FOLDER]`.

The commands are those of tests/data/inspect/workload.yaml, and the shell commands of a folder of labelled texts if one
is given. Timed are the parsing of the shell's grammar alone, the whole inspection, and a whole decision about a call of
the shell tool under the policy for coding agents, beside a splitting into words by `shlex` to compare with. It is the
processor's time that counts, and for each command the shortest of several in turn, so that what else the machine does
matters little; ratios are worth more than absolutes. Exit code 1 when a target is missed. No command is run.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import thread_time_ns

import yaml

from gateway import Gateway
from gateway.guarded import guard_for
from gateway.inspect.clued import clued
from gateway.inspect.inspector import Inspector
from gateway.inspect.place import Place
from gateway.inspect.shell.parse import Budget, Unreadable, parse
from gateway.links import Links
from gateway.patterns import PACKS, load_packs
from gateway.session import Channel, Session, Subject

ROOT = Path(__file__).parents[2]
WORKLOAD = ROOT / "tests" / "data" / "inspect" / "workload.yaml"
POLICY = ROOT / "policies" / "coding-agent"
CWD, HOME = "/home/dev/shop", "/home/dev"
LONGEST = 4096
P50_MS, P99_MS = 0.3, 5.0
PASSES = 5
SQL, LONG = "sql", "long"

_PROBE = """
import json, sys
from gatewayctl.inspected import inspect, inspector, place_at
using = inspector()
place = place_at("/home/dev/shop", "/home/dev", using.conventions)
for text in json.load(sys.stdin):
    inspect(using, "shell", text, place, writes=False)
print("sqlglot" in sys.modules)
"""

Work = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Times:
    """How long the commands of a group take, in milliseconds."""

    p50: float
    p99: float
    slowest: str


def workload(path: Path = WORKLOAD) -> dict[str, list[str]]:
    """The project's own commands by group; those of `long` are made nearly 4 kB long."""
    groups: dict[str, list[str]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    groups[LONG] = [_filled(*lines) for lines in groups[LONG]]
    return groups


def _filled(first: str, line: str, last: str) -> str:
    """As many of one line between two others as there is room for."""
    room = LONGEST - len(first) - len(last) - 1
    return "\n".join([first, *[line] * (room // (len(line) + 1)), last])


def labelled(folder: Path) -> list[str]:
    """The shell commands of a folder of labelled texts, without those that are too long to count."""
    lines = [line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    items = map(json.loads, lines)
    texts = [item["text"] for item in items if item["kind"] == "shell"]
    return [text for text in texts if len(text.encode("utf-8", "surrogatepass")) <= LONGEST]


def split(text: str) -> object:
    """A command as words by the standard library, which knows neither pipes nor substitutions."""
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return None


def parsed(text: str) -> object:
    """A command's syntax tree, without anything being made of it."""
    try:
        return parse(text, 0, (0, len(text)), Budget())
    except Unreadable:
        return None


def inspection() -> Work:
    """A whole inspection, as the engine has it made."""
    patterns = clued(load_packs(PACKS))
    inspector = Inspector(lambda: patterns, guard_for())
    return lambda text: inspector.shell(text, Place(CWD, HOME, (CWD,), Links()))


def decision() -> Work:
    """A whole decision about a call of the shell tool."""
    gateway = Gateway.load(POLICY)
    session = Session(
        id="s-1",
        tenant="local",
        agent="coding-agent",
        channel=Channel.INTERNAL,
        subject=Subject(id="dev", tenant="local", authenticated=True),
        can_ask=True,
        cwd=CWD,
        roots=(CWD,),
        home=HOME,
    )
    return lambda text: gateway.before({"tool": "shell", "arguments": {"command": text}}, session)


def timed(works: Mapping[str, Work], texts: Sequence[str]) -> dict[str, list[float]]:
    """The shortest time of each work on each text, in milliseconds."""
    best = {name: [10**12] * len(texts) for name in works}
    for _ in range(PASSES):
        for name, work in works.items():
            times = best[name]
            for number, text in enumerate(texts):
                began = thread_time_ns()
                work(text)
                times[number] = min(times[number], thread_time_ns() - began)
    return {name: [max(time, 1) / 1e6 for time in times] for name, times in best.items()}


def spread(times: Sequence[float], texts: Sequence[str]) -> Times:
    """The median, the 99th of a hundred, and which text took longest."""
    ordered = sorted(times)
    slowest = max(zip(times, texts, strict=True))[1]
    return Times(median(ordered), ordered[len(ordered) * 99 // 100], slowest)


def loads_sqlglot(texts: Sequence[str]) -> bool:
    """Whether a new process that inspects the texts loads the parser of SQL."""
    done = subprocess.run(
        [sys.executable, "-c", _PROBE],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return done.stdout.strip() == "True"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print each group, then all figures on one line; 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.inspect", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="a folder of labelled texts to time as well")
    given = parser.parse_args(arguments)
    groups = workload()
    plain = [text for name, texts in groups.items() if name != SQL for text in texts]
    if given.folder:
        groups["labelled"] = labelled(given.folder)
    works = {"shlex": split, "parse": parsed, "inspect": inspection(), "decide": decision()}
    measured = {name: timed(works, texts) for name, texts in groups.items() if texts}
    print(f"{'commands':20}" + "".join(f"{name + ' p50, p99 ms':>24}" for name in works) + "   times shlex")
    for name, found in measured.items():
        spreads = {work: spread(times, groups[name]) for work, times in found.items()}
        cells = "".join(f"{f'{one.p50:.3f}, {one.p99:.3f}':>24}" for one in spreads.values())
        ratio = spreads["inspect"].p50 / spreads["shlex"].p50
        print(f"{f'{name} ({len(groups[name])})':20}{cells}   {ratio:11.1f}")
        print(f"{'':20}slowest: {spreads['inspect'].slowest[:90]!r}")
    texts = [text for name in measured for text in groups[name]]
    whole = {
        work: spread([time for found in measured.values() for time in found[work]], texts) for work in works
    }
    loaded = loads_sqlglot(plain)
    missed = loaded or any(
        whole[work].p50 > P50_MS or whole[work].p99 > P99_MS for work in ("inspect", "decide")
    )
    print(f"sqlglot was {'' if loaded else 'not '}loaded for the {len(plain)} commands without SQL")
    figures = ", ".join(f"{name} p50 {one.p50:.3f} ms p99 {one.p99:.3f} ms" for name, one in whole.items())
    print(
        f"{len(texts)} commands: {figures}; targets for inspect and decide p50 {P50_MS:g} ms, p99 {P99_MS:g} ms, "
        f"no sqlglot without SQL: {'missed' if missed else 'met'}"
    )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
