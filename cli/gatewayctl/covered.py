"""How what the cases of a policy reach is printed."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from gatewayctl.output import say

if TYPE_CHECKING:
    from pathlib import Path

    from gateway.diagnostic import Ink
    from gateway.testing.coverage import Coverage
    from gateway.testing.targets import Target


def coverage_json(place: Path, found: Coverage) -> dict[str, Any]:
    """What is reached of the policies at a place, for scripts."""
    return {
        "policies": str(place),
        "percent": round(found.percent, 2),
        "kinds": {
            kind: dict(zip(("covered", "total"), found.count(kind), strict=True)) for kind in found.kinds
        },
        "gaps": [_gap(one) for one in found.gaps if one.counts],
        "patterns": [one.name for one in found.gaps if not one.counts],
        "errors": found.errors,
    }


def _gap(target: Target) -> dict[str, str]:
    return {
        "kind": target.kind,
        "name": target.name,
        "missing": target.what,
        "place": target.place,
        "hint": target.hint,
    }


def say_coverage(place: Path, found: Coverage, ink: Ink) -> None:
    """What is reached of the policies at a place: what is missing, then the figures."""
    gaps = [one for one in found.gaps if one.counts]
    for (kind, name), missing in groupby(gaps, lambda one: (one.kind, one.name)):
        listed = list(missing)
        say(f"{listed[0].place}: {_ONE[kind]} `{name}`: never {', never '.join(one.what for one in listed)}")
        say(f"  {ink('bold', 'help')}: {listed[0].hint}")
    if gaps:
        say()
    for name, count in found.errors.items():
        say(f"`{name}` could not be evaluated in {count} of the cases")
    say(f"coverage of {place}")
    for kind in found.kinds:
        covered, total = found.count(kind)
        beside = "  (not part of the percentage)" if kind == "patterns" else ""
        say(f"  {kind:<12} {covered:>5} of {total}{beside}")
    percent = found.percent
    say(ink("green" if not gaps else "yellow", f"  {percent:.1f} % of what counts is reached"))


_ONE = {
    "rules": "rule",
    "tools": "tool",
    "permissions": "permission",
    "arguments": "forced arguments",
    "limits": "limit",
    "results": "result",
    "overrides": "override",
}
