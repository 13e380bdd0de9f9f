"""Pairs of policies: one that all files change, and what becomes of it by each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from gateway.diff import compiled
from gateway.document import read_document, source_of
from gateway.load import load_text
from gateway.sources import Assembled

FOLDER = Path(__file__).parent.parent / "data" / "changes"
NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Pair:
    """A change, and whether it relaxes."""

    name: str
    relaxes: bool
    new: str

    def __str__(self) -> str:
        return self.name


def read_pair(path: Path) -> Pair:
    data = read_document(source_of(str(path), path.read_bytes())).data
    assert isinstance(data, dict)
    text = base_text()
    for edit in data["change"]:
        assert text.count(edit["from"]) == 1, f"{path.name}: `{edit['from']}` is not in the policy once"
        text = text.replace(edit["from"], edit["to"])
    assert data["verdict"] in ("relaxed", "harmless")
    return Pair(path.stem, data["verdict"] == "relaxed", text)


@cache
def base_text() -> str:
    return (FOLDER / "base.yaml").read_text("utf-8")


@cache
def base() -> Assembled:
    return compiled(load_text(base_text()))


PAIRS = [read_pair(path) for path in sorted(FOLDER.glob("*.yaml")) if path.name != "base.yaml"]
