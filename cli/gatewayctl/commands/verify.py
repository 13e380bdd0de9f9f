"""`gatewayctl verify`: look for calls of which an invariant does not hold."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.compared import say_answer, say_request
from gatewayctl.options import chosen_policies, format_option, layers_option, now_option, policies_option
from gatewayctl.output import Exit, Format, ink_for, refuse_policies, say, say_json
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from gateway.verifying import Verified


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--tries", type=click.IntRange(1, 1_000_000), help="How many calls to try for each invariant.")
@policies_option
@layers_option
@now_option
@format_option
def command(
    paths: tuple[Path, ...],
    tries: int | None,
    policies: Path | None,
    user: Path | None,
    project: Path | None,
    now: datetime | None,
    form: Format,
) -> None:
    """Look for a call of which an invariant of the policies at each PATH does not hold.

    Each PATH is a policy of its own: a file, or a directory with all its files. The calls are made of what it declares
    and compares with, and are the same in every run; that none was found is no proof. Exit code 1 means that an
    invariant is violated, 2 that a policy can't be used.
    """
    from gateway.diagnostic import PolicyError
    from gateway.diff import compiled
    from gateway.facts import utc_now
    from gateway.load import load_policy
    from gateway.verifying import TRIES, verify

    lower = [layer for layer in (user, project) if layer is not None]
    moment, most = now or utc_now(), TRIES if tries is None else tries
    try:
        sides = [compiled(load_policy(path, lower=lower)) for path in paths or (chosen_policies(policies),)]
    except PolicyError as error:
        refuse_policies(error, form)
    found = tuple(one for side in sides for one in verify(side, moment, most))
    violated = [one for one in found if one.violation is not None]
    if form is Format.JSON:
        say_json({"ok": not violated, "invariants": [_json(one, moment) for one in found]})
    else:
        _say(found, violated, moment)
    raise click.exceptions.Exit(Exit.FOUND if violated else Exit.FINE)


def _json(one: Verified, now: datetime) -> dict[str, Any]:
    violation = one.violation
    return {
        "id": one.invariant.id,
        "place": one.invariant.place,
        "holds": violation is None,
        "tried": one.tried,
        **(
            {}
            if violation is None
            else {
                **violation.request.as_json(),
                **({} if violation.request.now == now else {"now": violation.request.now.isoformat()}),
                "effect": violation.decision.effect.value,
                "code": violation.decision.code.value,
                "rule": violation.decision.rule,
                "error": violation.error,
            }
        ),
    }


def _say(found: tuple[Verified, ...], violated: list[Verified], now: datetime) -> None:
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    for one in found:
        violation = one.violation
        name = f"{ink('bold', one.invariant.id)}  ({printable(one.invariant.place)})"
        if violation is None:
            say(f"{ink('green', 'not violated')}  {name}  by {counted(one.tried, 'call')}")
            continue
        say(f"{ink('red', 'violated')}  {name}")
        if one.invariant.message:
            say(f"  {printable(one.invariant.message)}")
        if violation.error:
            say(f"  it can't be told: {printable(violation.error)}")
        say(f"  tool       {printable(violation.request.tool)}")
        say_request(violation.request, now)
        say_answer("decision", violation.decision)
    if not found:
        say("the policies state no `invariants`")
    elif violated:
        say(ink("red", f"{counted(len(violated), 'invariant')} violated, of {len(found)}"))
    else:
        say(ink("green", f"no call violates an invariant; {counted(len(found), 'invariant')} searched"))
