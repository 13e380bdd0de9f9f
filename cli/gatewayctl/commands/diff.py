"""`gatewayctl diff`: say what a change between two policies relaxes."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.options import format_option, now_option
from gatewayctl.output import (
    Exit,
    Format,
    diagnostic_json,
    ink_for,
    refuse_policies,
    say,
    say_diagnostics,
    say_json,
)
from gatewayctl.wording import counted

if TYPE_CHECKING:
    from datetime import datetime

    from gateway.diff import Verdict
    from gateway.relaxation import Change
    from gateway.sources import Assembled
    from gatewayctl.confirmed import Matched

_INK = {"relaxed": "red", "unproved": "yellow", "other": "yellow", "proved": "green", "tightened": "green"}


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--confirm",
    type=click.Path(path_type=Path),
    help="A list of {item, digest, by, reason, until?}: changes that somebody agreed to.",
)
@click.option("--strict", is_flag=True, help="Let an unproved change that nobody confirmed fail, too.")
@now_option
@format_option
def command(
    old: str, new: str, confirm: Path | None, strict: bool, now: datetime | None, form: Format
) -> None:
    """Say what the change from OLD to NEW relaxes, item by item.

    OLD and NEW are policies, each a file or a directory, or REV:PATH in the git repository around the working
    directory: PATH is counted from the root of the repository, REV:./PATH from the working directory. Exit code 1
    means that something is relaxed which nobody confirmed, with --strict also something that is unproved; 2 that a
    policy can't be read.
    """
    from gateway.diagnostic import PolicyError
    from gateway.diff import changes, confirmed_in, verdict
    from gateway.facts import utc_now
    from gatewayctl.confirmed import match, read_confirmations

    try:
        before, after = _load(old), _load(new)
        entries = () if confirm is None else read_confirmations(confirm)
    except PolicyError as error:
        refuse_policies(error, form)
    found = changes(before, after)
    said = verdict(found)
    matched = match(entries, found, now or utc_now(), confirmed_in(before, after))
    if form is Format.JSON:
        say_json(_json(before, after, found, said, matched))
    else:
        _say(found, said, matched)
    failed = any(
        not matched.confirms(change) and (change.relaxed or (strict and change.unproved)) for change in found
    )
    raise click.exceptions.Exit(Exit.FOUND if failed else Exit.FINE)


def _load(text: str) -> Assembled:
    from gateway.diff import compiled
    from gateway.load import load_policy
    from gatewayctl.revisions import source_of

    with source_of(text) as source:
        return compiled(load_policy(source.path, shown=source.shown))


def _json(
    before: Assembled, after: Assembled, found: Iterable[Change], said: Verdict, matched: Matched
) -> dict[str, Any]:
    return {
        "verdict": said.value,
        "items": [
            {
                "item": change.item,
                "direction": change.direction.value,
                "meaning": change.meaning,
                "enforcement": change.enforced,
                "old": change.old,
                "new": change.new,
                "digest": change.digest,
                "confirmed": matched.confirms(change),
            }
            for change in found
        ],
        "old": before.policy.digest,
        "new": after.policy.digest,
        "unused": [diagnostic_json(diagnostic) for diagnostic in matched.unused],
    }


def _say(found: tuple[Change, ...], said: Verdict, matched: Matched) -> None:
    from gateway.diagnostic import printable

    ink = ink_for(sys.stdout)
    for change in found:
        direction = _word(change)
        note = "" if change.enforced else "  (no decision changes)"
        say(f"{ink(_INK[direction], direction)}  {ink('bold', printable(change.item))}{note}")
        say(f"  {printable(change.meaning)}")
        if matched.confirms(change):
            say("  confirmed")
        elif change.relaxed or change.unproved:
            say(f"  digest: {change.digest}")
    if found:
        say()
    say_diagnostics(matched.unused)
    count = Counter(map(_word, found))
    listed = ", ".join(f"{number} {direction}" for direction, number in count.items())
    confirmed = f", {counted(len(matched.keys), 'item')} confirmed" if matched.keys else ""
    say(f"{ink(_INK[said.value], said.value)}: {listed or 'nothing differs'}{confirmed}")


def _word(change: Change) -> str:
    """What a change is called in text: `unproved` asks for a look, `other` is a matter of words."""
    return "unproved" if change.unproved else change.direction.value
