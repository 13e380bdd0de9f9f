"""The differences that are known, each with its reason: read from `differences.yaml` beside this file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from gateway.second_opinion.answer import Answer

_FILE = Path(__file__).with_name("differences.yaml")


@dataclass(frozen=True, slots=True)
class Known:
    """A known difference: where it arises, what each answers there, and why."""

    id: str
    reason: str
    parts: frozenset[str]
    ours: str
    theirs: str
    example: Mapping[str, Any]
    operands: frozenset[str] = frozenset()
    says: str = ""

    def fits(self, part: str, ours: Answer, theirs: Answer, operands: frozenset[str]) -> bool:
        """Whether a difference in a part of an expression is this one."""
        return (
            part in self.parts
            and _kind(ours) == self.ours
            and _kind(theirs) == self.theirs
            and self.operands <= operands
            and (not self.says or (theirs[0] == "error" and re.search(self.says, theirs[1]) is not None))
        )


@dataclass(frozen=True, slots=True)
class Library:
    """What is known of another implementation: its functions, and where it answers otherwise."""

    name: str
    functions: frozenset[str]
    differences: tuple[Known, ...]

    def known(self, part: str, ours: Answer, theirs: Answer, operands: frozenset[str]) -> Known | None:
        """The known difference that a difference is, if it is one."""
        return next((known for known in self.differences if known.fits(part, ours, theirs, operands)), None)


@cache
def library(name: str = "cel-python") -> Library:
    """What is known of an implementation."""
    written = yaml.safe_load(_FILE.read_text(encoding="utf-8"))[name]
    differences = tuple(
        Known(
            id=entry["id"],
            reason=entry["reason"],
            parts=frozenset(entry["parts"]),
            ours=entry["ours"],
            theirs=entry["theirs"],
            example=entry["example"],
            operands=frozenset(entry.get("operands", ())),
            says=entry.get("says", ""),
        )
        for entry in written["differences"]
    )
    return Library(name, frozenset(written["functions"]), differences)


def _kind(answer: Answer) -> str:
    return "error" if answer[0] == "error" else "value"
