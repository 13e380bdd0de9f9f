"""How what the cases of a policy reach is printed."""

from __future__ import annotations

from collections.abc import Iterator
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


def gaps_of(found: Coverage) -> Iterator[tuple[str, str]]:
    """What is missing of each part, and the shortest way to a case that reaches it."""
    gaps = [one for one in found.gaps if one.counts]
    for (kind, name), missing in groupby(gaps, lambda one: (one.kind, one.name)):
        listed = list(missing)
        never = ", never ".join(one.what for one in listed)
        yield f"{listed[0].place}: {_ONE[kind]} `{name}`: never {never}", listed[0].hint


def say_gaps(found: Coverage, ink: Ink) -> None:
    """What is missing of the policies."""
    gaps = list(gaps_of(found))
    for missing, hint in gaps:
        say(missing)
        say(f"  {ink('bold', 'help')}: {hint}")
    if gaps:
        say()


def say_coverage(place: Path, found: Coverage, ink: Ink, demanded: float | None = None) -> None:
    """How much is reached of the policies at a place, and whether that is as much as is demanded."""
    for name, count in found.errors.items():
        say(f"`{name}` could not be evaluated in {count} of the cases")
    say(f"coverage of {place}")
    for kind in found.kinds:
        covered, total = found.count(kind)
        beside = "  (not part of the percentage)" if kind == "patterns" else ""
        say(f"  {kind:<12} {covered:>5} of {total}{beside}")
    covered, total = found.count()
    # Never rounded up: what is nearly all is not all.
    line = f"  {(covered * 1000 // total if total else 1000) / 10:.1f} % of what counts is reached"
    if demanded is not None and found.percent < demanded:
        say(ink("red", f"{line}: less than the {demanded:g} % that `--fail-under` demands"))
    else:
        say(ink("green" if covered == total else "yellow", line))


_ONE = {
    "rules": "rule",
    "tools": "tool",
    "permissions": "permission",
    "arguments": "forced arguments",
    "limits": "limit",
    "results": "result",
    "overrides": "override",
}
