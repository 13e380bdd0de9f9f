"""How the changes of a policy that no case notices are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gatewayctl.output import diagnostic_json, say, say_diagnostics
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    from gateway.diagnostic import Ink
    from gateway.mutation import Survivors


def mutation_json(place: Path, found: Survivors) -> dict[str, Any]:
    """The changes of the policies at a place that no case notices, for scripts."""
    return {
        "policies": str(place),
        "tried": found.tried,
        "noticed": found.noticed,
        "equivalent": found.equivalent,
        "survived": [
            {
                "id": one.mutant.id,
                "place": one.mutant.place.place,
                "change": one.mutant.change,
                "reached": one.reached,
                "case": one.case,
            }
            for one in found.survived
        ],
        "unused": [diagnostic_json(one) for one in found.unused],
    }


def say_mutation(place: Path, found: Survivors, ink: Ink) -> None:
    """The changes of the policies at a place that no case notices, each with where it is made, then the figures."""
    for one in found.survived:
        mutant = one.mutant
        say(f"{ink('yellow', 'NOT NOTICED')} {mutant.place.place}: {mutant.change}")
        reach = f"{counted(one.reached, 'case')} {'reaches' if one.reached == 1 else 'reach'} it"
        say(f"  {mutant.id} ({reach if one.reached else 'no case reaches it'})")
        if one.case is not None:
            say(f"  {ink('bold', 'a case that would')}:")
            say(f"  {one.case}")
    if found.survived:
        say()
    say_diagnostics(found.unused)
    summary = (
        f"{counted(found.tried, 'change')} of {place}: {found.noticed} noticed, {len(found.survived)} not"
    )
    marked = f", {found.equivalent} marked as making no difference" if found.equivalent else ""
    say(ink("yellow" if found.survived or found.unused else "green", summary + marked))
