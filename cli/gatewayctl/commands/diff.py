"""`gatewayctl diff`: say what a change between two policies relaxes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewayctl.compared import say_comparison, say_next
from gatewayctl.options import format_option, layers_option, now_option
from gatewayctl.output import Exit, Format, diagnostic_json, refuse_policies, say_json
from gatewayctl.placed import place_in

if TYPE_CHECKING:
    from datetime import datetime

    from gateway.diff import Comparison
    from gateway.sources import Assembled
    from gatewayctl.confirmed import Matched
    from gatewayctl.corpus import Differing


@click.command()
@click.argument("old")
@click.argument("new")
@click.option(
    "--confirm",
    type=click.Path(path_type=Path),
    help="A list of {item, digest, by, reason, until?}: changes that somebody agreed to.",
)
@click.option("--strict", is_flag=True, help="Let an unproved change that nobody confirmed fail, too.")
@click.option(
    "--tries",
    type=click.IntRange(0, 1_000_000),
    help="How many calls to try, over all tools that the change is about; 0 compares only what is written.",
)
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Calls to decide by both: test files, lines of {id, session, call, now?}, or a decision log.",
)
@layers_option
@now_option
@format_option
def command(
    old: str,
    new: str,
    confirm: Path | None,
    strict: bool,
    tries: int | None,
    corpora: tuple[Path, ...],
    user: Path | None,
    project: Path | None,
    now: datetime | None,
    form: Format,
) -> None:
    """Say what the change from OLD to NEW relaxes, item by item, with calls that show it.

    OLD and NEW are policies, each a file or a directory, or REV:PATH in the git repository around the working
    directory: PATH is counted from the root of the repository, REV:./PATH from the working directory. `--user` and
    `--project` are laid over NEW, so that `diff POLICIES POLICIES --project PATH` says what a layer does. Exit code 1
    means that something is relaxed, or looser as it is written, which nobody confirmed, with --strict also something
    that is unproved; 2 that a policy or a corpus can't be read.
    """
    from gateway.diagnostic import PolicyError
    from gateway.diff import TRIES, compare, confirmed_in
    from gateway.facts import utc_now
    from gatewayctl.confirmed import match, read_confirmations
    from gatewayctl.corpus import decided_differently, read_corpus

    try:
        before, after = _load(old), _load(new, user, project)
        asked = read_corpus(corpora, before, after)
        entries = () if confirm is None else read_confirmations(confirm)
    except PolicyError as error:
        refuse_policies(error, form)
    moment = now or utc_now()
    differing = decided_differently(asked, before, after)
    compared = compare(before, after, moment, TRIES if tries is None else tries)
    compared = replace(compared, elsewhere=len(differing.looser))
    matched = match(entries, compared.changes, moment, confirmed_in(before, after))
    failing = [
        change
        for change in compared.changes
        if not matched.confirms(change)
        and (change.relaxed or (change.unproved and (strict or differing.looser)))
    ]
    if form is Format.JSON:
        say_json(_json((before, after), compared, differing, matched, moment))
    else:
        say_comparison(compared, differing, matched, (before.policy, after.policy), len(failing))
    if failing and form is Format.TEXT:
        say_next(failing, confirm, click.get_current_context(), empty=not entries)
    failed = failing or _unexplained(compared, differing)
    raise click.exceptions.Exit(Exit.FOUND if failed else Exit.FINE)


def _unexplained(compared: Comparison, differing: Differing) -> bool:
    """Whether a call is decided more permissively although no difference is known to relax: then ours is the error."""
    shown = bool(compared.calls or differing.looser)
    return shown and not any(change.relaxed or change.unproved for change in compared.changes)


def _load(text: str, *lower: Path | None) -> Assembled:
    from gateway.diff import compiled
    from gateway.load import load_policy
    from gatewayctl.revisions import source_of

    layers = tuple(layer for layer in lower if layer is not None)
    with source_of(text) as source:
        return compiled(load_policy(source.path, lower=layers, shown=source.shown))


def _json(
    sides: tuple[Assembled, Assembled],
    compared: Comparison,
    differing: Differing,
    matched: Matched,
    moment: datetime,
) -> dict[str, Any]:
    return {
        "verdict": compared.verdict.value,
        "items": [
            {
                "item": change.item,
                "direction": change.direction.value,
                "meaning": change.meaning,
                "enforcement": change.enforced,
                "old": change.old,
                "new": change.new,
                "digest": change.digest,
                "place": place_in(change, sides[0].policy, sides[1].policy),
                "confirmed": matched.confirms(change),
            }
            for change in compared.changes
        ],
        "calls": [shown.as_json(moment) for shown in compared.calls],
        "tried": compared.tried,
        "corpus": differing.as_json(),
        "old": sides[0].policy.digest,
        "new": sides[1].policy.digest,
        "unused": [diagnostic_json(diagnostic) for diagnostic in matched.unused],
    }
