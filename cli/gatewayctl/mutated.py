"""How the changes of a policy that no case notices are printed."""

from __future__ import annotations

import json
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


_NOT_FOUND = "no case that would was found: write one, or mark it as below if none can"
_NOT_SEARCHED = "no case was looked for: add those above and run it again"


def _say_marks(found: Survivors) -> None:
    """The lines by which a test file says that no case can notice a change: of those for which none was found."""
    unfound = [one.mutant for one in found.survived if one.case is None and one.searched]
    if not unfound:
        return
    say("what makes no difference to any decision is marked in a test file, with the reason:")
    say("equivalent:")
    for mutant in unfound:
        say(f"  - {{mutant: {json.dumps(mutant.id, ensure_ascii=False)}, reason: WHY}}")
    say()


def say_survivors(found: Survivors, ink: Ink) -> None:
    """The changes that no case notices, each with where it is made, and the marks that are of no use."""
    for one in found.survived:
        mutant = one.mutant
        say(f"{ink('yellow', 'NOT NOTICED')} {mutant.place.place}: {mutant.change}")
        reach = f"{counted(one.reached, 'case')} {'reaches' if one.reached == 1 else 'reach'} it"
        say(f"  {mutant.id} ({reach if one.reached else 'no case reaches it'})")
        if one.case is not None:
            say(f"  {ink('bold', 'a case that would')}:")
            say(f"  {one.case}")
        else:
            say(f"  {_NOT_FOUND if one.searched else _NOT_SEARCHED}")
    if found.survived:
        say()
    _say_marks(found)
    say_diagnostics(found.unused)


def say_changes(place: Path, found: Survivors, ink: Ink) -> None:
    """How many changes of the policies at a place were tried, and how many are noticed."""
    summary = (
        f"{counted(found.tried, 'change')} of {place}: {found.noticed} noticed, {len(found.survived)} not"
    )
    marked = f", {found.equivalent} marked as making no difference" if found.equivalent else ""
    say(ink("yellow" if found.survived or found.unused else "green", summary + marked))
