"""Time decisions of this gateway beside other engines, in one run and in turn: `python -m tests.benchmarks.engine`.

Every answer is first compared with an oracle's. Ratios are worth more than absolutes. Exit 1 when a target is missed or
an answer is wrong. The other engines come with the extra `bench`; those that are not installed are left out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from time import perf_counter_ns

import click

from tests.benchmarks.engines import ENGINES, IF_CHAIN, OURS
from tests.benchmarks.measure import PASSES, Run, Times, WrongAnswer, build, measure
from tests.benchmarks.oracle import right_answer
from tests.benchmarks.report import (
    BASE,
    GROWN,
    Place,
    growths,
    lines_of,
    machine,
    markdown,
    replaced,
    short,
    targets,
)
from tests.benchmarks.workload import Question, candidates, make_calls, make_policy, shapes, with_body

_SIZES = (10**5, 10**6)
_QUICK = ((30, 10), (30, 1000), (3000, 10))
_DISTRIBUTIONS = {"regorus": "celine-regorus"}
_MODULES = {"cedarpy": "cedarpy", "regorus": "regorus", "agent-os-kernel": "agent_os", "cel-python": "celpy"}


def calibration() -> float:
    """Nanoseconds for one turn of a loop that only looks things up, as a measure of the machine."""
    table = {f"t{number}": number for number in range(30)}
    began = perf_counter_ns()
    total = 0
    for number in range(100_000):
        total += table[f"t{number % 30}"]
    return (perf_counter_ns() - began) / 100_000


def _shape(text: str) -> tuple[int, int]:
    tools, _, rules = text.partition("/")
    if not (tools.isdigit() and rules.isdigit() and int(tools) and int(rules)):
        raise click.BadParameter(f"write tools/rules, such as 30/10, not `{text}`")
    return int(tools), int(rules)


@click.command(help=__doc__)
@click.option("--size", "sizes", multiple=True, metavar="TOOLS/RULES", help="Only these, such as 30/10.")
@click.option(
    "--bytes", "payloads", multiple=True, type=int, help="Sizes of the argument that no rule reads."
)
@click.option("--engine", "names", multiple=True, type=click.Choice([*ENGINES]), help="Only these engines.")
@click.option("--calls", default=10_000, show_default=True, type=click.IntRange(50), help="How many calls.")
@click.option(
    "--seconds", default=3.0, show_default=True, help="How long another engine may take in each place."
)
@click.option("--quick", is_flag=True, help="Fewer sizes, 2,000 calls, one second.")
@click.option("--markdown", "as_markdown", is_flag=True, help="Print the table in Markdown at the end.")
@click.option(
    "--into",
    type=click.Path(path_type=Path, exists=True),
    help="Write the table between the markers of a page.",
)
def main(
    sizes: tuple[str, ...],
    payloads: tuple[int, ...],
    names: tuple[str, ...],
    calls: int,
    seconds: float,
    quick: bool,
    as_markdown: bool,
    into: Path | None,
) -> None:
    """Measure and print."""
    if quick:
        calls, seconds = min(calls, 2_000), min(seconds, 1.0)
    chosen = [_shape(text) for text in sizes] or list(_QUICK if quick else shapes())
    places = [Place(*shape) for shape in chosen]
    places += [Place(BASE.tools, BASE.rules, size) for size in payloads or (() if sizes else _SIZES)]
    engines = [name for name in ENGINES if not names or name in names]
    left_out = [f"{name} is not installed" for name in engines if not _installed(name)]
    engines = [name for name in engines if _installed(name)]
    versions = {name: f" {version}" for name in engines if (version := _version(name))}
    loop = min(calibration() for _ in range(5))
    print(f"in-process, Python {sys.version.split()[0]}, {machine()}, calibration loop {loop:.0f} ns")
    print(", ".join(f"{name}{versions.get(name, '')}" for name in engines))
    for why in left_out:
        print(f"not measured: {why}")
    print(
        f"up to {calls:,} calls, each timed {PASSES} times in turn with the other engines, its shortest time counts, less "
        f"what reading the clock takes; other engines are timed for about {seconds:g} s in each place, over fewer calls"
    )
    build(engines, make_policy(10, 4))  # so that what is imported is no part of a load
    results: dict[Place, dict[str, Times]] = {}
    ours: dict[Place, Run] = {}
    try:
        for place in places:
            results[place] = _measured(place, engines, calls, seconds, ours)
        grown = _grown(ours, seconds)
    except WrongAnswer as wrong:
        print(f"wrong answer of {wrong}")
        sys.exit(1)
    print(f"\ngrowth of p50 from {BASE}:", *growths(results), sep="\n")
    print()
    found = list(targets(results, grown))
    for target in found:
        print(target)
    table = list(markdown(results, left_out, versions))
    if as_markdown:
        print("", *table, sep="\n")
    if into is not None:
        into.write_text(replaced(into.read_text(encoding="utf-8"), table), encoding="utf-8")
    sys.exit(1 if any(target.missed for target in found) else 0)


def _measured(
    place: Place, engines: Sequence[str], calls: int, seconds: float, ours: dict[Place, Run]
) -> dict[str, Times]:
    """Time every engine in a place; our engine there is kept."""
    policy = make_policy(place.tools, place.rules)
    questions = make_calls(policy, calls, right_answer)
    print()
    if place == BASE:
        _mix(questions)
    questions = with_body(questions, place.size)
    runs = [Run(one.name, one, questions) for one in build(engines, policy)]
    times = measure(runs, seconds)
    for line in lines_of(place, times):
        print(line, flush=True)
    print(f"  {candidates(policy):.1f} rules are about a tool")
    ours.update((place, run) for run in runs if run.name == OURS and (place == BASE or place in GROWN))
    return times


def _grown(ours: Mapping[Place, Run], seconds: float) -> dict[Place, Times]:
    """Our engine in all places of the targets, timed once more in turn."""
    names = {short(place): place for place in ours}
    times = measure(
        [Run(name, ours[place].engine, ours[place].questions) for name, place in names.items()], seconds
    )
    return {names[name]: one for name, one in times.items()}


def _mix(questions: Sequence[Question]) -> None:
    answers = Counter(right for _, right in questions)
    mixed = ", ".join(
        f"{effect.value} {count / len(questions):.0%}" for effect, count in answers.most_common()
    )
    print(f"answers: {mixed}; every one of every engine is as the oracle's")


def _installed(name: str) -> bool:
    from importlib.util import find_spec

    return name in (OURS, IF_CHAIN) or find_spec(_MODULES[name]) is not None


def _version(name: str) -> str:
    if name in (OURS, IF_CHAIN):
        return ""
    return metadata.version(_DISTRIBUTIONS.get(name, name))


if __name__ == "__main__":
    main()
