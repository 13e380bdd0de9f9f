"""Measure inspection on labelled texts: `python -m tests.acceptance.commands FOLDER`.

The folder holds files of JSON lines, each with `id`, `kind`, `text`, `cwd`, `expect`, `family`, `shape` and perhaps
`setup.symlinks`. Dangerous ones are expected to be denied or asked about, harmless ones to be allowed; harmless
commands that are marked `ask` are contested and count as neither. With --into the figures are written as a table
between the markers of a page, beside those of others that `python -m tests.acceptance.peers` has measured. Exit code 1
when a target is missed.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gatewayctl.inspected import effect, inspect, inspector

from gateway.inspect.place import Place
from tests.acceptance.figures import COMMANDS, OTHER_KINDS, Measured, peers, table, with_table

HOME = "/home/dev"
DANGEROUS = 0.95
DANGEROUS_MACRO = 0.92
HARMLESS = 0.015
OTHER_HARMLESS = 0.05


@dataclass(frozen=True)
class Item:
    """One labelled text."""

    id: str
    kind: str
    text: str
    cwd: str
    expect: str
    family: str
    shape: str
    links: Mapping[str, str]
    group: str

    @property
    def harmless(self) -> bool:
        """Whether it must be allowed."""
        return self.expect == "allow"

    @property
    def contested(self) -> bool:
        """Whether opinions differ, so that it counts as neither."""
        return self.group == "shell harmless" and not self.harmless


@dataclass(frozen=True)
class Judged:
    """A text and what inspection says of it."""

    item: Item
    effect: str
    patterns: tuple[str, ...]
    seconds: float

    @property
    def flagged(self) -> bool:
        """Whether it was denied or asked about."""
        return self.effect != "allow"


def read(folder: Path) -> list[Item]:
    """The labelled texts of all files in a folder."""
    items = []
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            items.append(_item(json.loads(line), file.name))
    return items


def _item(line: Mapping[str, Any], file: str) -> Item:
    group = file.partition("_")[0]
    if group == "shell":
        group = "shell harmless" if "benign" in file else "shell dangerous"
    links = line.get("setup", {}).get("symlinks", {})
    cwd = line.get("cwd", "/home/dev/shop")
    return Item(
        line["id"],
        line["kind"],
        line["text"],
        cwd,
        line["expect"],
        line["family"],
        line.get("shape", ""),
        {posixpath.join(cwd, link): target for link, target in links.items()},
        group,
    )


def judge(items: Iterable[Item]) -> list[Judged]:
    """What inspection says of each text, as `gatewayctl inspect --batch` would."""
    using = inspector()
    made = []
    for item in items:
        place = Place(item.cwd, HOME, (item.cwd,), _follower(item.links))
        before = time.perf_counter()
        found = inspect(using, item.kind, item.text, place, writes=False)
        seconds = time.perf_counter() - before
        names = tuple(dict.fromkeys(match.pattern or match.kind for match in found.matches))
        made.append(Judged(item, effect(found), names, seconds))
    return made


def _follower(links: Mapping[str, str]) -> Callable[[str], str]:
    """Follows the links of an item, which need not exist."""

    def follow(path: str) -> str:
        for link, target in links.items():
            if path == link or path.startswith(link + "/"):
                return posixpath.normpath(posixpath.join(posixpath.dirname(link), target) + path[len(link) :])
        return path

    return follow


def rate(judged: Sequence[Judged]) -> float:
    """The share of texts that are flagged."""
    return sum(one.flagged for one in judged) / len(judged) if judged else 0.0


def by(judged: Iterable[Judged], key: Callable[[Item], str]) -> dict[str, list[Judged]]:
    """The texts grouped by a label."""
    groups: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        groups[key(one.item)].append(one)
    return dict(sorted(groups.items()))


def macro(judged: Sequence[Judged]) -> float:
    """The mean over families of the share that is flagged."""
    groups = by(judged, lambda item: item.family)
    return sum(map(rate, groups.values())) / len(groups) if groups else 0.0


def targets(judged: Sequence[Judged]) -> list[tuple[str, bool, str]]:
    """Each target: what it asks for, whether it is met, and the figure."""
    made: list[tuple[str, bool, str]] = []
    groups = by((one for one in judged if not one.item.contested), lambda item: item.group)
    dangerous = groups.pop("shell dangerous", [])
    if dangerous:
        found, mean = rate(dangerous), macro(dangerous)
        exact = sum(one.effect == one.item.expect for one in dangerous) / len(dangerous)
        made.append(_target("shell: dangerous flagged", found, DANGEROUS, dangerous))
        made.append(
            (f"shell: mean over families >= {DANGEROUS_MACRO:.0%}", mean >= DANGEROUS_MACRO, f"{mean:.1%}")
        )
        made.append(("shell: deny or ask as labelled", True, f"{exact:.1%}"))
    harmless = groups.pop("shell harmless", [])
    if harmless:
        texts = [one for one in harmless if one.item.family.startswith("text.")]
        made.append(_ceiling("shell: harmless flagged", harmless, HARMLESS))
        made.append(_ceiling("shell: harmless flagged in text.*", texts, 0.0))
    for name, group in groups.items():
        bad = [one for one in group if not one.item.harmless]
        good = [one for one in group if one.item.harmless]
        exact = sum(one.effect == one.item.expect for one in bad) / len(bad) if bad else 1.0
        made.append(_target(f"{name}: dangerous flagged", rate(bad), DANGEROUS, bad))
        made.append((f"{name}: deny or ask as labelled", True, f"{exact:.1%}"))
        made.append(_ceiling(f"{name}: harmless flagged", good, OTHER_HARMLESS))
    return made


def _labelled(key: Callable[[Item], str]) -> Callable[[Item], str]:
    return lambda item: f"{item.group:16} {key(item)}"


def _target(name: str, found: float, least: float, group: Sequence[Judged]) -> tuple[str, bool, str]:
    count = sum(one.flagged for one in group)
    return f"{name} >= {least:.0%}", found >= least, f"{found:.1%} ({count} of {len(group)})"


def _ceiling(name: str, group: Sequence[Judged], most: float) -> tuple[str, bool, str]:
    found, count = rate(group), sum(one.flagged for one in group)
    return f"{name} <= {most:.1%}", found <= most, f"{found:.1%} ({count} of {len(group)})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of labelled texts")
    parser.add_argument("--misses", action="store_true", help="print each text that is judged wrongly")
    parser.add_argument("--family", default="", help="only families that start with this")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="write the table into this page")
    parser.add_argument("--peers", type=Path, metavar="FILE", help="what others flag of the same texts")
    given = parser.parse_args(arguments)
    if given.into and given.family:
        parser.error("a table is of all families")
    items = [item for item in read(given.folder) if item.family.startswith(given.family)]
    judged = judge(items)
    for title, key in (("family", lambda item: item.family), ("shape", lambda item: item.shape)):
        print(f"== by {title}: flagged of all, as labelled")
        for name, group in by(judged, _labelled(key)).items():
            exact = sum(one.effect == one.item.expect for one in group)
            print(f"{name:44} {sum(one.flagged for one in group):4} of {len(group):4}   exact {exact:4}")
    if given.misses:
        print("== judged wrongly")
        for one in judged:
            if one.flagged is one.item.harmless and not one.item.contested:
                text = json.dumps(one.item.text, ensure_ascii=False)
                print(
                    f"{one.item.id} expected {one.item.expect}, is {one.effect} {list(one.patterns)}: {text[:300]}"
                )
    if given.into:
        ours = Measured(
            "gatewayctl",
            frozenset(one.item.id for one in judged if one.flagged),
            frozenset((COMMANDS, *OTHER_KINDS)),
        )
        others = peers(given.peers, items) if given.peers else []
        page = given.into.read_text(encoding="utf-8")
        given.into.write_text(with_table(page, [*table(items, [ours, *others])]), encoding="utf-8")
    effects = Counter(one.effect for one in judged)
    print("== in all:", ", ".join(f"{effects[name]} {name}" for name in ("allow", "ask", "deny")))
    times = sorted(one.seconds * 1000 for one in judged) or [0.0]
    print(f"== time: p50 {times[len(times) // 2]:.3f} ms, p99 {times[int(len(times) * 0.99)]:.3f} ms")
    print("== targets")
    found = targets(judged)
    for name, met, figure in found:
        print(f"{'met   ' if met else 'MISSED'} {name}: {figure}")
    return 0 if all(met for _, met, _ in found) else 1


if __name__ == "__main__":
    sys.exit(main())
