"""What was measured, as text, as a table in Markdown, and against the targets."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.benchmarks.engines import IF_CHAIN, OURS
from tests.benchmarks.measure import Times
from tests.benchmarks.workload import Effect

MOST_TIMES_THE_CHAIN = 5.6
"""2 microseconds, on a machine where the `if` chain takes 0.36."""
MOST_GROWTH = 2.0


@dataclass(frozen=True, slots=True)
class Place:
    """What was measured together: how many tools and rules, and how many bytes no rule reads."""

    tools: int
    rules: int
    size: int = 0

    def __str__(self) -> str:
        more = f", {size_text(self.size)} that no rule reads" if self.size else ""
        return f"{self.tools} tools, {self.rules} rules{more}"


BASE = Place(30, 10)
GROWN = (Place(30, 1000), Place(3000, 10), Place(3000, 1000), Place(30, 10, 10**5), Place(30, 10, 10**6))
"""Where our engine may take only little longer than at the base."""
Results = Mapping[Place, Mapping[str, Times]]


def size_text(size: int) -> str:
    """A number of bytes in short."""
    return f"{size // 10**6} MB" if size >= 10**6 else f"{size // 1000} KB" if size >= 1000 else f"{size} B"


def lines_of(place: Place, times: Mapping[str, Times]) -> Iterator[str]:
    """What was measured in one place."""
    yield f"{place}:"
    head = ("", "p50 us", "p99 us", "decisions/s", "x if chain", "allow", "ask", "deny", "calls", "load s")
    rows: list[tuple[str, ...]] = [head]
    chain = times.get(IF_CHAIN)
    for name, one in times.items():
        ratio = f"{one.p50 / chain.p50:.1f}" if chain else "-"
        effects = [f"{one.by_effect[e]:.2f}" if e in one.by_effect else "-" for e in _ORDER]
        rows.append(
            (
                name,
                f"{one.p50:.2f}",
                f"{one.p99:.2f}",
                f"{one.per_second:,.0f}",
                ratio,
                *effects,
                f"{one.calls:,}",
                f"{one.load:.2f}",
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        first, *rest = row
        cells = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        yield f"  {first.ljust(widths[0])}  {'  '.join(cells)}"


_ORDER = (Effect.ALLOW, Effect.ASK, Effect.DENY)


@dataclass(frozen=True, slots=True)
class Target:
    """Something that our engine has to reach, and what it reached; None if it was not measured."""

    what: str
    most: float
    reached: float | None

    @property
    def missed(self) -> bool:
        """Whether it was measured and not reached."""
        return self.reached is not None and self.reached > self.most

    def __str__(self) -> str:
        if self.reached is None:
            return f"{self.what}: not measured"
        return f"{self.what}: {self.reached:.2f}, target {self.most:g}: {'missed' if self.missed else 'met'}"


def targets(results: Results, ours: Mapping[Place, Times]) -> Iterator[Target]:
    """The targets for our engine: how it compares with the `if` chain, and how little it grows.

    `ours` was timed in all its places in turn, so that what else the machine did is no growth.
    """
    base = results.get(BASE, {})
    ratio = base[OURS].p50 / base[IF_CHAIN].p50 if OURS in base and IF_CHAIN in base else None
    yield Target(f"p50 at {BASE}, times the if chain", MOST_TIMES_THE_CHAIN, ratio)
    for other in GROWN:
        yield Target(f"growth of p50 to {other}", MOST_GROWTH, growth(ours, other))


def growth(times: Mapping[Place, Times], other: Place) -> float | None:
    """How many times as long an engine takes elsewhere."""
    return times[other].p50 / times[BASE].p50 if BASE in times and other in times else None


def growths(results: Results) -> Iterator[str]:
    """How every engine grows, from figures that were taken one after another."""
    for name in dict.fromkeys(name for times in results.values() for name in times):
        times = {place: found[name] for place, found in results.items() if name in found}
        grown = [
            f"{short(place)} {found:.1f}"
            for place in times
            if place != BASE and (found := growth(times, place)) is not None
        ]
        yield f"  {name}: {', '.join(grown)}"


def markdown(results: Results, left_out: Iterable[str], versions: Mapping[str, str]) -> Iterator[str]:
    """A table with the median of each engine in each place, and where and when it was measured."""
    places = list(results)
    names = list(dict.fromkeys(name for times in results.values() for name in times))
    yield f"| p50, us | {' | '.join(map(short, places))} | decisions/s |"
    yield f"| --- |{' ---: |' * (len(places) + 1)}"
    for name in names:
        cells = [_number(results[place][name].p50) if name in results[place] else "" for place in places]
        first = next(results[place][name] for place in places if name in results[place])
        yield f"| {name}{versions.get(name, '')} | {' | '.join(cells)} | {first.per_second:,.0f} |"
    yield ""
    yield (
        f"Measured in-process on {datetime.now(UTC):%Y-%m-%d}: Python {platform.python_version()}, {machine()}. Columns are "
        "tools/rules, or the size of an argument that no rule reads at "
        f"{BASE.tools}/{BASE.rules}; decisions/s are those of the first column."
    )
    for why in left_out:
        yield f"Not measured: {why}."


def short(place: Place) -> str:
    """A place in a column's title."""
    return size_text(place.size) if place.size else f"{place.tools}/{place.rules}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def machine() -> str:
    """The processor, and how many of them there are."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{os.cpu_count()} shared vCPUs ({name or platform.machine()})"


def replaced(page: str, table: Sequence[str]) -> str:
    """The page with the table between its markers; `ValueError` if it has none."""
    begin, end = "<!-- benchmark -->\n", "<!-- end of benchmark -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"there is no {begin.strip()} … {end}")
    return "".join((before, begin, "\n".join(table), "\n", end, after))
