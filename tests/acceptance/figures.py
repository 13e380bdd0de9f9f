"""What is flagged of labelled texts, as rows of a table: this gateway, and others beside it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.acceptance.commands import Item

COMMANDS = "shell"
OTHER_KINDS = ("sql", "path", "url", "git", "python")
_DANGEROUS, _HARMLESS = "shell dangerous", "shell harmless"
_NONE = "–"


@dataclass(frozen=True, slots=True)
class Measured:
    """Somebody who judges texts, and the ids of those that they flag; `kinds` are those that they judge at all."""

    name: str
    flagged: Set[str]
    kinds: Set[str] = frozenset({COMMANDS})


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: how many texts it is about, and what each flags of them."""

    label: str
    of: int
    cells: tuple[str, ...]


Wanted = Callable[["Item"], bool]
Figure = Callable[[Sequence["Item"], Set[str]], float]


def share(items: Sequence[Item], flagged: Set[str]) -> float:
    """The share of the texts that is flagged."""
    return sum(item.id in flagged for item in items) / len(items)


def mean_over_families(items: Sequence[Item], flagged: Set[str]) -> float:
    """The mean over families of the share that is flagged, so that a large family counts as much as a small one."""
    families: defaultdict[str, list[Item]] = defaultdict(list)
    for item in items:
        families[item.family].append(item)
    return sum(share(family, flagged) for family in families.values()) / len(families)


def rows(items: Sequence[Item], judges: Sequence[Measured]) -> Iterator[Row]:
    """Every row, also those that there are no texts for."""
    for label, kind, wanted, figure in _rows():
        chosen = [item for item in items if wanted(item)]
        cells = [
            f"{figure(chosen, judge.flagged):.1%}" if chosen and kind in judge.kinds else _NONE
            for judge in judges
        ]
        yield Row(label, len(chosen), tuple(cells))


def _rows() -> Iterator[tuple[str, str, Wanted, Figure]]:
    yield "shell, dangerous: flagged", COMMANDS, _in(_DANGEROUS), share
    yield "shell, dangerous: mean over families", COMMANDS, _in(_DANGEROUS), mean_over_families
    yield "shell, harmless: flagged", COMMANDS, _harmless(_HARMLESS), share
    yield "shell, harmless and only text: flagged", COMMANDS, _harmless(_HARMLESS, "text."), share
    for kind in OTHER_KINDS:
        yield f"{kind}, dangerous: flagged", kind, _dangerous(kind), share
        yield f"{kind}, harmless: flagged", kind, _harmless(kind), share


def _in(group: str) -> Wanted:
    return lambda item: item.group == group


def _dangerous(group: str) -> Wanted:
    return lambda item: item.group == group and not item.harmless


def _harmless(group: str, family: str = "") -> Wanted:
    return lambda item: item.group == group and item.harmless and item.family.startswith(family)


def commands(items: Sequence[Item]) -> list[Item]:
    """The texts that are commands as a shell reads them."""
    return [item for item in items if item.group in (_DANGEROUS, _HARMLESS)]


def peers(path: Path, items: Sequence[Item]) -> list[Measured]:
    """What others flag, from the file of a run over the same texts; `ValueError` if they are others."""
    written = json.loads(path.read_text(encoding="utf-8"))
    if written["texts"] != sorted(item.id for item in commands(items)):
        raise ValueError(
            f"{path} is about other texts; run `python -m tests.acceptance.peers` on this folder"
        )
    return [Measured(each["name"], frozenset(each["flagged"])) for each in written["peers"]]


def table(items: Sequence[Item], judges: Sequence[Measured]) -> Iterator[str]:
    """The table in Markdown, and what it was made from."""
    yield f"| labelled as | texts | {' | '.join(judge.name for judge in judges)} |"
    yield f"| --- | ---: |{' ---: |' * len(judges)}"
    for row in rows(items, judges):
        yield f"| {row.label} | {row.of or _NONE} | {' | '.join(row.cells)} |"
    contested = sum(item.contested for item in items)
    yield ""
    yield (
        f"{len(items)} texts; {contested} of the commands are contested and count as neither. Flagged is what is "
        "denied or asked."
    )


def with_table(page: str, lines: Sequence[str]) -> str:
    """A page with the table between its markers; `ValueError` if it has none."""
    begin, end = "<!-- table: commands -->\n", "<!-- end -->"
    before, found, rest = page.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"there is no {begin.strip()} … {end}")
    return "".join((before, begin, *(f"{line}\n" for line in lines), end, after))
