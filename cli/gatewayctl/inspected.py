"""What inspection says about a text: the packs as they are shipped or as a policy sets them, and the guard."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gateway.inspect.inspection import Inspection, Match
    from gateway.inspect.inspector import Inspector
    from gateway.inspect.place import Conventions, Place

KINDS = ("shell", "sql", "path", "url", "python", "git", "headers")


def inspector() -> Inspector:
    """An inspector with every pack."""
    from gateway.guarded import guard_for
    from gateway.inspect.clued import clued
    from gateway.inspect.inspector import Inspector
    from gateway.patterns import PACKS, load_packs

    return Inspector(lambda: clued(load_packs(PACKS)), guard_for())


def place_at(cwd: str | None, home: str | None, conventions: Conventions) -> Place:
    """A place whose workspace is its working directory; links are followed on this machine."""
    from gateway.inspect.place import Place

    here = str(Path.cwd() / cwd) if cwd else str(Path.cwd())
    at_home = home or os.environ.get("HOME")
    return Place(here, str(Path.cwd() / at_home) if at_home else None, (here,), os.path.realpath, conventions)


def inspect(using: Inspector, kind: str, text: str, place: Place, *, writes: bool) -> Inspection:
    """What a text would do."""
    from gateway.inspect.guard import Access
    from gateway.inspect.kind import Kind

    return using.inspect(Kind(kind), text, place, Access.WRITE if writes else Access.READ)


def effect(inspection: Inspection) -> str:
    """What happens to a call that holds the text, where a person is there to be asked."""
    return inspection.matches[0].effect.value if inspection.matches else "allow"


def inspection_json(inspection: Inspection, kind: str, place: Place) -> dict[str, Any]:
    """An inspection for scripts, with what conditions can read of it as `inspect.<argument>`."""
    from gateway.inspect.facts import STAYING, facts
    from gateway.inspect.kind import Kind

    found = facts(Kind(kind), (inspection,), place)
    return {
        "effect": effect(inspection),
        "analysis": inspection.analysis,
        "patterns": list(dict.fromkeys(match.pattern for match in inspection.matches if match.pattern)),
        "matches": [_match_json(match) for match in inspection.matches],
        "facts": {key: value for key, value in found.items() if key != STAYING},
    }


def _match_json(match: Match) -> dict[str, Any]:
    return {
        "pattern": match.pattern or None,
        "kind": match.kind,
        "effect": match.effect.value,
        "reason": match.reason,
        "alternative": match.alternative,
        "start": match.start,
        "end": match.end,
        "text": match.text,
    }
